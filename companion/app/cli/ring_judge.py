"""`companion ring judge`: passages of a capture judged again."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from firmware_bridge.kernel.errors import BadInput

FINE, BAD = 0, 2


def add_judge(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `judge`."""
    judge = commands.add_parser("judge", help="judge recorded passages again")
    judge.add_argument("log", type=Path, metavar="LOG", help="a capture")
    judge.add_argument("--calibration", type=Path, metavar="FILE", help="judge by this one (else by no calibration)")
    judge.add_argument("--json", action="store_true")
    judge.set_defaults(run=run_judge)


def run_judge(options: argparse.Namespace) -> int:
    """Print what each recorded passage is taken for now; what was decided at the table stays as it is."""
    from firmware_bridge.capture.reader import read_tape
    from firmware_bridge.capture.reclassify import as_json, as_text, judged_again, read_calibration
    from firmware_bridge.colour import Calibrated, Nominal

    try:
        calibration = read_calibration(options.calibration) if options.calibration else None
        passages = judged_again(read_tape(options.log), Calibrated(calibration) if calibration else Nominal())
    except BadInput as fault:
        print(fault, file=sys.stderr)
        return BAD
    if options.json:
        print(json.dumps(as_json(str(options.log), calibration.id if calibration else "", passages)))
        return FINE
    judge = f"calibration {calibration.id} of {calibration.made}" if calibration else "no calibration: colours by name"
    print(f"Judged by {judge}.")
    print("\n".join(as_text(passages)))
    return FINE

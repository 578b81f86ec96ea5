"""`companion ring judge`: passages of a capture judged again."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.arguments import add_json
from companion.app.bridge_faults import bridge_faults
from companion.app.exit_codes import FINE


def add(parser: ArgumentParser) -> None:
    """Add what was recorded, and what it is judged by."""
    parser.add_argument("log", type=Path, metavar="LOG", help="a capture")
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="use this one (default: none)")
    add_json(parser)


@bridge_faults()
def run(args: Namespace) -> int:
    """Print what each recorded passage is taken for now; what was decided at the table stays as it is."""
    from firmware_bridge.capture.reader import read_tape
    from firmware_bridge.capture.reclassify import as_json, as_text, judged_again, read_calibration
    from firmware_bridge.colour import CalibratedJudge, Nominal

    calibration = read_calibration(args.calibration) if args.calibration else None
    passages = judged_again(read_tape(args.log), CalibratedJudge(calibration) if calibration else Nominal())
    if args.json:
        print(json.dumps(as_json(str(args.log), calibration.id if calibration else "", passages)))
        return FINE
    judge = f"calibration {calibration.id} of {calibration.made}" if calibration else "no calibration: colours by name"
    print(f"Judged by {judge}.")
    print("\n".join(as_text(passages)))
    return FINE

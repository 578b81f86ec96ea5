"""`companion ring check`: what a ring promises, measured, as text, JSON or a page."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from select import select
from typing import Any

from companion.app.cli.bring_up import add_bench_hour, run_bench_hour
from firmware_bridge.factory.open import session_name, way_to
from firmware_bridge.kernel.errors import BadInput, WireLost
from firmware_bridge.transport.streams import Bell

FINE, FAILED, BAD = 0, 1, 2


def add_check(commands: Any) -> None:
    """Add `check`."""
    check = commands.add_parser("check", help="measure what a ring promises; needs the ring for itself")
    check.add_argument("--ring", default="auto", metavar="URL")
    check.add_argument("--ask", action="store_true", help="ask for what only a hand can do: a card, a slide")
    check.add_argument("--calibration", type=Path, metavar="FILE", help="compare the white shutter with this one's")
    check.add_argument("--json", action="store_true")
    check.add_argument("--html", type=Path, metavar="FILE", help="write a page with plots there")
    add_bench_hour(check)
    check.set_defaults(run=run_check)


def run_check(options: argparse.Namespace) -> int:
    """Check a ring; 0 when it keeps all its promises, 1 when not, 2 when there is nothing to check."""
    from firmware_bridge.conformance.text_report import as_text

    if options.bench_hour:
        return run_bench_hour(options)
    if options.record or options.idle_minutes is not None:
        return _complain(BadInput("--record and --idle-minutes belong to --bench-hour."), BAD)
    try:
        report = _report(options)
        if options.html:
            _write_page(options.html, report)
    except BadInput as fault:
        return _complain(fault, BAD)
    except WireLost as fault:
        return _complain(fault, FAILED)
    print(json.dumps(report.line()) if options.json else "\n".join(as_text(report)))
    return FINE if report.passed else FAILED


def _report(options: argparse.Namespace) -> Any:
    from firmware_bridge.capture.reclassify import read_calibration
    from firmware_bridge.conformance.conversation import Talk
    from firmware_bridge.conformance.suite import checked, nobody_there

    if options.ring == "none":
        raise BadInput("There is no ring to check.")
    calibration = read_calibration(options.calibration) if options.calibration else None
    opener = way_to(options.ring).opener
    with closing(Bell()) as bell, closing(opener(bell)) as wire:
        talk = Talk(wire, time.monotonic, session_name)
        return checked(options.ring, talk, calibration, _asked if options.ask else nobody_there)


def _asked(deed: str) -> Callable[[], bool | None]:
    """Ask the person at the terminal; an empty line means that it is done."""
    print(f"{deed} Then press Enter (n and Enter: leave it out).", file=sys.stderr, flush=True)

    def answer() -> bool | None:
        if not select([sys.stdin], [], [], 0)[0]:
            return None
        line = sys.stdin.readline()
        return bool(line) and not line.strip().lower().startswith("n")

    return answer


def _write_page(path: Path, report: Any) -> None:
    from firmware_bridge.conformance.html_report import page

    try:
        path.write_text(page(report, time.strftime("%Y-%m-%d %H:%M:%S")), encoding="utf-8")
    except OSError as fault:
        raise BadInput(f"{path}: {fault.strerror or fault}") from None


def _complain(fault: Exception, status: int) -> int:
    print(fault, file=sys.stderr)
    return status

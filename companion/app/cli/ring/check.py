"""`companion ring check`: what a ring promises, measured, as text, JSON or a page."""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from select import select
from typing import TYPE_CHECKING

from companion.app.arguments import add_json, add_ring
from companion.app.bridge_faults import bridge_faults
from companion.app.cli.ring import bench_hour
from companion.app.exit_codes import FAILED, FINE, BadUse
from companion.app.named_file import write_output
from companion.app.progress import watching
from companion.kernel.moments import in_this_zone

if TYPE_CHECKING:
    from firmware_bridge.conformance.result import Report


def add(parser: ArgumentParser) -> None:
    """Add which ring, what it is compared with, and how it is told."""
    add_ring(parser)
    parser.add_argument("--ask", action="store_true", help="ask for what only a hand can do: a card, a slide")
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="compare the white shutter with this one's")
    add_json(parser)
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page of plots there")
    bench_hour.add_options(parser)


@bridge_faults()
def run(args: Namespace) -> int:
    """Check a ring; 0 when it keeps all its promises, 1 when not, 2 when there is nothing to check."""
    from firmware_bridge.conformance.text_report import as_text

    if args.bench_hour:
        return bench_hour.walk_through(args)
    if args.record or args.idle_minutes is not None:
        raise BadUse("--record and --idle-minutes belong to --bench-hour.")
    report = _report(args)
    if args.html:
        _write_page(args.html, report)
    print(json.dumps(report.line()) if args.json else "\n".join(as_text(report)))
    return FINE if report.passed else FAILED


def _report(args: Namespace) -> Report:
    from firmware_bridge.capture.reclassify import read_calibration
    from firmware_bridge.conformance.conversation import Conversation
    from firmware_bridge.conformance.stall import Watching
    from firmware_bridge.conformance.suite import checked, nobody_there
    from firmware_bridge.factory.open import session_name, way_to
    from firmware_bridge.transport.streams import Bell

    if args.ring == "none":
        raise BadUse("There's no ring to check.")
    calibration = read_calibration(args.calibration) if args.calibration else None
    opener = way_to(args.ring).opener
    with closing(Bell()) as bell, closing(opener(bell)) as wire, Watching() as stall:
        talk = Conversation(wire, time.monotonic, session_name, stall.owed_s)
        watch = watching("Checking the ring", "parts", quiet=args.json or args.ask)
        return checked(args.ring, talk, calibration, _asked if args.ask else nobody_there, stall, watch)


def _asked(deed: str) -> Callable[[], bool | None]:
    """Ask the person at the terminal; an empty line means that it is done."""
    print(f"{deed} Then press Enter (n and Enter: skip it).", file=sys.stderr, flush=True)

    def answer() -> bool | None:
        if not select([sys.stdin], [], [], 0)[0]:
            return None
        line = sys.stdin.readline()
        return bool(line) and not line.strip().lower().startswith("n")

    return answer


def _write_page(path: Path, report: Report) -> None:
    from firmware_bridge.conformance.html_report import page

    write_output(path, page(report, in_this_zone(time.time())))

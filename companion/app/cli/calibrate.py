"""`companion calibrate`: a copy's colours shown to the ring, at the keyboard."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from companion.app.arguments import add_data, add_ring, colours, name, number
from companion.app.exit_codes import FINE, BadUse, Failed
from companion.kernel.moments import in_utc

if TYPE_CHECKING:
    from companion.app.cli.calibration.file import Line
    from companion.app.ring_controller import RingController

OUR_COPY = "Our copy"


def add(parser: ArgumentParser) -> None:
    """Add the ring, and what it is to learn."""
    add_ring(parser)
    copy = "the copy of the game (default: the one on the table)"
    parser.add_argument("--copy", type=name, metavar="NAME", help=copy)
    parser.add_argument("--colours", type=colours, metavar="A,B,...", help="its colours (default: those it has)")
    parser.add_argument("--passes", type=number(5, 100), default=10, metavar="N", help="passes of each colour")
    parser.add_argument("--out", metavar="FILE", help="also write the calibration here")
    add_data(parser)


def run(args: Namespace) -> int:
    """Calibrate the ring for a copy's colours at the keyboard, and keep that with the copy."""
    from companion.app.bootstrap import opened_for
    from companion.app.calibration_keeper import colours_of, keep_line
    from companion.app.cli.calibration.file import write_line
    from companion.app.running_service import neighbour

    service = neighbour(args.data)
    if service is not None:
        there = f"{service.url}/ring/teach"
        raise Failed(f"the service is using the ring: go to {there}, or stop the service first")
    with opened_for(args.data, args.ring) as opened:
        copy = args.copy or opened.table.snapshot.copy or OUR_COPY
        shown = args.colours or colours_of(opened.table, copy)
        line = _calibrated(opened, args.passes, copy, shown)
        if args.out:
            write_line(args.out, line)
        print(keep_line(opened.table, line, shown))
    return FINE


def _calibrated(opened: RingController, passes: int, copy: str, shown: tuple[str, ...]) -> Line:
    from companion.app.terminal.inbox import Inbox, typed_lines
    from companion.app.terminal.wizard import TerminalWizard
    from companion.ports.calibration import BadCalibration

    instrument = opened.ring.instrument
    if instrument is None:
        raise BadUse("--ring: needs a ring that measures")
    inbox = Inbox(typed_lines(sys.stdin.fileno()), opened.threads)
    opened.table.subscribe_ring(inbox.stir)
    instrument.subscribe(inbox.stir)
    try:
        line: Line | None = TerminalWizard(opened.ring, instrument, inbox, _say, passes).run(copy, shown, _today)
    except BadCalibration as fault:
        raise Failed(f"nothing changed: {fault.reason}") from None
    if line is None:
        raise Failed("stopped: nothing changed")
    return line


def _today() -> str:
    """Return the date and time, ISO 8601 in UTC."""
    return in_utc(time.time())


def _say(sentence: str) -> None:
    if sentence:
        print(sentence, flush=True)

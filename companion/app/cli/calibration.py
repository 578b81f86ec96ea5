"""`companion calibrate` and `companion calibration ...`: calibrate a ring; export and import calibrations."""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.arguments import add_data, add_method, add_ring, colours, name, number
from companion.app.bridge_faults import bridge_faults
from companion.app.exit_codes import FINE, BadUse, Failed, unreadable
from companion.app.named_file import opened, remarks, write_output
from companion.kernel.errors import Malformed
from companion.kernel.fields import finite, no_number
from companion.kernel.moments import in_utc
from companion.kernel.text_file import LARGEST, text_from

if TYPE_CHECKING:
    from companion.app.ring_controller import RingController
    from companion.session.table import Table

OUR_COPY = "Our copy"
MOST = 1000
"""The maximum number of calibrations that are searched, newest first."""
Line = Mapping[str, Any]


def add_calibrate(parser: ArgumentParser) -> None:
    """Add the options for the ring, the copy and its colours."""
    add_ring(parser)
    copy = "the copy of the game (default: the one on the table)"
    parser.add_argument("--copy", type=name, metavar="NAME", help=copy)
    parser.add_argument(
        "--colours", type=colours, metavar="A,B,...", help="colours of the copy (default: the ones saved with it)"
    )
    parser.add_argument(
        "--passes", type=number(5, 100), default=10, metavar="N", help="how often each colour slides through"
    )
    parser.add_argument("--out", metavar="FILE", help="also write the calibration to this file")
    add_data(parser)


def run_calibrate(args: Namespace) -> int:
    """Calibrate the ring for a copy's colours at the keyboard, and save the result with the copy."""
    from companion.app.bootstrap import opened_for
    from companion.app.running_service import running_service

    service = running_service(args.data)
    if service is not None:
        there = f"{service.url}/ring/teach"
        raise Failed(f"the service is using the ring: go to {there}, or stop the service first")
    with opened_for(args.data, args.ring) as opened:
        copy = args.copy or opened.table.snapshot.copy or OUR_COPY
        shown = args.colours or _colours_of(opened.table, copy)
        line = _calibrated(opened, args.passes, copy, shown)
        if args.out:
            _write_line(args.out, line)
        print(_keep_line(opened.table, line, shown))
    return FINE


def _calibrated(opened: RingController, passes: int, copy: str, shown: tuple[str, ...]) -> Line:
    from companion.app.terminal.inbox import Inbox, typed_lines
    from companion.app.terminal.wizard import TerminalWizard
    from companion.ports.calibration import BadCalibration

    instrument = opened.ring.instrument
    if instrument is None:
        raise BadUse("--ring: only a ring that measures colours can be calibrated")
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
    """Return the present date and time as ISO 8601 in UTC."""
    return in_utc(time.time())


def _say(sentence: str) -> None:
    if sentence:
        print(sentence, flush=True)


def add_export(parser: ArgumentParser) -> None:
    """Add the options that choose a calibration, and the file to write."""
    parser.add_argument("--device", metavar="D", help="only calibrations of this ring (its device name)")
    parser.add_argument("--copy", metavar="C", help="only calibrations of this copy")
    parser.add_argument("file", metavar="FILE", help="the file to write, replaced if it exists; -: standard output")
    add_data(parser)


def run_export(args: Namespace) -> int:
    """Write the newest matching calibration to *args.file*."""
    found = [line for line in _stored(args.data) if _fits(line, args)]
    if not found:
        raise Failed(
            "no saved calibration has this copy and device" if args.copy or args.device else "no calibration saved yet"
        )
    _write_line(args.file, found[-1])
    return FINE


def _fits(line: Line, args: Namespace) -> bool:
    wanted = {"copy": args.copy, "device": args.device}
    return all(line.get(name) == value for name, value in wanted.items() if value)


def _stored(data: Path) -> list[Line]:
    from companion.app.ledger_access import read_only
    from companion.ledger import RowKind

    with read_only(data) as ledger:
        return [row.body for row in ledger.outside(RowKind.CALIBRATION, MOST, [])]


def add_import(parser: ArgumentParser) -> None:
    """Add the file to read."""
    parser.add_argument("file", metavar="FILE", help="the file to read; -: standard input")
    add_method(parser)
    add_data(parser)


def run_import(args: Namespace) -> int:
    """Save the calibration in *args.file* if it is valid. If a service runs, the service saves it."""
    from companion.app.ledger_access import owned
    from companion.app.running_service import running_service
    from firmware_bridge import calibration_of

    read = _read_line(args.file)
    with bridge_faults(args.file):
        calibration = calibration_of(read)
    calibration = replace(calibration, method=args.method or calibration.method)
    service = running_service(args.data)
    if service is not None:
        service.ask("/api/v1/ring/deeds", json.dumps({"deed": "bring", "calibration": calibration.line()}).encode())
        print("The running service has imported it.")
        return FINE
    with owned(args.data) as table:
        print(_keep_line(table, calibration.line(), calibration.colours))
    return FINE


def _read_line(file: str) -> Any:
    """Return the JSON in *file* (`-`: standard input), or raise `BadUse` or `Failed`."""
    try:
        with opened(file) as stream:
            text = text_from(stream.read(LARGEST + 1))
        return json.loads(text, parse_constant=no_number, parse_float=finite)
    except OSError as fault:
        raise unreadable(file, fault) from None
    except Malformed as fault:
        raise BadUse(f"{file}: {fault.reason}") from None
    except (ValueError, RecursionError):
        raise BadUse(f"{file} isn't valid JSON") from None


def _write_line(file: str, line: Line) -> None:
    """Write *line* to *file* (`-`: standard output) and print a message. Raises the errors of `write_output`."""
    write_output(file, json.dumps(line, ensure_ascii=False) + "\n")
    print(f"Written to {file}.", file=remarks(file))


def _colours_of(table: Table, copy: str) -> tuple[str, ...]:
    """Return the colours of the copy called *copy*, or the usual colours of the game if there is no such copy."""
    from companion.games.registry import GAMES
    from companion.model.game import with_ring

    known = next((each.colours for each in table.archive.copies() if each.name == copy), None)
    return tuple(known) if known else with_ring(GAMES)[1].colours


def _keep_line(table: Table, line: Line, shown: Sequence[str]) -> str:
    """Save a calibration, and also its copy if the table has no copy with that name. Return a message."""
    from companion.games.registry import GAMES
    from companion.model.boxes import Copy
    from companion.model.game import with_ring
    from companion.model.snapshot import Who

    by_keyboard = Who("script", "calibrate")
    copy = str(line["copy"])
    table.save_calibration(line, by_keyboard)
    if copy not in {each.name for each in table.archive.copies()}:
        table.save_copy(Copy(copy, with_ring(GAMES)[0], None, {each: each for each in shown}), by_keyboard)
    return f"Saved: the calibration of “{copy}”, made {line['made']} by the ring {line['device']}."

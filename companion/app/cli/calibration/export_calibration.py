"""`companion calibration export`: the newest calibration, to be taken along."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.arguments import add_data
from companion.app.cli.calibration.file import Line, write_line
from companion.app.exit_codes import FINE, Failed

MOST = 1000
"""So many calibrations are looked through for the one that is wanted."""


def add(parser: ArgumentParser) -> None:
    """Add which one, and where it goes."""
    parser.add_argument("--device", metavar="D", help="only this ring's")
    parser.add_argument("--copy", metavar="C", help="only this copy's")
    parser.add_argument("file", metavar="FILE", help="replaced if there; -: standard output")
    add_data(parser)


def run(args: Namespace) -> int:
    """Write the newest calibration that fits to *args.file*."""
    found = [line for line in _kept(args.data) if _fits(line, args)]
    if not found:
        raise Failed("no such calibration saved" if args.copy or args.device else "no calibration saved yet")
    write_line(args.file, found[-1])
    return FINE


def _fits(line: Line, args: Namespace) -> bool:
    wanted = {"copy": args.copy, "device": args.device}
    return all(line.get(name) == value for name, value in wanted.items() if value)


def _kept(data: Path) -> list[Line]:
    from companion.app.ledger_access import read_only
    from companion.ledger import RowKind

    with read_only(data) as ledger:
        return [row.body for row in ledger.outside(RowKind.CALIBRATION, MOST, [])]

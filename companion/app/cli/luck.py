"""`companion luck`: what was luck in a game of the ledger, and what was not."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.app.arguments import add_data, add_json, number
from companion.app.cli import record_file
from companion.app.exit_codes import FINE, BadUse
from companion.app.progress import watching

if TYPE_CHECKING:
    from companion.luck import LuckReport, Stroke


def add(parser: ArgumentParser) -> None:
    """Add which game."""
    parser.add_argument("id", type=number(1), metavar="ID", help="a number from `companion games`")
    add_json(parser)
    add_data(parser)


def run(args: Namespace) -> int:
    """Print each seat's result, its luck and the rest, and what chance moved most."""
    from companion.app.ledger_access import looked_into
    from companion.kernel.errors import Malformed

    with looked_into(args.data) as table:
        try:
            report = table.luck(args.id, watching("Working out luck", "lines", args.json))
            entry = next(each for each in table.games() if each.id == args.id)
        except Malformed as fault:
            raise BadUse(fault.reason) from None
    if report is None:
        raise BadUse(f"game {args.id} is of a kind that doesn't tell luck from play")
    if args.json:
        print(json.dumps(_figures(report)))
        return FINE
    names = {player["colour"]: record_file.printable(player["name"]) for player in entry.header["players"]}
    for seat, each in report.seats.items():
        print(f"{names[seat]:<12} result {each.final:+.1f}, luck {each.luck:+.1f}, the rest {each.skill:+.1f}")
    for stroke in report.turning_points():
        print(f"  {_told(stroke, names)}")
    return FINE


def _told(stroke: Stroke, names: Mapping[str, str]) -> str:
    moved = ", ".join(f"{names[seat]} {luck:+.1f}" for seat, luck in stroke.luck.items())
    return f"row {stroke.row}, {json.dumps(stroke.line, ensure_ascii=False)}: {moved}"


def _figures(report: LuckReport) -> dict[str, object]:
    seats = {
        seat: {"initial": each.initial, "final": each.final, "luck": each.luck, "skill": each.skill}
        for seat, each in report.seats.items()
    }
    strokes = [{"row": each.row, "line": each.line, "luck": each.luck} for each in report.strokes]
    return {"seats": seats, "strokes": strokes}

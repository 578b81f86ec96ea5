"""`companion export`: one game of the ledger, out of it."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from companion.app.arguments import add_data, number
from companion.app.exit_codes import FINE, BadUse

if TYPE_CHECKING:
    from companion.session.table import Table


def add(parser: ArgumentParser) -> None:
    """Add which game, and as what."""
    parser.add_argument("id", type=number(1), metavar="ID", help="a number from `companion games`")
    parser.add_argument("--to", choices=("record", "csv", "json", "bgstats"), default="record")
    add_data(parser)


def run(args: Namespace) -> int:
    """Write one game to standard output: its record, its final state, its lines as a table, or one play."""
    from companion.app.ledger_access import looked_into
    from companion.kernel.errors import Malformed

    with looked_into(args.data) as table:
        try:
            text = _exported(table, args.id, args.to)
        except Malformed as fault:
            raise BadUse(fault.reason) from None
    sys.stdout.write(text)
    return FINE


def _exported(table: Table, game_id: int, form: str) -> str:
    from companion.model.snapshot import Status
    from companion.records.export import as_csv, as_play

    if form == "record":
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in table.record(game_id))
    final = table.final(game_id)  # first of all: it says so where there is no such game
    if form == "json":
        return json.dumps(final) + "\n"
    told = table.told(game_id)
    if form == "csv":
        return as_csv(told)
    entry, result = next(each for each in table.games() if each.id == game_id), table.result(game_id)
    if result is None or entry.status is not Status.FINISHED:
        raise BadUse(f"game {game_id} is not played out: a play has its winner")
    return json.dumps(as_play(entry, result, told[-1].at_ms), ensure_ascii=False) + "\n"

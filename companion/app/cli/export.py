"""`companion export`: one game of the ledger, out of it."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

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
    """Write one game to standard output: its record, its final state, its lines as a table, or one play.

    Of a damaged game the record, state or lines as far as they can be read, and then why no further (status 2).
    """
    from companion.app.ledger_access import looked_into
    from companion.kernel.errors import Malformed

    with looked_into(args.data) as table:
        try:
            sys.stdout.write(_exported(table, args.id, args.to))
        except Malformed as fault:
            if args.to != "bgstats":
                _write_so_far(table, args.id, args.to)
            raise BadUse(fault.reason) from None
        for sentence in table.misnamed:
            print(f"companion: {sentence}", file=sys.stderr)
    return FINE


def _write_so_far(table: Table, game_id: int, form: str) -> None:
    from companion.kernel.errors import Malformed
    from companion.records.export import as_csv

    with suppress(Malformed):  # said by who asked for all of it
        found = table.so_far(game_id)
        lines = as_csv(move.told for move in found.moves)
        header, *rest = found.record
        told = {
            "record": _lines([{**header, **found.origin.line()}, *rest]),
            "json": json.dumps(found.final) + "\n",
            "csv": lines,
        }
        sys.stdout.write(told[form])
        sys.stdout.flush()


def _lines(record: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in record)


def _exported(table: Table, game_id: int, form: str) -> str:
    from companion.model.game import invented
    from companion.model.snapshot import Status
    from companion.records.export import as_csv, as_play

    if form == "record":
        return _lines(table.exported(game_id))
    final = table.final(game_id)  # first of all: it says so where there is no such game
    if form == "json":
        return json.dumps(final) + "\n"
    told = table.told(game_id)
    if form == "csv":
        return as_csv(told)
    entry, result = next(each for each in table.games() if each.id == game_id), table.result(game_id)
    if result is None or entry.status is not Status.FINISHED:
        raise BadUse(f"game {game_id} isn't finished: a play has its winner")
    example = invented(table.shelf[entry.name], entry.header)
    return json.dumps(as_play(entry, result, told[-1].at_ms, example), ensure_ascii=False) + "\n"

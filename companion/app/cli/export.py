"""`companion export`: one game of the ledger as a record, a table, a final state or a play of BG Stats."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.arguments import add_data, names, number
from companion.app.exit_codes import FINE, BadUse, unwritable
from companion.app.named_file import STANDARD, write_output

if TYPE_CHECKING:
    from companion.session.table import Table

ENDINGS = {"record": ".jsonl", "csv": ".csv", "json": ".json", "bgstats": ".bgsplay"}
"""The forms in which a game can be exported, and how their files end."""


def add(parser: ArgumentParser) -> None:
    """Add which game, and as what."""
    parser.add_argument("id", type=number(1), metavar="ID", help="a number from `companion games`")
    to = f"one form or several, joined by commas: {', '.join(ENDINGS)} (default: record)"
    parser.add_argument("--to", type=_forms, default="record", metavar="FORM,...", help=to)
    several = "write one file for each form there, game-ID with the form's ending (default: one form is printed)"
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help=several)
    add_data(parser)


def run(args: Namespace) -> int:
    """Print one game in one form, or write it in several, a file each.

    Of a damaged game it writes what can be read and then says why no further (status 2). Several forms are all made
    before the first is written.
    """
    from companion.app.ledger_access import looked_into
    from companion.kernel.errors import Malformed

    with looked_into(args.data) as table:
        try:
            _put(args, {form: _exported(table, args.id, form) for form in args.to})
        except Malformed as fault:
            _put(args, _so_far(table, args.id, args.to))
            raise BadUse(fault.reason) from None
        for sentence in table.misnamed:
            print(f"companion: {sentence}", file=sys.stderr)
    return FINE


def _forms(text: str) -> tuple[str, ...]:
    """Read the forms that a game is written in, each once."""
    found = tuple(dict.fromkeys(names(text)))
    unknown = [form for form in found if form not in ENDINGS]
    if unknown or not found:
        raise ArgumentTypeError(f"choose from {', '.join(ENDINGS)}, not {(unknown or [text])[0]!r}")
    return found


def _put(args: Namespace, texts: Mapping[str, str]) -> None:
    """Print the one text that was asked for, or write each to a file of its own and say where."""
    if args.output is None and len(args.to) == 1:
        for text in texts.values():
            write_output(STANDARD, text)
        return
    folder: Path = args.output or Path()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise unwritable(folder, fault) from None
    for form, text in texts.items():
        path = folder / f"game-{args.id}{ENDINGS[form]}"
        write_output(path, text)
        print(f"Written to {path}.")


def _so_far(table: Table, game_id: int, forms: Iterable[str]) -> dict[str, str]:
    """Return a damaged game as far as it can be read: nothing where that is not even its header."""
    from companion.kernel.errors import Malformed
    from companion.records.export import as_csv

    try:
        found = table.partial(game_id)
    except Malformed:
        return {}  # the caller says what is damaged
    header, *rest = found.record
    record = [{**header, **found.origin.line()}, *rest]
    lines = as_csv(move.told for move in found.moves)
    readable = {"record": _lines(record), "json": json.dumps(found.final) + "\n", "csv": lines}
    return {form: readable[form] for form in forms if form in readable}


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
        left = sorted(table.left(game_id))
        return json.dumps({**final, "left": left} if left else final) + "\n"
    lines = table.told(game_id)
    if form == "csv":
        return as_csv(lines)
    entry, result = next(each for each in table.games() if each.id == game_id), table.result(game_id)
    if result is None or entry.status is not Status.FINISHED:
        raise BadUse(f"game {game_id} isn't finished: a play has its winner")
    example = invented(table.shelf[entry.name], entry.header)
    play = as_play(entry, result, lines[-1].at_ms, example, table.left(game_id))
    return json.dumps(play, ensure_ascii=False) + "\n"

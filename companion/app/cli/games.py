"""`companion games`, `export`, `import`, `share` and `draws`: list, write and read the games of the ledger."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.arguments import add_data, add_json, add_language, add_record, names, number
from companion.app.exit_codes import FINE, BadUse, Failed, unreadable, unwritable
from companion.app.named_file import STANDARD, opened, remarks, write_output
from companion.app.progress import watching
from companion.kernel.moments import in_this_zone

if TYPE_CHECKING:
    from companion.model.snapshot import GameEntry
    from companion.session.importer import Imported
    from companion.session.table import Table

ENDINGS = {"record": ".jsonl", "csv": ".csv", "json": ".json", "bgstats": ".bgsplay"}
"""The formats in which a game can be exported, with their file endings."""


def add_games(parser: ArgumentParser) -> None:
    """Add the output format and the data folder."""
    add_json(parser)
    add_data(parser)


def run_games(args: Namespace) -> int:
    """List the games of the ledger, newest first."""
    from companion.app.ledger_access import table_read_only

    with table_read_only(args.data) as table:
        entries, unlisted = table.archive.games(), table.archive.unlisted
    if unlisted:
        raise Failed(unlisted)
    if args.json:
        print(json.dumps([_entry_json(entry) for entry in entries]))
        return FINE
    for entry in entries:
        print(_entry_text(entry))
    if not entries:
        print("No games yet.")
    return FINE


def _entry_json(entry: GameEntry) -> dict[str, object]:
    row = {"id": entry.id, "game": entry.name, "status": entry.status, "lines": entry.lines}
    return {**row, "damage": entry.damage} if entry.damage else row


def _entry_text(entry: GameEntry) -> str:
    if entry.damage:
        return f"{entry.id:>6}  damaged: {entry.damage}"
    names = ", ".join(str(player["name"]) for player in entry.header["players"])
    day = in_this_zone(entry.began)
    return f"{entry.id:>6}  {day}  {entry.name}, {names}: {entry.status}, {entry.lines} lines"


def add_export(parser: ArgumentParser) -> None:
    """Add the number of the game and the formats."""
    parser.add_argument("id", type=number(1), metavar="ID", help="the game's number, from `companion games`")
    to = f"one format or several, separated by commas: {', '.join(ENDINGS)} (default: record)"
    parser.add_argument("--to", type=_forms, default="record", metavar="FORM,...", help=to)
    several = "folder for one file per format, called game-ID (default: print one format, write several here)"
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help=several)
    add_data(parser)


def run_export(args: Namespace) -> int:
    """Print one game in one format, or write it in several formats, one file each.

    If the game is damaged, its readable part is written and the command ends with status 2. All formats are rendered
    before the first file is written.
    """
    from companion.app.ledger_access import table_read_only
    from companion.kernel.errors import Malformed

    with table_read_only(args.data) as table:
        try:
            _put(args, {form: _exported(table, args.id, form) for form in args.to})
        except Malformed as fault:
            _put(args, _readable_part(table, args.id, args.to))
            raise BadUse(fault.reason) from None
        for sentence in table.archive.misnamed:
            print(f"companion: {sentence}", file=sys.stderr)
    return FINE


def _forms(text: str) -> tuple[str, ...]:
    """Parse the export formats, without duplicates."""
    found = tuple(dict.fromkeys(names(text)))
    unknown = [form for form in found if form not in ENDINGS]
    if unknown or not found:
        raise ArgumentTypeError(f"choose from {', '.join(ENDINGS)}, not {(unknown or [text])[0]!r}")
    return found


def _put(args: Namespace, texts: Mapping[str, str]) -> None:
    """Print the text if there is only one; otherwise write each text to a file of its own and print the path."""
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


def _readable_part(table: Table, game_id: int, forms: Iterable[str]) -> dict[str, str]:
    """Return the readable part of a damaged game in each format, or nothing if the game's header is damaged."""
    from companion.kernel.errors import Malformed
    from companion.records.export import as_csv

    try:
        found = table.archive.partial(game_id)
    except Malformed:
        return {}  # the caller reports the damage
    header, *rest = found.record
    record = [{**header, **found.origin.line()}, *rest]
    lines = as_csv(move.line for move in found.moves)
    readable = {"record": _lines(record), "json": json.dumps(found.final) + "\n", "csv": lines}
    return {form: readable[form] for form in forms if form in readable}


def _lines(record: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in record)


def _exported(table: Table, game_id: int, form: str) -> str:
    from companion.model.game import invented
    from companion.model.snapshot import Status
    from companion.records.export import as_csv, as_play

    if form == "record":
        return _lines(table.archive.exported(game_id))
    final = table.archive.final(game_id)  # called first, because it raises an exception if there is no such game
    if form == "json":
        left = sorted(table.archive.left(game_id))
        return json.dumps({**final, "left": left} if left else final) + "\n"
    lines = table.archive.transcript_lines(game_id)
    if form == "csv":
        return as_csv(lines)
    entry, result = next(each for each in table.archive.games() if each.id == game_id), table.archive.result(game_id)
    if result is None or entry.status is not Status.FINISHED:
        raise BadUse(f"game {game_id} isn't finished: the format bgstats needs a winner")
    example = invented(table.archive.known_games[entry.name], entry.header)
    play = as_play(entry, result, lines[-1].at_ms, example, table.archive.left(game_id))
    return json.dumps(play, ensure_ascii=False) + "\n"


def add_import(parser: ArgumentParser) -> None:
    """Add the record."""
    add_record(parser)
    add_data(parser)


def run_import(args: Namespace) -> int:
    """Import a record into the ledger, completely or not at all. If a service runs, the service imports it."""
    from companion.app.running_service import running_service

    raw = _read_file(args.file)
    service = running_service(args.data)
    if service is not None:
        answer = service.ask("/api/v1/import", raw, "application/x-ndjson")
        # An older version of the service imports every record and sends neither of these fields.
        _print_imported(args.file, answer["game_id"], answer.get("new", True), answer.get("differs", False))
    else:
        taken = _taken_in(args.data, raw)
        _print_imported(args.file, taken.game, taken.new, taken.differs)
    return FINE


def _print_imported(file: str, game: int, new: bool, differs: bool) -> None:
    if new:
        print(f"Imported as game {game}.")
        return
    lines = ", with different lines" if differs else ""
    print(f"{'This record' if file == '-' else file} is game {game} already{lines}. Nothing changed.")


def _taken_in(data: Path, raw: bytes) -> Imported:
    from companion.app.ledger_access import owned
    from companion.model.snapshot import ImportFault, Who
    from companion.records import RecordError, read_file

    try:
        lines = [line for _, line in watching("Reading", "lines")(read_file(BytesIO(raw)))]
        with owned(data) as table:
            return table.importer.import_record(lines, Who("script", "import"))
    except (RecordError, ImportFault) as fault:
        raise BadUse(str(fault)) from None


def _read_file(file: str) -> bytes:
    try:
        with opened(file) as stream:
            return stream.read()
    except OSError as fault:
        raise unreadable(file, fault) from None


def add_share(parser: ArgumentParser) -> None:
    """Add the arguments for the number of the game and for the page to write."""
    parser.add_argument("id", type=number(1), metavar="ID", help="the game's number, from `companion games`")
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="the page to write, replaced if it exists; -: standard output",
    )
    add_language(parser)
    add_data(parser)


def run_share(args: Namespace) -> int:
    """Write the page of a game. If the game is damaged, the page shows only its readable lines."""
    from companion.app.ledger_access import table_read_only
    from companion.app.replay_page import write_page
    from companion.kernel.errors import Malformed
    from companion.session.hidden import seen_stored

    with table_read_only(args.data) as table:
        try:
            size = write_page(args.output, lambda begin: seen_stored(table.archive, args.id, begin), args.language)
        except Malformed as fault:
            raise BadUse(fault.reason) from None
    print(f"Game {args.id} is in {args.output} ({size} bytes). Any browser opens it.", file=remarks(args.output))
    return FINE


def add_draws(parser: ArgumentParser) -> None:
    """Add the argument for the folder to write to."""
    parser.add_argument(
        "folder", type=Path, metavar="FOLDER", help="folder for two files, which are replaced if they exist"
    )
    add_data(parser)


def run_draws(args: Namespace) -> int:
    """Write `draws.csv` and `datapackage.json` into a folder."""
    from companion.app.ledger_access import table_read_only
    from companion.fairness.export import FILE, PACKAGE, as_table, data_package
    from companion.kernel.atomic_file import write_whole
    from companion.kernel.program import VERSION

    with table_read_only(args.data) as table:
        entries = sorted((entry for entry in table.archive.games() if not entry.damage), key=lambda entry: entry.id)
        watched = watching("Reading games", "games")(entries, len(entries))
        draws = [draw for entry in watched for draw in table.archive.logged_draws(entry.id)]
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
        write_whole(args.folder / FILE, as_table(draws))
        write_whole(args.folder / PACKAGE, json.dumps(data_package(f"ring-companion {VERSION}"), indent=2) + "\n")
    except OSError as fault:
        raise unwritable(args.folder, fault) from None
    print(f"{len(draws)} draws of {len(entries)} games are in {args.folder}.")
    return FINE

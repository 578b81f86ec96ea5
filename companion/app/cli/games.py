"""`companion games`, `export` and `import`: what the ledger holds, out and in."""

from __future__ import annotations

import json
import sys
import time
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from random import SystemRandom

from companion.app.cli.replay import record_at
from companion.app.cli.running_service import neighbour
from companion.app.data_folder import LEDGER, make_folder
from companion.app.exit_codes import FINE, BadUse, Failed
from companion.games.registry import GAMES
from companion.kernel.errors import Malformed
from companion.kernel.validation import Line
from companion.ledger import Ledger, LedgerFault
from companion.model.snapshot import GameEntry, ImportFault, Status, Who
from companion.records import RecordFault, read_lines
from companion.records.export import as_csv, as_play
from companion.session.table import Table


def run_games(args: Namespace) -> int:
    """List the games of the ledger, the newest first."""
    with _looked_into(args.data) as table:
        entries = table.games()
    if args.json:
        print(json.dumps([_row(entry) for entry in entries]))
        return FINE
    for entry in entries:
        if entry.damage:
            print(f"{entry.id:>6}  damaged: {entry.damage}")
            continue
        names = ", ".join(str(player["name"]) for player in entry.header["players"])
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.began))
        print(f"{entry.id:>6}  {day}  {entry.name}, {names}: {entry.status}, {entry.lines} lines")
    if not entries:
        print("No games yet.")
    return FINE


def _row(entry: GameEntry) -> dict[str, object]:
    row = {"id": entry.id, "game": entry.name, "status": entry.status, "lines": entry.lines}
    return {**row, "damage": entry.damage} if entry.damage else row


def run_export(args: Namespace) -> int:
    """Write one game to standard output: its record, its final state, its lines as a table, or one play."""
    with _looked_into(args.data) as table:
        try:
            text = _exported(table, args.id, args.to)
        except Malformed as fault:
            raise BadUse(fault.reason) from None
    sys.stdout.write(text)
    return FINE


def run_import(args: Namespace) -> int:
    """Take a record into the ledger, all of it or nothing; through the running service when there is one."""
    raw = _read(args.file)
    service = neighbour(args.data)
    if service is not None:
        game_id = service.ask("/api/v1/import", raw, "application/x-ndjson")["game_id"]
    else:
        game_id = _taken_in(args.data, raw)
    print(f"Taken in as game {game_id}.")
    return FINE


def _exported(table: Table, game_id: int, form: str) -> str:
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


@contextmanager
def _looked_into(data: Path) -> Iterator[Table]:
    """Open the ledger in *data* to look into it, beside its owner if need be."""
    path = data / LEDGER
    if not path.is_file():
        raise BadUse(f"there is no ledger in {data} yet")
    try:
        ledger = Ledger.read_only(path)
        try:
            yield Table(ledger, GAMES, time.monotonic, SystemRandom())
        finally:
            ledger.close()
    except LedgerFault as fault:
        raise Failed(str(fault)) from None


def _taken_in(data: Path, raw: bytes) -> int:
    try:
        lines: Iterable[Line] = [line for _, line in read_lines(BytesIO(raw))]
        ledger = Ledger.open(make_folder(data) / LEDGER)
        try:
            table = Table(ledger, GAMES, time.monotonic, SystemRandom())
            return table.import_record(lines, Who("script", "import"))
        finally:
            ledger.close()
    except (RecordFault, ImportFault) as fault:
        raise BadUse(str(fault)) from None
    except LedgerFault as fault:
        raise Failed(str(fault)) from None


def _read(file: str) -> bytes:
    try:
        with record_at(file) as stream:
            return stream.read()
    except OSError as fault:
        raise BadUse(f"{file} cannot be read: {fault.strerror}") from None

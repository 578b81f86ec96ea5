"""Measures the time of a command and of opening a table, with few and with many rows in the ledger; prints JSON.

`one game`: all rows belong to the game on the table. `many games`: the rows
belong to games of 400 lines each, and the last of these games is on the table.
Times are milliseconds on this machine, with each commit written to its disk.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import quantiles

from companion.kernel.fields import Line
from companion.ledger import Ledger
from companion.model.snapshot import Who
from companion.session.commands import Switch, Undo
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.toy import HEADER, Toy

HOST = Who("host", "tablet")
GAMES = {"toy": Toy()}
COMMANDS = 1000
LINES_A_GAME = 400


def record(lines: int) -> Iterator[Line]:
    """Yield a record with *lines* lines."""
    yield HEADER
    for number in range(lines):
        yield {"do": "score", "player": ("red", "blue")[number % 2], "points": 1, "at": number * 1000, "via": "tablet"}


def filled(path: Path, rows: int, lines_a_game: int) -> None:
    """Create a ledger with *rows* rows, whose last game is still on the table."""
    ledger = Ledger.open(path)
    table = Table(LiveGame(ledger, GAMES, time.monotonic, Random(1)))
    game = 0
    for _ in range(max(1, rows // lines_a_game)):
        game = table.importer.import_record(record(min(rows, lines_a_game)), HOST).game
    table.execute(Switch(game), HOST)
    table.close()


def measured(path: Path, rows: int, lines_a_game: int) -> dict[str, float]:
    """Return how long it takes to open such a ledger and to execute commands."""
    filled(path, rows, lines_a_game)
    began = time.perf_counter()
    ledger = Ledger.open(path)
    table = Table(LiveGame(ledger, GAMES, time.monotonic, Random(1)))
    opened = time.perf_counter() - began
    commands, undoings = [], []
    for _ in range(COMMANDS):
        mover = table.snapshot.state.mover
        began = time.perf_counter()
        table.do({"do": "score", "player": mover, "points": 1}, HOST, table.snapshot.version)
        commands.append(time.perf_counter() - began)
    for _ in range(COMMANDS):
        began = time.perf_counter()
        table.execute(Undo(), HOST)
        undoings.append(time.perf_counter() - began)
    began = time.perf_counter()
    table.archive.history()
    history = time.perf_counter() - began
    began = time.perf_counter()
    table.archive.games()
    games = time.perf_counter() - began
    table.close()
    return {
        "rows": ledger.last,
        "open_ms": _ms(opened),
        "command_p50_ms": _ms(quantiles(commands, n=100)[49]),
        "command_p95_ms": _ms(quantiles(commands, n=100)[94]),
        "undo_p50_ms": _ms(quantiles(undoings, n=100)[49]),
        "undo_p95_ms": _ms(quantiles(undoings, n=100)[94]),
        "undo_longest_ms": _ms(max(undoings)),
        "history_ms": _ms(history),
        "games_ms": _ms(games),
    }


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)


def main() -> None:
    """Measure each kind of ledger, and print the figures."""
    found = {}
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as folder:
        for rows in (1_000, 100_000):
            for name, lines_a_game in (("one game", rows), ("many games", LINES_A_GAME)):
                path = Path(folder) / f"{rows}-{lines_a_game}.db"
                found[f"{name}, {rows} rows"] = measured(path, rows, lines_a_game)
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()

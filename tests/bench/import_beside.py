"""Measures how long commands take while a long record is imported, and how much memory the import needs."""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from companion.app.cli.service import SWITCH_S
from companion.games.registry import GAMES
from companion.ledger import Ledger
from companion.model.snapshot import Who
from companion.records import read_lines
from companion.session.live_game import LiveGame
from companion.session.table import Table

HOST = Who("host", "tablet")
SEATS = [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}, {"colour": "green", "name": "Cem"}]
HEADER = {"record": "table-record", "version": 1, "game": "andromeda", "players": SEATS, "first": "red"}
SET_UP = dict.fromkeys(("p1", "p2", "p3", "p4", "p5", "p6"), 1)
PAUSE_S = 0.05


def begun() -> Iterator[dict[str, Any]]:
    """Yield the lines of a game up to the point where corrections are allowed."""
    yield HEADER
    for seat in SEATS:
        yield {"do": "setup", "player": seat["colour"], "cards": SET_UP}


def record(megabytes: float) -> bytes:
    """Return a record of *megabytes* MB, with the shortest possible lines."""
    lines = [json.dumps(line) for line in begun()]
    size = sum(map(len, lines))
    while size < megabytes * 1e6:
        level = 1 + len(lines) % 4
        lines.append(f'{{"do":"correct","player":"red","reason":"r","ship":{level}}}')
        size += len(lines[-1]) + 1
    return ("\n".join(lines) + "\n").encode()


def resident_mb() -> float:
    """Return the resident memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def measured(folder: Path, megabytes: float) -> dict[str, Any]:
    """Import a record during a game with regular commands, and return the figures."""
    table = Table(LiveGame(Ledger.open(folder / "ledger.sqlite"), GAMES, time.monotonic, Random(1)))
    header, *lines = begun()
    table.open(header, HOST)
    for line in lines:
        table.do(line, HOST)
    raw, took, before = record(megabytes), [], resident_mb()
    began, most = time.monotonic(), before
    taking = Thread(
        target=lambda: table.importer.import_record((line for _, line in read_lines(BytesIO(raw))), HOST).game
    )
    taking.start()
    while taking.is_alive():
        at = time.perf_counter()
        table.do({"do": "correct", "player": "red", "reason": "r", "ship": 1 + len(took) % 4}, HOST)
        took.append(time.perf_counter() - at)
        most = max(most, resident_mb())
        taking.join(PAUSE_S)
    seconds = time.monotonic() - began
    table.close()
    return {
        "record_mb": round(len(raw) / 1e6, 1),
        "lines": raw.count(b"\n"),
        "import_s": round(seconds, 1),
        "commands": len(took),
        "command_p50_ms": round(1000 * median(took), 1),
        "command_max_ms": round(1000 * max(took), 1),
        "memory_before_mb": round(before, 1),
        "memory_grown_mb": round(most - before, 1),
    }


def main() -> None:
    """Print the figures for each size."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("megabytes", type=float, nargs="*", default=[2.0])
    sys.setswitchinterval(SWITCH_S)
    for megabytes in parser.parse_args().megabytes:
        with TemporaryDirectory() as folder:
            print(json.dumps(measured(Path(folder), megabytes)), flush=True)


if __name__ == "__main__":
    main()

"""Measures what checksums cost a commit: the same rows with and without them, by turns, on one disk; prints JSON.

`python -m tests.bench.commits [FOLDER]`. `bare` is SQLite alone (the same row each time, nothing made of it), `without`
the rows as JSON in one transaction, `with` what the ledger does: names, checksums, the newest one beside. A press of a
button makes one row or two, a cube five. Milliseconds on this machine, every commit on its disk; `cpu` is the
processor's time for one commit, which other programs on the machine leave alone.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from statistics import median

from companion.ledger import Kind, Ledger, Row
from companion.ledger.row import COLUMNS
from companion.ledger.storage import connect, transaction

COMMITS = 1500
INSERT = f"INSERT INTO row ({COLUMNS}) VALUES ({', '.join('?' * 15)})"  # noqa: S608 - the columns are ours
Commit = Callable[[Sequence[Row]], object]

LINE = {"line": {"do": "draw", "colour": "red"}, "events": [{"event": "FlewHome", "colour": "blue", "planet": "p3"}]}
RAW = {
    "at_us": 12345678,
    "token": 904568195,
    "raw": ["ref b=0000abcd n=12 t=12345 c=812,1034,455,2210"] * 9,
    "detail": {},
}
JUDGED = {"colour": "red", "ranking": [["red", 0.98], ["blue", 0.02]], "why": "", "unknown": 0.0, "calibration": "7c0f"}
STEP = {"step": "draw", "seats": ["red"], "mark": [2, 7], "limit_ms": 20000, "version": 4711}
BUTTON = ((Kind.LINE, "lay", LINE), (Kind.CLOCK, "started", STEP))
CUBE = (
    *((Kind.RING, "out", RAW), (Kind.JUDGEMENT, "first", JUDGED), (Kind.PASSAGE, "asked", JUDGED)),
    *((Kind.ANSWER, "answered", {"chosen": "red"}), (Kind.LINE, "draw", LINE)),
)


def rows(shape: Sequence[tuple[Kind, str, dict[str, object]]]) -> Iterator[tuple[Row, ...]]:
    """Yield transactions of this shape in a game of their own, numbers running on."""
    numbers = count(2)
    while True:
        made = [
            Row(number, 1, kind, word, "host", "tablet", number * 40, 700, 1_790_000_000_000 + number, body)
            for (kind, word, body), number in zip(shape, numbers, strict=False)
        ]
        yield tuple(replace(row, source=("r", "b", row.id)) if row.kind == Kind.RING else row for row in made)


def opened(path: Path) -> Ledger:
    """Make a ledger with a game in it."""
    ledger = Ledger.open(path)
    players = [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}]
    ledger.append(
        [Row(1, 1, Kind.GAME, "opened", "host", "tablet", 0, 0, 0, {"header": {"players": players}, "rules": "1"})]
    )
    return ledger


def ways(folder: Path) -> dict[str, Commit]:
    """Return the ways to commit, each into a ledger of its own."""
    paths = {name: folder / f"{name}.db" for name in ("bare", "without", "with")}
    ledger = opened(paths["with"])
    for name in ("bare", "without"):
        opened(paths[name]).close()
    bare, without = connect(paths["bare"]), connect(paths["without"])
    fields: list[tuple[object, ...]] = []

    def plainly(transacted: Sequence[Row]) -> None:
        fields[:] = [row.fields() for row in transacted]
        with transaction(without) as ask:
            ask.executemany(INSERT, fields)

    def barely(transacted: Sequence[Row]) -> None:
        with transaction(bare) as ask:
            ask.executemany(INSERT, fields)

    return {"without": plainly, "bare": barely, "with": ledger.append}


def measured(folder: Path, shape: Sequence[tuple[Kind, str, dict[str, object]]]) -> dict[str, dict[str, float]]:
    """Return what each way takes for one transaction of *shape*, by turns."""
    each_way, transactions = ways(folder), rows(shape)
    took: dict[str, list[tuple[float, float]]] = {name: [] for name in each_way}
    for _ in range(COMMITS):
        transacted = next(transactions)
        for name, commit in each_way.items():
            began, cpu = time.perf_counter(), time.thread_time()
            commit(transacted)
            took[name].append((time.perf_counter() - began, time.thread_time() - cpu))
    return {name: _summed(times) for name, times in took.items()}


def _summed(times: list[tuple[float, float]]) -> dict[str, float]:
    return {"p50_ms": _ms(median(wall for wall, _ in times)), "cpu_ms": _ms(median(cpu for _, cpu in times))}


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 4)


def main() -> None:
    """Measure each and print what was found."""
    found: dict[str, object] = {}
    for name, shape in (("button", BUTTON), ("cube", CUBE)):
        with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as folder:
            ways_took = measured(Path(folder), shape)
        more = ways_took["with"]["p50_ms"] / ways_took["without"]["p50_ms"] - 1
        found[name] = {**ways_took, "checksums_cost_percent": round(100 * more, 2)}
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()

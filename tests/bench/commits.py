"""Measures what checksums cost per commit: writes the same rows with and without them to one disk, and prints JSON.

`python -m tests.bench.commits [FOLDER]`. The variants commit alternately, in many short rounds,
and the cost is computed from pairs of consecutive commits: a busy machine slows both. `bare`
is SQLite alone with prepared values, `without` is the rows as JSON in one transaction, `with` is the ledger: names,
checksums, and a file with the newest one. A button makes one or two rows, a cube five. Milliseconds on this machine,
each commit written to its disk; `cpu` is the processor time of one commit, which other programs hardly change. The
percentage is relative to a commit on this disk: checksums cost processor time, which is the same with a slow card.
"""

from __future__ import annotations

import json
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from statistics import median

from companion.ledger import Ledger, Row, RowKind
from companion.ledger.row import COLUMNS
from companion.ledger.storage import connect, frozen, transaction

COMMITS, ROUNDS = 100, 30
AIM_PERCENT = 5.0
INSERT = f"INSERT INTO row ({COLUMNS}) VALUES ({', '.join('?' * 15)})"  # noqa: S608 - the columns are ours
Values = tuple[object, ...]
Commit = Callable[[Sequence[Row], Sequence[Values]], object]
Took = dict[str, list[tuple[float, float]]]
"""Wall and processor seconds of the commits of each variant."""

LINE = {"line": {"do": "draw", "colour": "red"}, "events": [{"event": "FlewHome", "colour": "blue", "planet": "p3"}]}
RAW = {
    "at_us": 12345678,
    "token": 904568195,
    "raw": ["ref b=0000abcd n=12 t=12345 c=812,1034,455,2210"] * 9,
    "detail": {},
}
JUDGED = {"colour": "red", "ranking": [["red", 0.98], ["blue", 0.02]], "why": "", "unknown": 0.0, "calibration": "7c0f"}
STEP = {"step": "draw", "seats": ["red"], "mark": [2, 7], "limit_ms": 20000, "version": 4711}
BUTTON = ((RowKind.LINE, "lay", LINE), (RowKind.CLOCK, "started", STEP))
CUBE = (
    *((RowKind.RING, "out", RAW), (RowKind.JUDGEMENT, "first", JUDGED), (RowKind.PASSAGE, "asked", JUDGED)),
    *((RowKind.ANSWER, "answered", {"chosen": "red"}), (RowKind.LINE, "draw", LINE)),
)


def rows(shape: Sequence[tuple[RowKind, str, dict[str, object]]]) -> Iterator[tuple[Row, ...]]:
    """Yield transactions of this *shape*, as rows of one game with increasing numbers."""
    numbers = count(2)
    while True:
        made = [
            Row(number, 1, kind, word, "host", "tablet", number * 40, 700, 1_790_000_000_000 + number, body)
            for (kind, word, body), number in zip(shape, numbers, strict=False)
        ]
        yield tuple(replace(row, source=("r", "b", row.id)) if row.kind == RowKind.RING else row for row in made)


def opened(path: Path) -> Ledger:
    """Create a ledger with a game in it."""
    ledger = Ledger.open(path)
    players = [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}]
    ledger.append(
        [Row(1, 1, RowKind.GAME, "opened", "host", "tablet", 0, 0, 0, {"header": {"players": players}, "rules": "1"})]
    )
    return ledger


def ways(folder: Path) -> dict[str, Commit]:
    """Return the ways to commit, each with a ledger of its own."""
    paths = {name: folder / f"{name}.db" for name in ("bare", "without", "with")}
    ledger = opened(paths["with"])
    for name in ("bare", "without"):
        opened(paths[name]).close()
    bare, without = connect(paths["bare"]), connect(paths["without"])

    def plainly(transacted: Sequence[Row], values: Sequence[Values]) -> None:
        fields = [row.fields() for row in transacted]
        with transaction(without) as ask:
            ask.executemany(INSERT, fields)

    def barely(transacted: Sequence[Row], values: Sequence[Values]) -> None:
        with transaction(bare) as ask:
            ask.executemany(INSERT, values)

    return {"without": plainly, "bare": barely, "with": lambda transacted, values: ledger.append(transacted)}


def measured(folder: Path, shape: Sequence[tuple[RowKind, str, dict[str, object]]], rounds: int) -> dict[str, object]:
    """Let the variants commit alternately; return how long each takes for *shape*, and the cost of checksums."""
    each_way, transactions = ways(folder), rows(shape)
    all_took: Took = {name: [] for name in each_way}
    added: list[tuple[float, float]] = []
    for _ in range(rounds):
        took = _round(each_way, transactions)
        added.append((_added(took, 0), _added(took, 1)))
        for name, times in took.items():
            all_took[name] += times
    wall, cpu = (sorted(round(100 * each[what], 2) for each in added) for what in (0, 1))
    return {
        **{name: _summed(times) for name, times in all_took.items()},
        "checksums_cost_ms": _ms(_apart(all_took)),
        "checksums_cost_percent": round(median(wall), 2),
        "of_the_rounds_percent": {"quarter": wall[len(wall) // 4], "three_quarters": wall[3 * len(wall) // 4]},
        "checksums_cost_of_the_processors_time_percent": round(median(cpu), 2),
    }


def _round(each_way: Mapping[str, Commit], transactions: Iterator[tuple[Row, ...]]) -> Took:
    took: Took = {name: [] for name in each_way}
    names = list(each_way)
    for _ in range(COMMITS):
        transacted = next(transactions)
        values = [row.fields() for row in transacted]
        for name in names:
            began, cpu = time.perf_counter(), time.thread_time()
            each_way[name](transacted, values)
            took[name].append((time.perf_counter() - began, time.thread_time() - cpu))
        names.append(names.pop(0))  # another one starts each round, since its writes delay the others
    return took


def _added(took: Took, what: int) -> float:
    """Return the cost of checksums, the median over pairs, relative to a commit without them."""
    return _apart(took, what) / median(each[what] for each in took["without"])


def _apart(took: Took, what: int = 0) -> float:
    return median(one[what] - other[what] for one, other in zip(took["with"], took["without"], strict=True))


def _summed(times: list[tuple[float, float]]) -> dict[str, float]:
    return {"p50_ms": _ms(median(wall for wall, _ in times)), "cpu_ms": _ms(median(cpu for _, cpu in times))}


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 4)


def asked_first_ms(path: Path) -> float:
    """Return the time to check whether the file system is writable, which precedes each commit."""
    took = []
    for _ in range(COMMITS):
        began = time.perf_counter()
        frozen(path)
        took.append(time.perf_counter() - began)
    return _ms(median(took))


def main() -> None:
    """Measure each shape, and print the figures."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", help="a folder on the disk to measure")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    args = parser.parse_args()
    found: dict[str, object] = {"bench": "commits", "aim_percent": AIM_PERCENT}
    for name, shape in (("button", BUTTON), ("cube", CUBE)):
        with tempfile.TemporaryDirectory(dir=args.folder) as folder:
            found[name] = measured(Path(folder), shape, args.rounds)
            found["is_it_read_only_ms"] = asked_first_ms(Path(folder))
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()

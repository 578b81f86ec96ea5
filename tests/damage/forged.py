"""`python -m tests.damage.forged`: records with sealed draws, forged on purpose and damaged at random.

`companion verify --seal`, which gets the seal that the table showed, has to detect every forgery: a draw, the seed,
the seal, words, the order or the number of draws changed; the first, a middle and the last draw removed, added or
exchanged; and a complete new record with another seed. For any file, it must print one sentence and end with
status 0, 1 or 2.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

from companion.app.cli.main import main as companion
from companion.games.registry import GAMES
from companion.kernel.fields import Line
from companion.ledger import Ledger
from companion.model.sealed import seal_of
from companion.session.commands import Abandon, AddWords, Undo
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.web.served_house import HOST

Record = list[dict[str, Any]]
Forgery = Callable[[Record], None]
VIRTUAL: Line = {
    "record": "table-record",
    "version": 1,
    "game": "draws",
    "players": [{"colour": "red", "name": "Ana"}],
    "contents": {"red": 9, "blue": 9, "green": 9},
    "virtual": True,
}
MOVES = 260
DAMAGED = 700
OTHER_SEED = "5e" * 32
WRONG: tuple[object, ...] = (None, True, -1, 5, 2.5, 10**30, "", "x", "\ud800", [], {}, [[]], {"x": 1}, "é" * 300)


def honest(folder: Path, moves: int = MOVES) -> list[Record]:
    """Return two records in which the companion drew: an open draw table with words and an undo, and Andromeda."""
    return [_told(folder / "draws", _draws), _told(folder / "andromeda", partial(_andromeda, moves))]


def _told(folder: Path, play: Callable[[Table], None]) -> Record:
    folder.mkdir()
    ledger = Ledger.open(folder / "ledger.sqlite")
    table = Table(LiveGame(ledger, GAMES, lambda: 1000.0, Random(7)))
    try:
        play(table)
        return [dict(line) for line in table.archive.record()]
    finally:
        table.close()


def _draws(table: Table) -> None:
    table.open(VIRTUAL, HOST)
    for number in range(12):
        if number in (4, 8):
            table.execute(AddWords(f"words {number}"), HOST)
        table.do({"do": "draw"}, HOST)
        if number == 6:
            table.execute(Undo("not a draw"), HOST)
            table.do({"do": "draw"}, HOST)
    table.do({"do": "finish"}, HOST)


def _andromeda(moves: int, table: Table) -> None:
    game, lots = GAMES["andromeda"], Random(11)
    assert game.random_play is not None
    header = {**game.random_play.header(3, lots, False), "options": {"virtual_ring": True}}
    table.open({"record": "table-record", "version": 1, "game": "andromeda", **header}, HOST)
    for number in range(moves):
        state = table.snapshot.state
        command = game.by_itself(state, frozenset()) or game.random_play.command(state, lots)
        line = game.line(command)
        table.do({"do": "draw"} if line["do"] == "draw" else line, HOST)
        if number == moves // 2:
            table.execute(AddWords("half way"), HOST)
    table.execute(Abandon("late"), HOST)


# Forgeries


def forgeries() -> dict[str, Forgery]:
    """Return 64 ways to forge a record, by name."""
    found: dict[str, Forgery] = {}
    for where, place in (("first", 0), ("middle", 0.5), ("last", 1)):
        for what, forge in {**LOTS, **DRAWS}.items():
            found[f"{what}, {where}"] = _at_a_draw(place, forge)
        for what in ("seed", "seal"):
            found[f"a digit of the {what}, {where}"] = _digit(what, place)
    return {**found, **HEADER, **VALUES}


def _at_a_draw(place: float, forge: Callable[[Record, int], None]) -> Forgery:
    def forged(record: Record) -> None:
        drawn = [at for at, line in enumerate(record) if line.get("lots") and line["do"] == "draw"]
        forge(record, drawn[round(place * (len(drawn) - 1))])

    return forged


def _neighbour(record: Record, at: int) -> int:
    """Return the nearest other line with a sealed draw."""
    others = [other for other, line in enumerate(record) if line.get("lots") and other != at]
    return min(others, key=lambda other: abs(other - at))


def _lot_colour(record: Record, at: int) -> None:
    lot = record[at]["lots"][-1]
    lot["colour"] = next(colour for colour in (*lot["under"], "plaid") if colour != lot["colour"])


def _counter(record: Record, at: int) -> None:
    record[at]["lots"][-1]["counter"] += 1


def _under(record: Record, at: int) -> None:
    under = record[at]["lots"][-1]["under"]
    under[next(iter(under))] += 1


def _words_of_a_lot(record: Record, at: int) -> None:
    record[at]["lots"][-1]["words"] += 5


def _lot_removed(record: Record, at: int) -> None:
    del record[at]["lots"]


def _lot_added(record: Record, at: int) -> None:
    record[at]["lots"].append(dict(record[at]["lots"][-1]))


def _lots_exchanged(record: Record, at: int) -> None:
    other = _neighbour(record, at)
    record[at]["lots"], record[other]["lots"] = record[other]["lots"], record[at]["lots"]


def _drawn_colour(record: Record, at: int) -> None:
    lot = record[at]["lots"][-1]
    others = [colour for colour in lot["under"] if colour != lot["colour"]]
    record[at]["colour"] = others[0] if others else "plaid"


def _draw_removed(record: Record, at: int) -> None:
    del record[at]


def _draw_added(record: Record, at: int) -> None:
    record.insert(at, deepcopy(record[at]))


def _draws_exchanged(record: Record, at: int) -> None:
    other = _neighbour(record, at)
    record[at], record[other] = record[other], record[at]


def _lot_moved(record: Record, at: int) -> None:
    other = _neighbour(record, at)
    record[other]["lots"] += record[at].pop("lots")


LOTS: Mapping[str, Callable[[Record, int], None]] = {
    "a lot's colour": _lot_colour,
    "a lot's counter": _counter,
    "what lay there": _under,
    "how many words a lot counts": _words_of_a_lot,
    "a lot removed": _lot_removed,
    "a lot added": _lot_added,
    "two lots exchanged": _lots_exchanged,
}
DRAWS: Mapping[str, Callable[[Record, int], None]] = {
    "a draw's colour": _drawn_colour,
    "a draw removed with its lot": _draw_removed,
    "a draw added with its lot": _draw_added,
    "two draws exchanged": _draws_exchanged,
    "a lot told with another draw": _lot_moved,
}


def _digit(what: str, place: float) -> Forgery:
    def forged(record: Record) -> None:
        digits = record[0]["sealed"][what]
        at = round(place * (len(digits) - 1))
        record[0]["sealed"][what] = f"{digits[:at]}{(int(digits[at], 16) + 1) % 16:x}{digits[at + 1 :]}"

    return forged


def _of_the_header(change: Callable[[dict[str, Any]], object]) -> Forgery:
    def forged(record: Record) -> None:
        change(record[0]["sealed"])

    return forged


def _another_seed(record: Record) -> None:
    record[0]["sealed"] |= {"seed": OTHER_SEED, "seal": seal_of(OTHER_SEED)}


def _another_game(record: Record) -> None:
    """Replace the record by another game with another seed, which only the seal that the table showed can reveal."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger.open(Path(folder) / "ledger.sqlite")
        table = Table(LiveGame(ledger, GAMES, lambda: 1000.0, Random(8)))
        _draws(table)
        record[:] = [dict(line) for line in table.archive.record()]
        table.close()


HEADER: Mapping[str, Forgery] = {
    "another seed and its seal": _another_seed,
    "a whole game with another seed": _another_game,
    "words changed": _of_the_header(lambda sealed: sealed["words"].__setitem__(0, "other words")),
    "words removed": _of_the_header(lambda sealed: sealed["words"].pop(0)),
    "words added": _of_the_header(lambda sealed: sealed["words"].insert(0, "more")),
    "one lot fewer": _of_the_header(lambda sealed: sealed.update(drawn=sealed["drawn"] - 1)),
    "one lot more": _of_the_header(lambda sealed: sealed.update(drawn=sealed["drawn"] + 1)),
    "a lot that nobody saw": _of_the_header(
        lambda sealed: sealed.update(lots=[{"counter": 99, "words": 0, "under": {"red": 1}, "colour": "red"}])
    ),
    "no seed": _of_the_header(lambda sealed: sealed.pop("seed")),
    "no seal": _of_the_header(lambda sealed: sealed.pop("seal")),
    "no words": _of_the_header(lambda sealed: sealed.pop("words")),
    "nothing sealed": lambda record: record[0].pop("sealed"),
}


def _value(name: str, value: object) -> Forgery:
    return _at_a_draw(0.5, lambda record, at: record[at].update({name: value}))


VALUES: Mapping[str, Forgery] = {
    "lots is 5": _value("lots", 5),
    "lots is an object": _value("lots", {"counter": 1}),
    "a lot is null": _value("lots", [None]),
    "a lot is empty": _value("lots", [{}]),
    "under is a list": _value("lots", [{"counter": 0, "words": 0, "under": [], "colour": "red"}]),
    "a counter of 1e300": _value("lots", [{"counter": 1e300, "words": 0, "under": {"red": 1}, "colour": "red"}]),
    "sealed is a list": lambda record: record[0].update(sealed=[]),
    "the seed is a number": _of_the_header(lambda sealed: sealed.update(seed=5)),
    "words are a text": _of_the_header(lambda sealed: sealed.update(words="words")),
    "drawn is true": _of_the_header(lambda sealed: sealed.update(drawn=True)),
}


# Damage


def damaged(record: Record, lots: Random) -> bytes:
    """Return a record as text with a random error: a byte, a line, or a value of another type."""
    record = deepcopy(record)
    match lots.randrange(5):
        case 0:
            record.insert(lots.randrange(len(record)), deepcopy(lots.choice(record)))
        case 1:
            del record[lots.randrange(len(record))]
        case 2 | 3:
            _spoilt(lots.choice(record), lots)
        case _:
            text = bytearray(_text(record))
            for _number in range(lots.choice((1, 1, 3, 20))):
                text[lots.randrange(len(text))] = lots.randrange(256)
            return bytes(text)
    return _text(record)


def _spoilt(value: Any, lots: Random) -> None:
    """Replace a random item in *value*, an object or a list, by a wrong value."""
    places = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not places:
        return
    place = lots.choice(places)
    if isinstance(value[place], dict | list) and lots.random() < 0.7:
        _spoilt(value[place], lots)
    else:
        value[place] = deepcopy(lots.choice(WRONG))


def _text(record: Sequence[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in record).encode()


# The trial


@dataclass
class Figures:
    """The results of all files: the number of each exit status, and the faults."""

    statuses: dict[int, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def tried(self, file: Path, seal: str, what: str, noticed: bool) -> None:
        """Verify one file; if *noticed*, the status must not be 0."""
        out, err = StringIO(), StringIO()
        try:
            with redirect_stdout(out), redirect_stderr(err):
                status = companion(["verify", str(file), "--seal", seal])
        except Exception as fault:  # any exception is a fault to report
            self.faults.append(f"{what}: {fault!r}")
            return
        self.statuses[status] = self.statuses.get(status, 0) + 1
        sentences = err.getvalue().splitlines() if status == 2 else out.getvalue().splitlines()[-1:]
        if status not in (0, 1, 2) or len(sentences) != 1 or (status == 2 and out.getvalue()):
            self.faults.append(f"{what}: status {status} says {sentences}")
        if noticed and status == 0:
            self.faults.append(f"{what}: not noticed")


def tried(folder: Path, number: int, seed: int, moves: int = MOVES) -> Figures:
    """Verify all forgeries of two records and *number* damaged records; the game of Andromeda has *moves* lines."""
    figures, lots = Figures(), Random(seed)
    file = folder / "record.jsonl"
    records = honest(folder, moves)
    for record in records:
        seal = record[0]["sealed"]["seal"]
        for what, forge in forgeries().items():
            forged = deepcopy(record)
            forge(forged)
            file.write_bytes(_text(forged))
            figures.tried(file, seal, f"{record[0]['game']}: {what}", noticed=True)
    for at in range(number):
        record = lots.choice(records)
        file.write_bytes(damaged(record, lots))
        figures.tried(file, record[0]["sealed"]["seal"], f"damaged {at}", noticed=False)
    return figures


def lines(figures: Figures, seconds: float) -> Iterator[str]:
    """Yield the lines of the report."""
    told = {"forged": 2 * len(forgeries()), "statuses": figures.statuses, "faults": len(figures.faults)}
    yield json.dumps({**told, "seconds": round(seconds, 1)})
    yield from figures.faults[:20]


def main() -> int:
    """Run all trials; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.damage.forged", description=__doc__)
    parser.add_argument("--damaged", type=int, default=DAMAGED)
    parser.add_argument("--seed", type=int, default=1)
    asked, began = parser.parse_args(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="forged-") as folder:
        figures = tried(Path(folder), asked.damaged, asked.seed)
    print(*lines(figures, time.monotonic() - began), sep="\n", flush=True)
    return 1 if figures.faults else 0


if __name__ == "__main__":
    sys.exit(main())

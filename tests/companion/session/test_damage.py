"""Damage: a damaged row is named in a sentence, and all other games can be played."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from companion.games.registry import GAMES
from companion.kernel.errors import Malformed
from companion.ledger import Ledger
from companion.session.live_game import LiveGame
from companion.session.repository import Repository
from companion.session.table import Table
from tests.companion.ledger.damage import rechained
from tests.generations.opened import unpacked

HOW = ("gone", "renamed", "wrong")
COLUMNS = ("kind", "word", "who", "via", "at_ms", "step_ms", "wall_ms", "game", "ring", "undoes", "seq", "device")
SPOILT: dict[str, tuple[object, ...]] = {
    **dict.fromkeys(COLUMNS, ("x", -7, None, b"\xff")),
    "body": ("", "{", "[1]", "7", '{"a": NaN}', "[" * 3000, b"\xff", b'{"x": "\xed\xa0\x80"}'),
}
WRONG: tuple[Any, ...] = (None, True, -7, "x", [], {}, ["x"], {"x": 1}, 1e9)
Row = dict[str, Any]


class Card:
    """A ledger whose rows can be damaged while their checksums remain valid, so only their content shows the damage."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._there = sqlite3.connect(path, isolation_level=None)
        self._there.row_factory = sqlite3.Row
        for line in ("DROP TRIGGER row_stays", "PRAGMA ignore_check_constraints = 1", "PRAGMA synchronous = 0"):
            self._there.execute(line)

    def rows(self, chosen: str = "1") -> list[Row]:
        """Return the rows that match the SQL condition *chosen*."""
        return [dict(row) for row in self._there.execute(f"SELECT * FROM row WHERE {chosen} ORDER BY id")]  # noqa: S608

    def damage(self, row: int, column: str, value: object) -> bool:
        """Write *value* into a column; return False if the database refuses it."""
        try:
            self._there.execute(f"UPDATE row SET {column} = ? WHERE id = ?", (value, row))  # noqa: S608
        except sqlite3.IntegrityError:
            return False
        rechained(self._there)
        return True

    def table(self) -> Table:
        """Open a table on this ledger for reading only."""
        return Table(LiveGame(Ledger.read_only(self.path), GAMES, lambda: 1.0, Random(1)))

    def game(self, word: str) -> int:
        """Return the number of the game that has a row with this *word*."""
        return int(self.rows(f"word = '{word}'")[-1]["game"])

    def close(self) -> None:
        """Close the database."""
        self._there.close()


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with every kind of row: five games, the live one with an open question."""
    path = unpacked("five-games", tmp_path_factory.mktemp("first")) / "data" / "ledger.sqlite"
    Ledger.open(path).close()
    return path


@pytest.fixture
def card(ledger: Path, tmp_path: Path) -> Iterator[Card]:
    """A card with a copy of that ledger."""
    with closing(Card(Path(shutil.copy(ledger, tmp_path)))) as card:
        yield card


def paths(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to each field of a body; for a list, only to its first item."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield (*path, name)
            yield from paths(part, (*path, name))
    if isinstance(value, list) and value:
        yield (*path, 0)
        yield from paths(value[0], (*path, 0))


def shuffled(ways: Iterator[tuple[Any, ...]], lots: Random) -> list[tuple[Any, ...]]:
    """Return *ways* in random order."""
    found = list(ways)
    return lots.sample(found, len(found))


def hurt(body: str, path: tuple[Any, ...], how: str, lots: Random) -> str:
    """Return *body* with the field at *path* removed, renamed or changed to another type."""
    found = json.loads(body)
    inner = found
    for name in path[:-1]:
        inner = inner[name]
    value = inner.pop(path[-1])
    if how == "renamed" and isinstance(inner, dict):
        inner[f"{path[-1]}x"] = value
    elif how == "wrong":
        other = lots.choice([each for each in WRONG if type(each) is not type(value)])
        if isinstance(inner, dict):
            inner[path[-1]] = other
        else:
            inner.insert(path[-1], other)
    return json.dumps(found)


def seen(card: Card, game: int | None) -> None:
    """Open a table, list its games and read one; any exception except Malformed fails the test."""
    table = card.table()
    table.archive.games()
    table.archive.spells()
    for ask in (table.archive.final, table.archive.transcript_lines, lambda number: list(table.archive.record(number))):
        refused(partial(ask, game or 0))
    table.close()


def refused(ask: Callable[[], object]) -> None:
    """Call *ask*, and ignore Malformed."""
    with suppress(Malformed):
        ask()


def kinds(card: Card) -> list[Row]:
    """Return one row of each kind and word, and of each kind of event, from the shortest games."""
    found: dict[tuple[str, ...], Row] = {}
    sizes = Counter(row["game"] for row in card.rows())
    for row in sorted(card.rows(), key=lambda row: (sizes[row["game"]], row["id"])):
        events = json.loads(row["body"]).get("events", ())
        for name in {row["word"], *(each["event"] for each in events)}:
            found.setdefault((row["kind"], name), row)
    return sorted({row["id"]: row for row in found.values()}.values(), key=lambda row: row["id"])


def parts(count: int) -> list[int | ParameterSet]:
    """Return the numbers of *count* parts; only part 0 runs in a short test."""
    return [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, count))]


@pytest.mark.parametrize("part", parts(6))
def test_no_field_of_a_body_can_end_the_evening(card: Card, part: int, request: pytest.FixtureRequest) -> None:
    """Damage: removing, renaming or changing the type of any field of a body raises at most Malformed."""
    lots, most = Random(part), None if request.config.getoption("long") else 2
    with closing(Ledger.read_only(card.path)) as ledger:
        shelf = Repository(ledger, GAMES, lots)
        for row in kinds(card)[part::6]:
            for path in shuffled(paths(json.loads(row["body"])), lots)[:most]:
                how = lots.choice(HOW)
                assert card.damage(row["id"], "body", hurt(row["body"], path, how, lots))
                refused(partial(shelf.take_up, row["game"] or 0))
            seen(card, row["game"])
            card.damage(row["id"], "body", row["body"])


@pytest.mark.parametrize("part", parts(4))
def test_no_column_can_end_the_evening(card: Card, part: int, request: pytest.FixtureRequest) -> None:
    """Damage: wrong values in any column, or a body that is not JSON, raise at most Malformed."""
    lots, most = Random(part), len(SPOILT) if request.config.getoption("long") else 1
    for row in kinds(card)[part::4]:
        for column in lots.sample(sorted(SPOILT), most):
            card.damage(row["id"], column, lots.choice(SPOILT[column]))
            seen(card, row["game"])
            card.damage(row["id"], column, row[column])


@pytest.mark.parametrize(
    ("chosen", "column", "value", "why"),
    [
        ("kind = 'moment' AND word = 'abandoned'", "body", "{}", "reason is missing"),
        ("kind = 'line' AND word = 'deal'", "word", "dial", "line.do must be one of dial, not 'deal'"),
        ("kind = 'moment' AND word = 'left'", "word", "lfet", "a row of kind moment has no word 'lfet'"),
        ("kind = 'line' AND word = 'deal'", "kind", "lime", "there's no kind of row called 'lime'"),
        ("kind = 'clock' AND word = 'started'", "body", '{"step":', "body isn't JSON"),
        ("kind = 'moment' AND word = 'returned'", "body", b"{\xff}", "body holds the wrong kind of value"),
        ("kind = 'moment' AND word = 'returned'", "at_ms", "late", "at_ms holds the wrong kind of value"),
        ("kind = 'game'", "body", '{"header": {}}', "rules is missing"),
    ],
)
def test_what_is_damaged_is_named_by_its_row(card: Card, chosen: str, column: str, value: object, why: str) -> None:
    """Damage: a sentence names the row and the reason, and the other games can still be read."""
    game, others = card.game("abandoned"), {row["game"] for row in card.rows("game > 0")}
    row = card.rows(f"{chosen} AND game = {game}")[0]
    assert card.damage(row["id"], column, value)

    table = card.table()
    (said,) = table.archive.amiss()

    assert f"row {row['id']} of the ledger can't be read: " in said
    assert why in said
    with pytest.raises(Malformed, match=f"row {row['id']} "):
        table.archive.final(game)
    assert {each.id for each in table.archive.games()} == others
    assert table.archive.final(min(others - {game}))["game"] == "andromeda"
    table.close()


def test_an_event_that_cannot_follow_is_damage(card: Card) -> None:
    """Damage: a valid event that cannot follow the events before it is reported as damage."""
    passed = f"kind = 'line' AND body LIKE '%TransportPassed%' AND game = {card.game('abandoned')}"
    row = card.rows(passed)[0]
    card.damage(row["id"], "body", row["body"].replace("TransportPassed", "SetTaken"))

    table = card.table()
    (said,) = table.archive.amiss()

    table.close()
    assert "SetTaken can't happen there" in said


def test_a_damaged_copy_is_left_out_and_told(card: Card) -> None:
    """Damage: an unreadable copy of a game is left out, and a notice names its row."""
    (row,) = card.rows("kind = 'copy' AND word = 'kept'")
    card.damage(row["id"], "body", row["body"].replace("colours", "colors"))

    table = card.table()

    assert table.archive.copies() == ()
    assert [f"row {row['id']} " in notice.text for notice in table.snapshot.notices if notice.kind == "damaged"] == [
        True
    ]
    table.close()

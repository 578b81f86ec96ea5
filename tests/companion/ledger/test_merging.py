"""Merging: the games of several ledgers come into one ledger, each row once, in any order of merging."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

from companion.ledger import Ledger, Merged, canonical, merge, verify
from companion.ledger.growing_merger import Merger
from companion.model.boxes import Copy
from companion.model.snapshot import MISREAD, Who
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from tests.companion.live_table import HOST, LiveTable
from tests.effort import seeds


@pytest.fixture
def houses(tmp_path: Path):
    """A function that makes tables, each with a ledger of its own."""
    return lambda name: LiveTable(tmp_path / f"{name}.sqlite")


def copied(table: LiveTable, name: str) -> LiveTable:
    """Return a table that continues from a copy of another table's ledger."""
    table.ledger.close()
    shutil.copy(table.path, table.path.with_name(f"{name}.sqlite"))
    table.sit_down()
    return LiveTable(table.path.with_name(f"{name}.sqlite"), seq=table.seq)


def laid_in(into: LiveTable, other: LiveTable) -> Merged:
    """Close both ledgers, merge one into the other with the command, and open them again."""
    into.ledger.close()
    other.ledger.close()
    own, reading = Ledger.open(into.path), Ledger.read_only(other.path)
    try:
        return merge(own, reading, reading.last)
    finally:
        own.close()
        reading.close()
        into.sit_down()
        other.sit_down()


def told(table: LiveTable) -> str:
    """Return the canonical export of a table's ledger."""
    return canonical(table.ledger)


def test_a_game_from_elsewhere_is_played_to_the_same_state(houses):
    """Merging: a game with draws, undone draws and answers has the same record after a merge."""
    one, other = houses("one").open().score(), houses("other").open().dig().slide("blue").undo(MISREAD)
    other.slide("red")
    record = list(other.table.archive.record())

    assert laid_in(one, other) == Merged(games=1)
    newest = one.table.archive.games()[0].id
    assert list(one.table.archive.record(newest)) == record
    assert not verify(one.path).findings


def test_nothing_comes_twice(houses):
    """Merging the same ledger a second time adds nothing."""
    one, other = houses("one").open().score(), houses("other").open().score(3)
    laid_in(one, other)
    before = told(one)

    assert laid_in(one, other) == Merged()
    assert told(one) == before


def test_the_order_does_not_matter(houses):
    """Merging: ledgers merged in another order give the same content."""
    tables = [houses(name).open().score(points) for points, name in enumerate("abc", 1)]
    sums = [houses(name) for name in "xy"]
    for into, order in zip(sums, (tables, tables[::-1]), strict=True):
        for table in order:
            laid_in(into, table)

    assert told(sums[0]) == told(sums[1])


def test_a_game_that_went_on_elsewhere_goes_on_here(houses):
    """Merging: if both ledgers contain a game, the longer copy is kept and the game appears only once."""
    one = houses("one").open().score()
    other = copied(one, "other").score(2).dig()

    assert laid_in(one, other) == Merged(longer=1)
    assert told(one) == told(other)
    assert len(one.table.archive.games()) == 1


def test_an_older_copy_brings_nothing(houses):
    """Merging: an older backup of the same ledger changes nothing."""
    one = houses("one").open().score()
    backup = copied(one, "backup")
    one.score(5)

    assert laid_in(one, backup) == Merged()


def test_what_went_two_ways_is_kept_both_ways(houses):
    """Merging: a game that was continued in two ledgers becomes two games, whichever ledger is merged first."""
    one = houses("one").open().dig(3).slide("blue")
    other = copied(one, "other")
    one.slide("red")
    other.slide("green")
    sums = houses("x"), houses("y")
    for into, order in zip(sums, ((one, other), (other, one)), strict=True):
        for table in order:
            laid_in(into, table)

    assert told(sums[0]) == told(sums[1])
    assert len(sums[0].table.archive.games()) == 2
    assert not verify(sums[0].path).findings


def test_the_game_on_the_table_stays_there(houses):
    """Merging: the live game does not change, even if a merged game began later."""
    one, other = houses("one").open().score(), houses("other").open().score(3)
    game = one.snapshot.game_id
    laid_in(one, other)

    assert one.snapshot.game_id == game


def test_copies_and_calibrations_come_along_and_the_own_ones_stay_the_newest(houses):
    """Merging: boxed copies of a game from another ledger are merged, and count as older than the ledger's own."""
    one, other = houses("one"), houses("other")
    for table, name in ((one, "ours"), (other, "theirs")):
        table.open()
        table.table.save_copy(Copy(name, "toy", None, {"red": "red", "blue": "blue"}), HOST)

    assert laid_in(one, other).asides >= 1
    assert [copy.name for copy in one.table.archive.copies()] == ["ours", "theirs"]


def practice(table: LiveTable, seq: int) -> None:
    """Report a cube that leaves the ring while there is no game."""
    judgement = Judgement("red", (("red", 1.0),))
    table.table.heard(RingEvent(table.path.stem, "boot", seq, 100, RingEventKind.OUT, judgement=judgement))


def test_events_of_rings_outside_games_come_once_in_any_order(houses):
    """Merging: ring events outside games and their judgements are merged once, in any order of merging."""
    tables = [houses(name) for name in "abc"]
    for many, table in enumerate(tables, 1):
        for seq in range(many):
            practice(table, seq + 1)
    sums = [houses(name) for name in "xy"]
    for into, order in zip(sums, (tables, tables[::-1]), strict=True):
        for table in (*order, *order):
            laid_in(into, table)

    assert told(sums[0]) == told(sums[1])
    assert len(sums[0].rows("judgement")) == 6


@pytest.mark.parametrize("seed", seeds(3))
def test_ledgers_that_grow_are_followed(houses, seed):
    """Merging: merging rows as ledgers grow gives the same as merging whole ledgers, even after forks and restarts."""
    lots = Random(seed)
    tables = [houses(name).open(bag={"red": 9, "blue": 9, "green": 9}) for name in "abc"]
    tables[0].score()
    tables.append(copied(tables[0], "fork"))
    club = houses("club").ledger
    merger, seen = Merger(club), dict.fromkeys(range(len(tables)), 0)
    for step in range(40):
        number = lots.randrange(len(tables))
        table = tables[number]
        deed = lots.choice(("score", "dig", "open", "undo", "practice"))
        if deed == "score":
            table.score(lots.randint(1, 9))
        elif deed == "dig":
            table.dig(1).slide(lots.choice(["red", "blue"]))
        elif deed == "open":
            table.open(bag={"red": 9, "blue": 9, "green": 9})
        elif deed == "undo":
            table.score().undo()
        else:
            practice(table, 1000 + step)
        if lots.random() < 0.1:
            merger = Merger(club)
        if lots.random() < 0.6:
            merger.merge(number, table.ledger, seen[number])
            seen[number] = table.ledger.last
    for number, table in enumerate(tables):
        merger.merge(number, table.ledger, lots.choice([0, seen[number]]))
    whole = houses("whole")
    for table in tables:
        laid_in(whole, table)

    assert canonical(club) == told(whole)


@pytest.mark.parametrize("seed", seeds(4))
def test_any_split_of_an_evening_comes_together_again(houses, seed):
    """Merging: ledgers with different parts of the same games, merged in any order, give the complete ledger."""
    lots = Random(seed)
    whole = houses("whole")
    parts = []
    for number in range(6):
        whole.open().score(1 + number)
        if lots.random() < 0.5:
            whole.score(7)
        if lots.random() < 0.6:
            parts.append(copied(whole, f"part{number}"))
    parts.append(copied(whole, "last"))
    lots.shuffle(parts)
    into = houses("into")
    for part in [*parts, *parts[:1]]:
        laid_in(into, part)

    assert told(into) == told(whole)


def test_a_record_and_the_game_it_is_of_are_one(tmp_path: Path) -> None:
    """Merging: a game and its imported record count as the same game, whichever ledger is merged into the other."""
    one, other = LiveTable(tmp_path / "one.sqlite"), LiveTable(tmp_path / "other.sqlite")
    one.open().score(2).score(3).undo("misread")
    other.table.importer.import_record(one.table.archive.exported(), Who("host", "import"))
    for house in (one, other):
        house.ledger.close()

    for into, source in (("one", "other"), ("other", "one")):
        ledger, theirs = Ledger.open(tmp_path / f"{into}.sqlite"), Ledger.read_only(tmp_path / f"{source}.sqlite")
        assert merge(ledger, theirs, theirs.last) == Merged()
        assert ledger.game_count == 1
        theirs.close()
        ledger.close()

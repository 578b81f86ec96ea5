"""One ledger for all games: records of every game are imported, and four live games take turns at the table."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from companion.games.registry import GAMES
from companion.kernel.fields import Line
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot, Who
from companion.records import read_lines, replay
from companion.session.commands import Switch
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.ledgers import open_ledger

HOST, IMPORT = Who("host", "tablet"), Who("script", "import")
RECORDS = Path(__file__).parents[1] / "games"
SHORTEST = {
    name: min((RECORDS / name / "records").glob("*.jsonl"), key=lambda path: path.stat().st_size) for name in GAMES
}
"""The path of the shortest record of each game."""
BEGUN = {"andromeda": 5, "draws": 3, "hanse": 9, "wreck": 4}
"""The number of lines after which a player must act; a draw table has no clock."""


@pytest.fixture
def clock() -> SimpleNamespace:
    """A fake clock."""
    return SimpleNamespace(now=1000.0)


@pytest.fixture
def table(tmp_path: Path, clock: SimpleNamespace) -> Table:
    """A table with all games."""
    return Table(LiveGame(open_ledger(tmp_path / "ledger"), GAMES, lambda: clock.now, Random(1)))


def lines_of(name: str) -> list[Line]:
    """Return the lines of the shortest record of a game."""
    with SHORTEST[name].open("rb") as stream:
        return [line for _, line in read_lines(stream)]


def test_a_record_of_every_game_comes_into_one_ledger(table: Table) -> None:
    """Import: each record becomes a game of its own, with the same state as its replay."""
    numbers = {name: table.importer.import_record(lines_of(name), IMPORT).game for name in GAMES}

    assert [entry.name for entry in sorted(table.archive.games(), key=lambda entry: entry.id)] == list(numbers)
    for name, number in numbers.items():
        table.execute(Switch(number), HOST)
        played = replay(GAMES, enumerate(table.archive.record(number), 1))
        views = [GAMES[name].view(state, Viewer(owner=True)) for state in (played.state, table.snapshot.state)]
        assert views[0] == views[1]


def left_at(snapshot: Snapshot, now: float) -> tuple[object, ...]:
    """Return what must not change: the state, the step, its time, and each player's remaining time."""
    timing = snapshot.timing
    if timing is None:
        return snapshot.state, snapshot.step, None
    since = round(1000 * (now - snapshot.as_of)) if timing.running else 0
    banks = {bank.seat: bank.left_ms - since * bank.waits for bank in timing.banks}
    return snapshot.state, snapshot.step, (timing.name, timing.spent_ms + since, banks)


def _at_the_table(table: Table) -> int:
    number = table.snapshot.game_id
    assert number is not None
    return number


def test_four_games_take_turns_each_with_its_clock_as_it_was_left(table: Table, clock: SimpleNamespace) -> None:
    """Switch: a game that becomes live again continues with the same state and clock."""
    left: dict[int, tuple[object, ...]] = {}
    for seconds, (name, count) in enumerate(BEGUN.items(), 3):
        header, *lines = lines_of(name)
        table.open(header, HOST)
        for line in lines[:count]:
            table.do(line, HOST)
        clock.now += seconds
        left[_at_the_table(table)] = left_at(table.snapshot, clock.now)
    assert [found[1] is None for found in left.values()] == [name == "draws" for name in BEGUN]

    first, second, third, fourth = left
    for number in (first, fourth, second, third, first):
        table.execute(Switch(number), HOST)

        assert left_at(table.snapshot, clock.now) == left[number]
        clock.now += 100
        left[number] = left_at(table.snapshot, clock.now)

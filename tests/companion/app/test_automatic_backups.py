"""Automatic backups: when they are made, which of them are kept, and that a restored one continues the game."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from threading import Event

import pytest

from companion.app.automatic_backups import NEWEST, AutomaticBackups, Backup, retained, start_backups
from companion.app.ledger_aside import newest_backup
from companion.app.newest_copies import newest_first
from companion.kernel.supervisor import Supervisor
from companion.ledger import Ledger, newest_row, verify
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.live_table import LiveTable
from tests.companion.toy import Toy
from tests.effort import seeds

DAY = datetime(2026, 11, 1, 20, tzinfo=UTC)
PLENTY = 10**12


def nights(number: int, size: int = 100) -> list[Backup]:
    """Return two backups per evening, for *number* evenings."""
    dates = [DAY - timedelta(days=day, hours=hours) for day in range(number) for hours in (0, 2)]
    return [Backup(Path(f"{date:%Y%m%d%H}"), date, size) for date in dates]


class Folder:
    """A data folder with a game in it."""

    def __init__(self, path: Path) -> None:
        path.mkdir()
        self.live = LiveTable(path / "ledger.sqlite").open().score()
        self.time, self.free, self.said = 1_790_000_000.0, PLENTY, list[str]()
        self.backups = AutomaticBackups(path, self.said.append, lambda: self.time, lambda folder: self.free)

    def later(self, seconds: float = 3600) -> Path | None:
        """Add a line to the game, and make a backup *seconds* later."""
        self.time += seconds
        self.live.score()
        return self.backups.make()


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A data folder with a fake clock and a fake amount of free space."""
    return Folder(tmp_path / "data")


def test_the_older_backups_are_the_fewer_stay() -> None:
    """The older backups are, the fewer are kept (one per day, week, month or year), but always the newest three."""
    stay = retained(nights(800), PLENTY)

    assert len(stay) < 30
    assert [backup.made for backup in stay[:3]] == [DAY, DAY - timedelta(hours=2), DAY - timedelta(days=1)]
    assert any(backup.made.year == 2024 for backup in stay)


def test_together_they_keep_to_their_room() -> None:
    """Backups: if space is short, the oldest are deleted first, and the newest one is always kept."""
    assert sum(backup.size for backup in retained(nights(60), room=450)) <= 450
    assert [backup.made for backup in retained(nights(60), room=1)] == [DAY]


@pytest.mark.parametrize("seed", seeds(5))
def test_a_backup_that_stays_today_is_not_missed_tomorrow(seed: int) -> None:
    """Backups: thinning a second time deletes nothing more."""
    lots = Random(seed)
    some = lots.sample(nights(400), 120)

    assert retained(retained(some, PLENTY), PLENTY) == retained(some, PLENTY)


def test_a_backup_is_a_whole_ledger_in_which_the_game_goes_on(folder: Folder, tmp_path: Path) -> None:
    """Backups: a restored backup has the state that the game had at that time."""
    path = folder.later()
    assert path is not None
    state = folder.live.snapshot.state

    assert not verify(path).findings
    path.rename(tmp_path / "restored.sqlite")
    ledger = Ledger.open(tmp_path / "restored.sqlite")
    assert Table(LiveGame(ledger, {"toy": Toy()}, lambda: 0.0, Random(1))).snapshot.state == state
    ledger.close()


def test_nothing_new_makes_no_backup(folder: Folder) -> None:
    """Backups: if the newest backup has every row, no other one is made."""
    assert folder.later() is not None
    assert folder.backups.make() is None
    assert len(folder.backups.all()) == 1


def test_a_ledger_without_a_row_makes_none(tmp_path: Path) -> None:
    """Backups: for a ledger without rows, neither a backup nor its folder is made."""
    Ledger.open(tmp_path / "ledger.sqlite").close()

    assert AutomaticBackups(tmp_path, print).make() is None
    assert not (tmp_path / "backups").exists()


def test_a_card_without_room_is_said_and_play_goes_on(folder: Folder) -> None:
    """Backups take at most a tenth of the free space; without space, one message says so."""
    folder.free = 1000

    assert folder.later() is None
    assert "no room for a backup" in folder.said[0]


def test_only_its_own_are_thinned(folder: Folder) -> None:
    """Backups: thinning never deletes a file that the companion did not make."""
    folder.later()
    other = folder.backups.all()[0].path.with_name("before-0.1.0-20240101-000000.sqlite")
    other.write_bytes(b"kept")
    for _ in range(16):
        folder.later(86_400)

    assert other.exists()
    assert len(folder.backups.all()) < 12


def test_one_is_made_at_the_start_and_one_when_a_game_is_over(folder: Folder) -> None:
    """A backup is made at the start of the service, and another at the end of a game."""
    made: list[Event] = [Event(), Event()]

    class Told(AutomaticBackups):
        def make(self) -> Path | None:
            folder.time += 60
            path = super().make()
            next(event for event in made if not event.is_set()).set()
            return path

    told = Told(folder.live.path.parent, folder.said.append, lambda: folder.time, lambda path: PLENTY)
    end = start_backups(folder.live.table, told, Supervisor())
    try:
        assert made[0].wait(20)
        folder.live.open(goal=1).score(5)
        assert made[1].wait(20)
    finally:
        end()
    assert len(told.all()) == 2
    assert not folder.said


def test_a_clock_that_goes_back_costs_no_backup(folder: Folder) -> None:
    """Backups: if the clock is reset each night, the backups with the newest rows are still kept."""
    began = folder.time
    made = list[Path | None]()
    for _ in range(12):
        folder.time = began
        made.append(folder.later(seconds=60))

    found = folder.backups.all()
    assert found[0].path == made[-1]
    assert newest_row(found[0].path) == newest_row(folder.live.path)
    assert [backup.path for backup in found[:NEWEST]] == [path for path in reversed(made) if path is not None][:NEWEST]


def test_a_clock_that_was_far_ahead_once_costs_no_backup(folder: Folder) -> None:
    """Backups: a backup with a later date but fewer rows counts as older, and is thinned accordingly."""
    ahead = [folder.later(seconds=400 * 86_400) for _ in range(3)]
    folder.time -= 1500 * 86_400

    behind = [folder.later(seconds=3600) for _ in range(4)]

    found = [backup.path for backup in folder.backups.all()]
    assert found[:NEWEST] == behind[:0:-1]
    assert set(ahead) & set(found)  # each is the only backup of its year


def test_a_backup_after_a_restore_is_newer_than_those_of_the_line_that_was_left(folder: Folder) -> None:
    """After a restore, a new backup counts as the newest, even if earlier backups have more rows."""
    first = folder.later()
    assert first is not None
    taken_back = first.read_bytes()
    left = [folder.later() for _ in range(4)]
    folder.live.table.close()
    for part in ("", "-wal", "-shm", ".newest"):
        folder.live.path.with_name(folder.live.path.name + part).unlink(missing_ok=True)
    folder.live.path.write_bytes(taken_back)
    folder.live.restart()

    made = folder.later()

    found = [backup.path for backup in folder.backups.all()]
    assert found[:2] == [made, left[-1]]
    assert folder.backups.make() is None


def test_the_newest_copy_is_the_one_with_most_rows(folder: Folder, tmp_path: Path) -> None:
    """Copies are ordered by their rows, not by file dates, and an unreadable copy counts as the oldest."""
    made = [path for path in (folder.later() for _ in range(3)) if path is not None]
    for age, path in enumerate(made):
        os.utime(path, (10_000 - age, 10_000 - age))
    torn = tmp_path / "torn.sqlite"
    torn.write_bytes(made[-1].read_bytes()[:5000])

    assert newest_first(folder.live.path, [torn, *made]) == [*reversed(made), torn]
    assert newest_backup(folder.live.path.parent) == made[-1]

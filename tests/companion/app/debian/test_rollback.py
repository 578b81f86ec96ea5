"""`companion rollback` installs the previous version, and restores a backup if that version can't read the ledger."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from companion.app.debian.package import Package
from companion.app.debian.rollback import rollback
from companion.app.exit_codes import Failed
from tests.companion.app.debian.fake_computer import Computer, package_file

NEW = Package("ring-companion", "1.2", "arm64", "3.13", 2)


def nobody_plays() -> bool:
    """Report that no game is being played."""
    return False


def ledger(path: Path, version: int, rows: int, games: int = 1) -> Path:
    """Make a ledger with schema *version* and *rows* rows, of which *games* begin a game."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, kind TEXT, wall_ms INTEGER)")
    kinds = [("game" if number < games else "line",) for number in range(rows)]
    connection.executemany("INSERT INTO row (kind, wall_ms) VALUES (?, 1700000000000)", kinds)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.commit()
    connection.close()
    return path


class House:
    """A computer that was updated from 1.1 to 1.2, with its data folder and saved packages."""

    def __init__(self, folder: Path) -> None:
        self.computer, self.data, self.kept = Computer(NEW), folder / "data", folder / "kept"
        self.offers: list[str] = []
        self.agrees = True
        self.data.mkdir()
        package_file(self.kept, "1.1", ledger=1)
        package_file(self.kept, "1.2", ledger=2)

    def roll_back(self, playing: bool = False) -> list[str]:
        """Roll back, and return the printed lines."""
        return list(rollback(self.data, self.computer, lambda: playing, self._agreed, self.kept))

    def _agreed(self, offer: str) -> bool:
        self.offers.append(offer)
        return self.agrees


@pytest.fixture
def house(tmp_path: Path) -> House:
    """An updated computer."""
    return House(tmp_path)


def test_a_ledger_that_the_older_program_reads_is_played_on(house: House) -> None:
    """Rollback: if the older program can read the ledger, the ledger is not replaced and nothing is asked."""
    ledger(house.data / "ledger.sqlite", 1, rows=9)

    texts = house.roll_back()

    assert house.computer.did == ["install ring-companion_1.1_arm64.deb"]
    assert (texts, house.offers) == (["The companion is 1.1 again, after 1.2.", "Its service answers."], [])


def test_a_newer_ledger_is_set_aside_for_the_newest_backup_that_it_reads(house: House) -> None:
    """Rollback: if the ledger is too new, the newest readable backup replaces it, and missing games are counted."""
    ledger(house.data / "ledger.sqlite", 2, rows=30, games=3)
    old = ledger(house.data / "backups" / "old.sqlite", 1, rows=5)
    newest = ledger(house.data / "backups" / "newest.sqlite", 1, rows=9, games=2)
    ledger(house.data / "backups" / "too-new.sqlite", 2, rows=20)
    os.utime(old, (1, 1))
    os.utime(newest, (2, 2))

    texts = house.roll_back()

    assert "1 game and 21 rows from later would be missing" in house.offers[0]
    assert house.computer.did == ["stop", "restore newest.sqlite", "install ring-companion_1.1_arm64.deb"]
    assert "ledger-aside.sqlite" in texts[0]


def test_a_backup_that_nobody_agrees_to_changes_nothing(house: House) -> None:
    """Rollback: if the user declines the backup, nothing changes."""
    house.agrees = False
    ledger(house.data / "ledger.sqlite", 2, rows=30)
    ledger(house.data / "backups" / "a.sqlite", 1, rows=9)

    with pytest.raises(Failed, match="nothing changed"):
        house.roll_back()

    assert house.computer.did == []


def test_without_a_backup_that_it_reads_nothing_is_changed(house: House) -> None:
    """Rollback: without an intact backup that the older program can read, nothing changes."""
    ledger(house.data / "ledger.sqlite", 2, rows=30)
    (house.data / "backups").mkdir()
    (house.data / "backups" / "torn.sqlite").write_bytes(b"SQLite format 3\0 torn")

    with pytest.raises(Failed, match=r"no backup in .* fits it; nothing changed"):
        house.roll_back()

    assert house.computer.did == []


def test_a_rollback_that_fails_gives_the_newer_ledger_back(house: House) -> None:
    """Rollback: if the older package cannot be installed, the newer ledger is restored and the service started."""
    house.computer.fails_to = ("install",)
    ledger(house.data / "ledger.sqlite", 2, rows=30)
    ledger(house.data / "backups" / "a.sqlite", 1, rows=9)

    with pytest.raises(Failed, match="couldn't be installed"):
        house.roll_back()

    assert house.computer.did[-3:] == ["stop", "restore ledger-aside.sqlite", "start"]


def test_a_backup_that_cannot_be_put_back_starts_the_service_again(house: House) -> None:
    """Rollback: if restoring the backup fails, the service is started again."""
    house.computer.fails_to = ("restore",)
    ledger(house.data / "ledger.sqlite", 2, rows=30)
    ledger(house.data / "backups" / "a.sqlite", 1, rows=9)

    with pytest.raises(Failed, match="the copy is no ledger"):
        house.roll_back()

    assert house.computer.did[-1] == "start"


def test_beside_a_ledger_that_cannot_be_read_nothing_is_changed(house: House) -> None:
    """Rollback: if the ledger is unreadable, nothing changes, and the message says to restore a backup first."""
    (house.data / "ledger.sqlite").write_bytes(b"SQLite format 3\0 torn")

    with pytest.raises(Failed, match=r"Put a backup in its place first, companion restore FILE; nothing changed"):
        house.roll_back()

    assert house.computer.did == []


def test_nobody_goes_back_in_the_middle_of_a_game(house: House) -> None:
    """A rollback is refused while a game is being played."""
    with pytest.raises(Failed, match="a game is on"):
        house.roll_back(playing=True)

    assert house.computer.did == []


def test_without_a_package_of_before_there_is_no_way_back(house: House) -> None:
    """A rollback is refused if the only saved packages are the installed version, a newer one and a truncated file."""
    (house.kept / "ring-companion_1.1_arm64.deb").write_text("{", encoding="utf-8")
    package_file(house.kept, "1.3")

    with pytest.raises(Failed, match="nothing to go back to"):
        house.roll_back()

    assert house.computer.did == []


def test_a_house_without_a_game_goes_back_too(house: House) -> None:
    """Rollback: without a ledger, only the package is installed."""
    assert house.roll_back()[0] == "The companion is 1.1 again, after 1.2."

"""Names in a whole data folder: a removed name is in no file, and files that cannot be changed are reported."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.app.ledger_access import owned
from companion.app.ledger_aside import note_backup
from companion.app.ledger_copy import copy_ledger
from companion.app.people import StoredPeople
from companion.kernel.errors import Refused
from companion.ledger import Ledger
from companion.model.people import Touched
from companion.model.snapshot import Who
from tests.companion.app.processes import companion as run

NAME = "Xanthippe"
RECORDS = Path(__file__).parents[1] / "games" / "andromeda" / "records"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a game in which Xanthippe plays."""
    folder = tmp_path_factory.mktemp("played") / "data"
    record = (RECORDS / "won-by-technology.jsonl").read_text(encoding="utf-8")
    lines = map(json.loads, record.replace('"name": "Ana"', f'"name": "{NAME}"').splitlines())
    with owned(folder) as table:
        table.importer.import_record(lines, Who("host", "import"))
    return folder


@pytest.fixture
def data(played: Path, tmp_path: Path) -> Path:
    """A copy of that folder, with one backup inside it and one elsewhere."""
    folder = Path(shutil.copytree(played, tmp_path / "data"))
    (folder / "backups").mkdir()
    for backup in (folder / "backups" / "night-20260101-000000.sqlite", tmp_path / "stick.sqlite"):
        copy_ledger(folder / "ledger.sqlite", backup)
        note_backup(folder, backup)
    return folder


def renamed(data: Path, new: str | None, drop_damaged: bool = False) -> Touched:
    """Change Xanthippe's name in the folder."""
    with owned(data) as table:
        return StoredPeople(table, data, lambda old, new: None).rename(NAME, new, drop_damaged)


def holding(data: Path) -> list[str]:
    """Return the names of the files whose bytes contain Xanthippe's name."""
    files = [path for path in data.parent.rglob("*") if path.is_file() and path.suffix != ".jsonl"]
    return sorted(path.name for path in files if NAME.encode() in path.read_bytes())


def test_no_file_keeps_a_removed_name(data: Path) -> None:
    """Names: a removed name is gone from the ledger, the summaries and all backups, including those elsewhere."""
    with owned(data) as table:
        table.archive.summaries.catch_up()
    before = holding(data)
    done = renamed(data, None)

    assert {name.removesuffix("-wal") for name in before} >= {"ledger.sqlite", "summaries.sqlite"}
    assert [path.name for path in done.copies] == ["night-20260101-000000.sqlite", "stick.sqlite"]
    assert holding(data) == []


def test_what_only_has_the_name_of_a_backup_holds_nothing_up(data: Path) -> None:
    """Names: a pipe or folder named like a backup is skipped; a backup with an unknown trigger counts as damaged."""
    os.mkfifo(data / "backups" / "pipe.sqlite")
    (data / "backups" / "folder.sqlite").mkdir()
    foreign = data / "backups" / "foreign.sqlite"
    foreign.write_bytes((data / "backups" / "night-20260101-000000.sqlite").read_bytes())
    with closing(sqlite3.connect(foreign)) as file:
        file.execute("CREATE TRIGGER t BEFORE UPDATE ON name BEGIN SELECT RAISE(IGNORE); END")

    done = renamed(data, None)

    assert [path.name for path in done.damaged] == ["foreign.sqlite"]
    assert holding(data) == ["foreign.sqlite"]


def test_a_backup_has_the_new_name_and_is_whole(data: Path) -> None:
    """Names: a backup gets the new name too, and can still be restored."""
    renamed(data, "Anna")
    backup = Ledger.read_only(data / "backups" / "night-20260101-000000.sqlite")

    assert "Anna" in backup.people()
    backup.close()
    assert run("restore", data / "backups" / "night-20260101-000000.sqlite", "--data", data).returncode == 0


def test_a_backup_that_is_put_back_keeps_names_removed(data: Path, tmp_path: Path) -> None:
    """Names: an unknown backup that still has a removed name loses it when it is restored."""
    shutil.copy(tmp_path / "stick.sqlite", tmp_path / "drawer.sqlite")
    renamed(data, None)
    run("restore", tmp_path / "drawer.sqlite", "--data", data)
    ledger = Ledger.read_only(data / "ledger.sqlite")

    assert NAME not in ledger.people()
    ledger.close()


def test_a_damaged_copy_is_named_and_deleted_only_when_asked(data: Path) -> None:
    """Names: a damaged copy is reported and not changed, and is deleted only on request."""
    damaged = data / "damaged-ledger-20260101.sqlite"
    damaged.write_bytes(b"no ledger " + NAME.encode())

    assert renamed(data, None).damaged == (damaged,)
    assert damaged.exists()
    with owned(data) as table:
        people = StoredPeople(table, data, lambda old, new: None)
        assert people.touched(NAME).damaged == (damaged,)
        people.rename(NAME, None, drop_damaged=True)
    assert holding(data) == []


def test_a_backup_out_of_reach_is_named(data: Path, tmp_path: Path) -> None:
    """Names: a backup that cannot be reached is reported."""
    note_backup(data, tmp_path / "elsewhere" / "stick.sqlite")

    assert renamed(data, None).unreached == (tmp_path / "elsewhere" / "stick.sqlite",)


def test_phones_that_cannot_be_told_keep_no_backup_from_the_new_name(data: Path) -> None:
    """Names: if the list of seats cannot be written, ledger and backups are changed, and the error is reported."""

    def full(old: str, new: str | None) -> None:
        raise OSError("No space left on device")

    with owned(data) as table, pytest.raises(Refused, match="No space left"):
        StoredPeople(table, data, full).rename(NAME, None)
    assert holding(data) == []


def test_the_command_asks_first(data: Path) -> None:
    """Names: `companion names` shows what it would change, and changes nothing until the user says yes."""
    asked = run("names", "remove", NAME, "--data", data)

    assert "1 game and 2 backups" in asked.stdout
    assert "Nothing changed." in asked.stdout
    assert f"1  {NAME}" in run("names", "list", "--data", data).stdout
    assert run("names", "rename", NAME, "Anna", "--yes", "--data", data).returncode == 0
    assert "1  Anna" in run("names", "list", "--data", data).stdout
    assert "no player in these games is called" in run("names", "remove", NAME, "--yes", "--data", data).stderr

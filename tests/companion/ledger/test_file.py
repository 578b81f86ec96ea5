"""The ledger's file is append-only, has a single writer, and refuses files that it cannot read."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from queue import Queue
from threading import Barrier, Thread

import pytest

from companion.ledger import Ledger, LedgerFault, LedgerInUse, LedgerTooNew, Row, RowKind, verify
from companion.ledger.errors import Unreadable
from companion.ledger.schema import OURS, VERSION
from tests.companion.live_table import LiveTable


def row(number: int, **more: object) -> Row:
    fields: dict[str, object] = {"body": {}, "game": 1, "kind": RowKind.MOMENT, "word": "beat", **more}
    return Row(id=number, who="host", via="tablet", at_ms=0, step_ms=0, wall_ms=0, **fields)  # type: ignore[arg-type]


def test_a_row_comes_back_as_it_went_in(tmp_path: Path) -> None:
    """File: every field of a row is stored and read back."""
    told = row(1, kind=RowKind.RING, word="out", body={"a": [1, None, "ä"]}, source=("r", "b", 7), ring=3, undoes=2)
    ledger = Ledger.open(tmp_path / "l.db")

    assert ledger.append([told])

    assert ledger.row(1) == told
    assert ledger.has_recorded(("r", "b", 7))
    assert not ledger.has_recorded(("r", "b", 8))
    ledger.close()


@pytest.mark.parametrize("number", range(10))
def test_a_ledger_can_be_closed_while_other_threads_read(tmp_path: Path, number: int) -> None:
    """A thread that reads while the ledger is closed gets `Unreadable`, instead of a crash inside SQLite."""
    ledger, ended = Ledger.open(tmp_path / "l.db"), Queue[type[Exception]]()
    ledger.append([row(each) for each in range(1, 300)])
    reading = Barrier(5)

    def read() -> None:
        reading.wait()
        try:
            while True:
                ledger.marks()
                ledger.volume(1)
        except Unreadable as fault:
            ended.put(type(fault))

    threads = [Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    reading.wait()
    for _ in range(number):  # starts the readers at a different point each time
        ledger.marks()
    ledger.close()

    assert [ended.get(timeout=60) for _ in threads] == [Unreadable] * 4
    for thread in threads:
        thread.join()


@pytest.mark.parametrize(
    "deed", ["UPDATE row SET who = 'nobody'", "DELETE FROM row", "REPLACE INTO row SELECT * FROM row"]
)
def test_rows_are_there_for_good(live_table: LiveTable, deed: str) -> None:
    """File: rows cannot be changed, deleted or replaced, even by another program."""
    live_table.open().score()
    with sqlite3.connect(live_table.path) as stranger:
        stranger.execute("PRAGMA recursive_triggers = ON")
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            stranger.execute(deed)
    stranger.close()


def test_every_commit_is_on_the_disk(live_table: LiveTable) -> None:
    """The file uses a write-ahead log, and every commit is synced to the disk."""
    asked = live_table.ledger._connection.execute

    assert asked("PRAGMA journal_mode").fetchone() == ("wal",)
    assert asked("PRAGMA synchronous").fetchone() == (2,)


def test_a_ring_event_cannot_be_kept_twice(tmp_path: Path) -> None:
    """File: storing the same ring event twice raises IntegrityError, which does not count as trouble with the card."""
    ledger = Ledger.open(tmp_path / "l.db")
    ledger.append([row(1, kind=RowKind.RING, source=("r", "b", 1))])

    with pytest.raises(sqlite3.IntegrityError):
        ledger.append([row(2, kind=RowKind.RING, source=("r", "b", 1))])

    assert (ledger.trouble, ledger.last) == ("", 1)
    assert ledger.append([row(2)])
    ledger.close()


def test_rows_go_in_together_or_not_at_all(tmp_path: Path) -> None:
    """File: a transaction that fails stores none of its rows."""
    ledger = Ledger.open(tmp_path / "l.db")

    with pytest.raises(sqlite3.IntegrityError):
        ledger.append([row(1), row(1)])

    assert ledger.newest() is None
    ledger.close()


def test_a_second_owner_is_refused(live_table: LiveTable) -> None:
    """File: while one owner has the ledger open, a second one is refused and can only read."""
    live_table.open().score()
    with pytest.raises(LedgerInUse, match="Another companion"):
        Ledger.open(live_table.path)

    looking = Ledger.read_only(live_table.path)
    assert [looking.volume(each).lines for each in looking.games()] == [1]
    looking.close()


def test_a_second_process_is_refused(live_table: LiveTable) -> None:
    """File: the owner's lock also keeps other processes out."""
    program = (
        f"from companion.ledger import Ledger; from pathlib import Path; Ledger.open(Path({str(live_table.path)!r}))"
    )

    other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert other.returncode == 1
    assert "LedgerInUse" in other.stderr


def test_looking_never_writes(live_table: LiveTable) -> None:
    """File: a ledger opened to read cannot append rows."""
    live_table.open()
    looking = Ledger.read_only(live_table.path)

    assert not looking.append([row(looking.last + 1)])
    assert not looking.probe()

    assert live_table.ledger.newest() == live_table.ledger.row(live_table.ledger.last)
    looking.close()


def test_a_newer_programs_ledger_is_refused(tmp_path: Path) -> None:
    """File: a ledger with a newer schema is refused, and no lock is left behind."""
    path = tmp_path / "l.db"
    Ledger.open(path).close()
    with sqlite3.connect(path) as stranger:
        stranger.execute(f"PRAGMA user_version = {VERSION + 1}")
    stranger.close()

    for opening in (Ledger.open, Ledger.open, Ledger.read_only):
        with pytest.raises(LedgerTooNew, match="newer program"):
            opening(path)


def test_a_ledger_from_before_the_first_release_is_refused(tmp_path: Path) -> None:
    """File: a version from before the first release is refused, and the file is not changed."""
    path = tmp_path / "l.db"
    Ledger.open(path).close()
    with closing(sqlite3.connect(path)) as older:
        older.execute(f"PRAGMA user_version = {VERSION - 1}")
        older.execute("DROP TABLE meta")
        older.commit()
    before = path.read_bytes()

    for opening in (Ledger.open, Ledger.read_only, verify):
        with pytest.raises(LedgerFault, match="before the first release"):
            opening(path)
    assert path.read_bytes() == before


def test_somebody_elses_database_is_refused(tmp_path: Path) -> None:
    """File: a database that is not a ledger is refused."""
    path = tmp_path / "contacts.db"
    with sqlite3.connect(path) as stranger:
        stranger.execute("CREATE TABLE friends (name TEXT)")
    stranger.close()

    with pytest.raises(LedgerFault, match="not a ledger"):
        Ledger.open(path)


@pytest.mark.parametrize(
    "content", [b"once upon a time " * 400, os.urandom(8192), b"SQLite format 3\0" + b"\xff" * 4080]
)
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    """A file that is not a database is refused with an error and is not changed."""
    path = tmp_path / "l.db"
    path.write_bytes(content)

    for opening in (Ledger.open, Ledger.read_only):
        with pytest.raises(LedgerFault):
            opening(path)

    assert path.read_bytes() == content


def test_a_damaged_ledger_gives_one_clear_error(tmp_path: Path) -> None:
    """File: overwritten pages raise LedgerFault when the game is read."""
    live_table = LiveTable(tmp_path / "l.db")
    live_table.open()
    for _ in range(300):
        live_table.score()
    live_table.table.close()
    size = live_table.path.stat().st_size
    with live_table.path.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * (size - 8192))

    with pytest.raises(LedgerFault):
        live_table.restart()
    live_table.ledger.close()


def test_there_must_be_a_folder(tmp_path: Path) -> None:
    """File: a ledger in a folder that does not exist is refused with a message that names the folder."""
    with pytest.raises(LedgerFault, match="nowhere"):
        Ledger.open(tmp_path / "nowhere" / "l.db")
    with pytest.raises(LedgerFault, match="nothing"):
        Ledger.read_only(tmp_path / "nothing.db")


def test_the_file_says_whose_it_is(live_table: LiveTable) -> None:
    """File: the database has our application_id, which the `file` command recognises."""
    assert live_table.ledger._connection.execute("PRAGMA application_id").fetchone() == (OURS,)

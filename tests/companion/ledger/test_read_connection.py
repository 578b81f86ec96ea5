"""There is only one way to read a ledger's file: no code in the file runs, and every query ends."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.ledger import Ledger, LedgerDamaged, LedgerFault, verify
from companion.ledger.read_connection import connect_to_read
from tests.damage.hostile_files import ENDLESS, sound_ledger
from tests.product_source import files

OPENS = re.compile(r"sqlite3\.connect\((?!\":memory:\")")
MAY_OPEN = {
    "companion/ledger/read_connection.py": "to read",
    "companion/ledger/storage.py": "to write, as the owner",
    "companion/ledger/opening.py": "a copy that is being made",
    "companion/ledger/salvage.py": "a ledger that is being made",
    "companion/statistics/store.py": "the summaries, which are no ledger",
}


def test_no_other_module_opens_a_database() -> None:
    """Reading: modules that read a ledger use `connect_to_read`."""
    assert {path for path, text in files() if OPENS.search(text)} == set(MAY_OPEN)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of three games."""
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(sound_ledger())
    return path


def test_a_statement_ends(path: Path) -> None:
    """Reading: a query that never ends is interrupted, and the next query has the full limit again."""
    with closing(connect_to_read(path)) as connection:
        for _ in range(2):
            with pytest.raises(sqlite3.OperationalError, match="interrupted"):
                connection.execute(f"{ENDLESS} count(*) FROM n").fetchone()
            assert connection.execute("SELECT count(*) FROM row").fetchone() == (338,)


def test_nothing_is_written_and_nothing_lies_beside_it_afterwards(path: Path) -> None:
    """After reading, the file is unchanged, byte for byte, and no other file is left next to it."""
    with closing(connect_to_read(path)) as connection, pytest.raises(sqlite3.OperationalError):
        connection.execute("UPDATE probe SET mark = 1")
    verify(path)
    Ledger.read_only(path).close()

    assert path.read_bytes() == sound_ledger()
    assert list(path.parent.iterdir()) == [path]


def test_rows_that_lie_in_a_log_are_read(path: Path, tmp_path: Path) -> None:
    """Reading: rows in the -wal file are read, from the ledger in use and from a copy of both files."""
    with closing(sqlite3.connect(path, isolation_level=None)) as owner:
        owner.execute("PRAGMA journal_mode = WAL")
        owner.execute("UPDATE probe SET mark = 7")
        for part in ("", "-wal"):
            (tmp_path / f"copy.sqlite{part}").write_bytes(path.with_name(path.name + part).read_bytes())
        marks = []
        for each in (path, tmp_path / "copy.sqlite"):
            with closing(connect_to_read(each)) as reader:
                marks += reader.execute("SELECT mark FROM probe").fetchall()

    assert marks == [(7,), (7,)]


@pytest.mark.parametrize("sql", ["CREATE VIEW v AS SELECT 1", "CREATE TABLE t (x)", "CREATE INDEX i ON row (word)"])
def test_a_part_that_is_not_ours_is_refused_by_all_that_read_or_write(path: Path, sql: str) -> None:
    """Schema: an unknown table, view or index is refused with its name, for reading, writing and verifying."""
    with closing(sqlite3.connect(path, isolation_level=None)) as stranger:
        stranger.execute(sql)
    name = sql.split()[2]

    for way in (Ledger.read_only, Ledger.open, verify):
        with pytest.raises(LedgerDamaged if way != verify else LedgerFault, match=f"named '{name}'"):
            way(path)

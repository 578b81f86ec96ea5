"""A ledger of an older program: brought to the newest shape with every row as it was, after a copy, or left alone."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.games.registry import GAMES
from companion.ledger import Harm, Ledger, Row, verify
from companion.ledger.older_copy import keep_older
from companion.ledger.row import COLUMNS, row_of
from companion.ledger.schema import MIGRATIONS
from companion.ledger.storage import connect
from companion.session.table import Table
from tests.generations.opened import unpacked

COPY = "ledger-before-version-2.sqlite"


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A ledger of the first shape, with five games and every kind of row."""
    return unpacked("first", tmp_path) / "data" / "ledger.sqlite"


def rows_of(path: Path) -> list[Row]:
    """What an older program read out of its ledger."""
    with closing(sqlite3.connect(path)) as file:
        return list(map(row_of, file.execute(f"SELECT {COLUMNS} FROM row ORDER BY id")))  # noqa: S608


def read(ledger: Ledger) -> Iterator[Row]:
    """Yield every row as today's program reads it."""
    for number in range(1, ledger.last + 1):
        found = ledger.row(number)
        assert found is not None
        yield found


def version(path: Path) -> int:
    """Which shape the file has."""
    with closing(sqlite3.connect(path)) as file:
        return int(file.execute("PRAGMA user_version").fetchone()[0])


def test_every_row_is_read_as_it_was(older: Path) -> None:
    """Older: in the newest shape each row says what it said, letter by letter, and follows on the one before it."""
    before = rows_of(older)
    ledger = Ledger.open(older)

    assert [row.fields() for row in read(ledger)] == [row.fields() for row in before]
    assert (verify(older).checked, verify(older).findings) == (True, ())
    ledger.close()


def test_names_of_people_leave_the_rows(older: Path) -> None:
    """Older: names at seats and of who acted lie in their own table afterwards."""
    Ledger.open(older).close()
    with closing(sqlite3.connect(older)) as file:
        headers = file.execute("SELECT count(*) FROM row WHERE kind = 'game' AND body LIKE '%\"Ana\"%'").fetchone()
        people = file.execute("SELECT who FROM row WHERE via = 'phone'").fetchall()
        kept = file.execute("SELECT count(*) FROM name").fetchone()

    assert (headers, people, kept) == ((0,), [("#0",)], (19,))


def test_a_copy_is_kept_first(older: Path) -> None:
    """Older: what the file was lies beside it, whole, its owner's alone, and can be opened in its turn."""
    before = rows_of(older)
    Ledger.open(older).close()
    copy = older.with_name(COPY)

    assert (version(older), version(copy), copy.stat().st_mode & 0o777) == (len(MIGRATIONS), 1, 0o600)
    assert rows_of(copy) == before
    with closing(Ledger.read_only(copy)) as again:
        assert [row.fields() for row in read(again)] == [row.fields() for row in before]
    assert version(copy) == 1


def test_one_copy_is_enough(older: Path) -> None:
    """Older: the plug may be pulled after the copy, again and again; a copy of something else is never written over."""
    for _ in range(3):
        with closing(connect(older)) as connection:
            keep_older(connection, older, 2)
    assert [path.name for path in sorted(older.parent.glob("ledger-*"))] == [COPY]

    with closing(connect(older)) as connection:
        connection.execute(f"INSERT INTO row SELECT id + 1000, {COLUMNS[4:]} FROM row WHERE kind = 'copy'")  # noqa: S608
        keep_older(connection, older, 2)
    copies = sorted(older.parent.glob("ledger-*"))

    assert [path.name for path in copies] == ["ledger-before-version-2-2.sqlite", COPY]
    assert [len(rows_of(path)) for path in copies] == [575, 573]


def test_two_copies_of_one_ledger_stay_copies(older: Path, tmp_path: Path) -> None:
    """Older: brought up each by itself they have the same identities and the same checksums, so that they are known."""
    other = tmp_path / "other.sqlite"
    shutil.copy(older, other)
    one, two = Ledger.open(older), Ledger.open(other)

    assert one.identity == two.identity
    assert [one.game_identity(game) for game in one.games()] == [two.game_identity(game) for game in two.games()]
    assert len({one.identity, *map(one.game_identity, one.games())}) == 6
    assert one.kept(one.last) == two.kept(one.last)
    one.close()
    two.close()


def test_to_look_changes_nothing(older: Path) -> None:
    """Older: opened only to be read it is brought up in memory, and lies there as it was."""
    before = older.read_bytes()
    with closing(Ledger.read_only(older)) as ledger:
        assert [row.fields() for row in read(ledger)] == [row.fields() for row in rows_of(older)]

    assert (older.read_bytes(), list(older.parent.glob("ledger-*"))) == (before, [])


def test_without_room_it_is_left_alone_and_played_in_memory(older: Path) -> None:
    """Older: where the copy finds no room nothing is written, the game goes on, and is kept once there is room."""
    before, full = older.read_bytes(), [True]

    def card(path: Path) -> sqlite3.Connection:
        if full:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        return connect(path)

    ledger = Ledger.open(older, card)
    table = Table(ledger, GAMES, lambda: 1.0, Random(1))
    assert "No room to copy the ledger" in table.snapshot.storage
    assert (older.read_bytes(), len(table.games())) == (before, 5)
    added = Row(ledger.last + 1, None, "copy", "used", "host", "tablet", 0, 0, 0, {"name": "x"})
    assert not ledger.append([added])

    full.clear()

    assert ledger.probe()
    assert (version(older), ledger.row(added.id), verify(older).findings) == (2, added, ())
    ledger.close()


def test_room_is_asked_for_before_anything_is_written(older: Path) -> None:
    """Older: the copy and what bringing it up writes must find room, or no byte is written."""
    size = older.stat().st_size
    with closing(connect(older)) as connection:
        with pytest.raises(OSError, match="No space left"):
            keep_older(connection, older, 2, lambda folder: 3 * size - 1)
        assert list(older.parent.glob("*before*")) == []
        keep_older(connection, older, 2, lambda folder: 3 * size)

    assert older.with_name(COPY).exists()


@pytest.mark.parametrize("damage", ["body = '{'", "body = '[7]'", "who = x'ff'", "at_ms = 'x'", "kind = 7"])
def test_damaged_rows_come_along_as_they_are(older: Path, damage: str) -> None:
    """Older: a damaged row keeps no ledger from being brought up: who asks for it hears of it, the rest is played."""
    with closing(sqlite3.connect(older, isolation_level=None)) as file:
        for deed in ("DROP TRIGGER row_stays", "PRAGMA ignore_check_constraints = 1"):
            file.execute(deed)
        file.execute(f"UPDATE row SET {damage} WHERE id IN (107, 250)")  # noqa: S608
        held = file.execute("SELECT hex(body), hex(who), at_ms, kind, game FROM row WHERE id IN (107, 250)").fetchall()
    ledger = Ledger.open(older)
    table = Table(ledger, GAMES, lambda: 1.0, Random(1))

    assert {table.final(game)["game"] for game in (268, 298, 491)} == {"andromeda"}
    assert len(table.amiss()) == 2
    with closing(sqlite3.connect(older)) as file:
        there = file.execute("SELECT hex(body), hex(who), at_ms, kind, game FROM row WHERE id IN (107, 250)").fetchall()
    assert there == held
    assert {each.harm for each in verify(older).findings} <= {"disorder"}
    table.close()


def test_a_lost_page_comes_along_too(older: Path) -> None:
    """Older: rows on a page that cannot be read keep no ledger from being brought up, nor what is whole from play."""
    with older.open("r+b") as file:
        file.seek(older.read_bytes().index(b'"It was late."') // 4096 * 4096)
        file.write(b"\xff" * 4096)

    table = Table(Ledger.open(older), GAMES, lambda: 1.0, Random(1))
    found = verify(older)

    assert table.snapshot.game_id == 298
    assert {table.final(game)["game"] for game in (107, 298, 491)} == {"andromeda"}
    assert {each.harm for each in found.findings} == {Harm.DISORDER, Harm.CUT_OUT}
    assert (found.checked, 540 < found.rows < 573) == (True, True)
    table.close()

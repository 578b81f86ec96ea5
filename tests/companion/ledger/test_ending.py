"""The newest checksum is stored in a file next to the ledger, so that rows missing from its end are detected."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.ledger import PARTS, Harm, Ledger, verify
from companion.ledger.writer import Newest, NewestFile, read_newest
from tests.companion.ledger.test_file import row
from tests.companion.live_table import LiveTable


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of nine rows."""
    path = tmp_path / "l.db"
    ledger = Ledger.open(path)
    for number in range(1, 10):
        ledger.append([row(number)])
    ledger.close()
    return path


def beside(path: Path) -> Path:
    """Return the path of the file with the newest checksum."""
    return path.with_name(path.name + PARTS[-1])


def cut_off(path: Path, above: int) -> None:
    """Delete the rows above a number, which the companion never does."""
    with closing(sqlite3.connect(path, isolation_level=None)) as stranger:
        stranger.execute("DROP TRIGGER row_remains")
        stranger.execute("DELETE FROM row WHERE id > ?", (above,))


def found(path: Path) -> list[tuple[Harm, int, int]]:
    """Return the damage that is found when the ledger is opened."""
    ledger = Ledger.open(path)
    ledger.close()
    return [(each.harm, each.first, each.last) for each in ledger.found]


def test_the_newest_row_is_known_beside(path: Path) -> None:
    """Ending: the newest row's number, game and checksum are stored next to the ledger, with a delay in a burst."""
    ledger = Ledger.open(path)
    known = [read_newest(path)]
    ledger.append([row(10), row(11, game=None)])
    known.append(read_newest(path))
    ledger.append([row(12)])
    assert ledger.probe()
    known.append(read_newest(path))

    assert [(each.ledger, each.number, each.game) for each in known if each] == [
        (ledger.identity, 9, 1),
        (ledger.identity, 11, 0),
        (ledger.identity, 12, 1),
    ]
    assert ledger.stored_digest(12) == (12, known[2].digest if known[2] else b"")
    ledger.close()


def test_a_burst_writes_seldom(tmp_path: Path) -> None:
    """Ending: in a burst, only the newest row is written, after the interval or when the file is closed."""
    time = [5.0]
    file, ledger = NewestFile(tmp_path / "l.db", lambda: time[0]), "a" * 32
    seen = []
    for number, now in ((1, 5.0), (2, 5.01), (3, 5.02), (4, 5.06), (5, 5.07)):
        time[0] = now
        file.set(ledger, number, 1, b"x" * 16)
        seen.append(read_newest(tmp_path / "l.db"))
    file.close()

    assert [each.number for each in seen if each] == [1, 1, 1, 4, 4]
    assert read_newest(tmp_path / "l.db") == Newest(ledger, 5, 1, b"x" * 16)


def test_a_lost_end_is_noticed_at_the_start(path: Path) -> None:
    """Ending: committed rows that are missing are reported until the next row is written."""
    cut_off(path, 6)
    assert found(path) == [(Harm.CUT_OFF, 7, 9)]

    ledger = Ledger.open(path)
    ledger.append([row(7)])
    ledger.close()

    assert found(path) == []


def test_the_table_shows_it(live_table: LiveTable) -> None:
    """Ending: a notice says that the end of the ledger is missing, and the game continues from the remaining rows."""
    live_table.open().score(1).score(2)
    last = live_table.ledger.last
    live_table.ledger.close()
    cut_off(live_table.path, last - 2)

    live_table.restart()

    (notice,) = live_table.snapshot.notices
    assert (notice.kind, str(last) in notice.text) == ("damaged", True)
    assert live_table.view["scores"] == {"red": 1, "blue": 0}
    assert live_table.score(5).view["scores"] == {"red": 1, "blue": 5}


def test_another_row_in_the_place_of_the_newest_is_noticed(path: Path) -> None:
    """Ending: if a copy that was continued elsewhere replaces the ledger, its newest row is reported as changed."""
    copy = path.with_name("copy.db")
    cut_off(path, 8)
    shutil.copy(path, copy)
    elsewhere = Ledger.open(copy)
    elsewhere.append([row(9, word="paused"), row(10)])
    elsewhere.close()
    shutil.copy(copy, path)

    assert found(path) == [(Harm.CHANGED, 9, 9)]


def test_it_may_lag_behind(path: Path) -> None:
    """No damage is reported if the file next to the ledger records an older row, as may happen in a power cut."""
    older = beside(path).read_bytes()
    ledger = Ledger.open(path)
    ledger.append([row(10)])
    ledger.close()
    beside(path).write_bytes(older)

    assert found(path) == []


def test_a_ledger_that_became_empty_has_lost_all(path: Path) -> None:
    """Ending: an empty or missing ledger counts as damaged if the file next to it exists."""
    path.write_bytes(b"")
    assert [(each.harm, each.first, each.last) for each in verify(path).findings] == [(Harm.CUT_OFF, 1, 9)]
    assert found(path) == [(Harm.CUT_OFF, 1, 9)]

    path.unlink()

    assert found(path) == [(Harm.CUT_OFF, 1, 9)]


@pytest.mark.parametrize("content", [b"", b"\0" * 130, b"x", b"\xff" * 130])
def test_a_torn_file_beside_is_no_hindrance(path: Path, content: bytes) -> None:
    """Ending: a damaged file next to the ledger is ignored, and is written again with the next row."""
    beside(path).write_bytes(content)
    assert found(path) == []

    ledger = Ledger.open(path)
    ledger.append([row(10)])
    ledger.close()
    cut_off(path, 9)

    assert found(path) == [(Harm.CUT_OFF, 10, 10)]


def test_without_room_beside_rows_go_in_all_the_same(path: Path) -> None:
    """Ending: if the file next to the ledger can't be written, rows are still stored and no trouble is reported."""
    beside(path).unlink()
    beside(path).mkdir()
    ledger = Ledger.open(path)

    assert ledger.append([row(10)])
    assert (ledger.trouble, ledger.found) == ("", ())
    ledger.close()


def test_a_ledger_of_another_house_is_not_compared(path: Path, tmp_path: Path) -> None:
    """Ending: the file next to the ledger is ignored if another ledger was put in the same place."""
    other = Ledger.open(tmp_path / "other.db")
    other.append([row(1)])
    other.close()
    shutil.copy(tmp_path / "other.db", path)

    assert found(path) == []

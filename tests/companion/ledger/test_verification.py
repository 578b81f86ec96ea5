"""Verification of a whole ledger: changes by other programs are reported with row and game."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.ledger import PARTS, Harm, Ledger, LedgerFault, RowKind, verify
from tests.companion.ledger.test_file import row
from tests.companion.live_table import LiveTable

COLUMNS = ("kind", "word", "who", "via", "at_ms", "step_ms", "wall_ms", "body", "ring", "undoes", "seq")
PUT = (
    "INSERT INTO row SELECT 21, {game}, kind, word, '', '', 1, 1, 1, body, 1, 1, NULL, NULL, 1, digest FROM row LIMIT 1"
)
Harmed = tuple[Harm, int, int, int | None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of 20 rows: odd rows belong to game 1, multiples of four to no game, the others to game 2."""
    path = tmp_path / "ledger.db"
    ledger = Ledger.open(path)
    for number in range(1, 21):
        game = 1 if number % 2 else None if number % 4 == 0 else 2
        ledger.append(
            [row(number, game=game, kind=RowKind.CLOCK if game is None else RowKind.MOMENT, body={"n": number})]
        )
    ledger.close()
    return path


def harm(path: Path, *deeds: str) -> None:
    """Run *deeds* (SQL statements) that the companion never runs."""
    with closing(sqlite3.connect(path, isolation_level=None)) as stranger:
        for deed in ("DROP TRIGGER IF EXISTS row_stays", "DROP TRIGGER IF EXISTS row_remains", *deeds):
            stranger.execute(deed)


def harmed(path: Path) -> list[Harmed]:
    """Return the findings without their sentences."""
    return [(each.harm, each.first, each.last, each.game) for each in verify(path).findings]


def test_a_whole_ledger_is_well(path: Path) -> None:
    """Verification: a ledger written by the companion has no findings."""
    assert verify(path) == verify(path)
    assert (verify(path).rows, verify(path).findings, verify(path).end_unchecked) == (20, (), "")


@pytest.mark.parametrize(
    ("deed", "found"),
    [
        ("UPDATE row SET body = '{\"n\":50}' WHERE id = 5", (Harm.CHANGED, 5, 5, 1)),
        ("UPDATE row SET digest = x'00' WHERE id = 5", (Harm.CHANGED, 5, 5, 1)),
        ("UPDATE row SET digest = NULL WHERE id = 5", (Harm.CHANGED, 5, 5, 1)),
        ("UPDATE row SET word = 'paused' WHERE id IN (5, 7, 9)", (Harm.CHANGED, 5, 9, 1)),
        ("UPDATE row SET at_ms = 7 WHERE id = 20", (Harm.CHANGED, 20, 20, None)),
        ("UPDATE row SET body = CAST(body AS BLOB) WHERE id = 1", (Harm.CHANGED, 1, 1, 1)),
        ("DELETE FROM row WHERE id = 6", (Harm.CUT_OUT, 6, 6, 2)),
        ("DELETE FROM row WHERE id = 1", (Harm.CUT_OUT, 1, 1, 1)),
        ("DELETE FROM row WHERE id BETWEEN 5 AND 8", (Harm.CUT_OUT, 5, 8, None)),
        ("DELETE FROM row WHERE id > 18", (Harm.CUT_OFF, 19, 20, None)),
        ("DELETE FROM row WHERE id = 20", (Harm.CUT_OFF, 20, 20, None)),
        ("DELETE FROM row", (Harm.CUT_OFF, 1, 20, None)),
        (PUT.format(game="game"), (Harm.PUT_IN, 21, 21, 1)),
        (PUT.format(game="9"), (Harm.PUT_IN, 21, 21, 9)),
    ],
)
def test_what_was_done_to_rows_is_named(path: Path, deed: str, found: Harmed) -> None:
    """Verification: each changed, removed or inserted row, and a missing end, is one finding with number and game."""
    harm(path, deed)

    assert harmed(path) == [found]


def test_a_row_in_the_place_of_another_is_both(path: Path) -> None:
    """Verification: a row moved to another game is missing in one game and inserted in the other."""
    harm(path, "UPDATE row SET game = 2 WHERE id = 7")

    assert harmed(path) == [(Harm.CUT_OUT, 7, 7, 1), (Harm.PUT_IN, 7, 7, 2)]


def test_each_is_a_sentence(path: Path) -> None:
    """Verification: each finding has a sentence that names the rows and the game."""
    harm(path, "UPDATE row SET word = 'x' WHERE id = 3", "DELETE FROM row WHERE id IN (6, 19, 20)")

    assert [str(each.sentence) for each in verify(path).findings] == [
        "Something other than the companion changed row 3 of game 1.",
        "Something other than the companion removed row 6 of game 2.",
        "The end of the ledger is gone: rows 19 to 20.",
    ]


def spoilt(number: int, lots: Random) -> str:
    """Return the SQL statement that changes a random column of a row."""
    return f"UPDATE row SET {lots.choice(COLUMNS)} = '[{lots.random()}]' WHERE id = {number}"  # noqa: S608


@pytest.mark.parametrize("part", range(4))
def test_no_change_of_a_row_goes_unnoticed(path: Path, part: int) -> None:
    """Verification: any change to any column is found, even in several rows at once."""
    lots = Random(part)
    whole = path.read_bytes()
    for _ in range(15):
        path.write_bytes(whole)
        rows = sorted(lots.sample(range(1, 21), 3))
        harm(path, *(spoilt(number, lots) for number in rows))

        found = verify(path).findings
        assert {each.harm for each in found if each.first} == {Harm.CHANGED}
        assert all(any(each.first <= number <= each.last for each in found) for number in rows)


def overwrite(path: Path, page: int, content: bytes) -> None:
    """Write *content* at the beginning of a page of the file."""
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(content)


def test_an_index_that_lost_rows_is_noticed(path: Path) -> None:
    """Verification: an index that lacks rows, and so hides games, is reported."""
    with closing(sqlite3.connect(path)) as there:
        (root,) = there.execute("SELECT rootpage FROM sqlite_master WHERE name = 'row_by_game'").fetchone()
    overwrite(path, root, b"\x0a\0\0\0\0\x10\0\0")  # a leaf page without entries

    (found,) = verify(path).findings

    assert (found.harm, found.first) == (Harm.DISORDER, 0)
    assert "row_by_game" in found.sentence


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """A ledger of many pages."""
    path = tmp_path / "long.db"
    ledger = Ledger.open(path)
    ledger.append([row(number, body={"n": number, "x": "y" * 300}) for number in range(1, 301)])
    ledger.close()
    return path


def test_a_lost_page_is_one_finding(long: Path) -> None:
    """Verification: unreadable rows are reported as one finding, and the rows after them are still checked."""
    overwrite(long, long.read_bytes().index(b'{"n":150,') // 4096 + 1, b"\xff" * 4096)
    harm(long, "UPDATE row SET word = 'x' WHERE id = 290")

    disorder, lost, changed = verify(long).findings

    assert (disorder.harm, lost.harm, changed.harm) == (Harm.DISORDER, Harm.UNREADABLE, Harm.CHANGED)
    assert (lost.game, changed.first) == (1, 290)
    assert 5 < lost.last - lost.first < 20
    assert verify(long).rows == 300 - (lost.last - lost.first + 1)


def test_a_copy_is_looked_through_wherever_it_lies(path: Path, tmp_path: Path) -> None:
    """Verification: a copy without the file of the newest checksum can be verified, and gives no finding."""
    copy = tmp_path / "elsewhere.db"
    shutil.copy(path, copy)
    harm(copy, "DELETE FROM row WHERE id > 18")

    assert (verify(copy).findings, verify(copy).end_unchecked) == ((), "")


def test_a_ledger_in_use_is_looked_through(live_table: LiveTable) -> None:
    """Verification: a ledger in use can be verified, without writing to it."""
    live_table.open().score()

    assert verify(live_table.path).findings == ()
    assert verify(live_table.path).rows == live_table.ledger.last
    assert live_table.score().ledger.trouble == ""


def test_what_is_no_ledger_is_refused(tmp_path: Path) -> None:
    """A file that is not a ledger, or is missing, raises LedgerFault."""
    (tmp_path / "x.db").write_bytes(b"once upon a time " * 400)

    with pytest.raises(LedgerFault):
        verify(tmp_path / "x.db")
    with pytest.raises(LedgerFault):
        verify(tmp_path / "nothing.db")


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"\xff", "can't be read"), (b"", "can't be read"), (b"x" * 104, "can't be read"), (None, "another ledger")],
)
def test_an_end_that_cannot_be_known_is_said(path: Path, tmp_path: Path, content: bytes | None, said: str) -> None:
    """Verification: it is reported if the file of the newest checksum is damaged or belongs to another ledger."""
    other = tmp_path / "other.db"
    Ledger.open(other).append([row(1)])
    beside = path.with_name(path.name + PARTS[-1])
    beside.write_bytes(other.with_name(other.name + PARTS[-1]).read_bytes() if content is None else content)
    harm(path, "DELETE FROM row WHERE id = 20")

    assert verify(path).findings == ()
    assert said in verify(path).end_unchecked

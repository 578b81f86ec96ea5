"""Salvage: rows are found on the pages of a file that SQLite refuses, and those that are whole become a ledger."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.ledger import Ledger, LedgerDamaged, damage_mark, merge, verify
from companion.ledger.salvage import LEAF, PAGE, salvage
from companion.session.commands import Switch
from companion.session.repository import Repository
from tests.companion.live_table import HOST, LiveTable
from tests.companion.toy import Toy

BODY = 9
EMPTY_INDEX = b"\x0a" + bytes(4) + b"\x10\0" + bytes(PAGE - 7)
"""A leaf in order, with nothing on it."""
Content = dict[int, tuple[object, ...]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a ledger of some pages, one row of which takes more than a page."""
    evening = LiveTable(tmp_path_factory.mktemp("played") / "ledger.sqlite").open()
    for _ in range(60):
        evening.score()
    evening.table.do({"do": "fix", "colour": "red", "count": 3, "note": "x" * 9000}, HOST)
    evening.score()
    evening.table.close()
    return evening.path.parent


@pytest.fixture
def evening(played: Path, tmp_path: Path) -> LiveTable:
    """A closed copy of that ledger."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    evening = LiveTable(tmp_path / "ledger.sqlite")
    evening.table.close()
    return evening


def content(path: Path) -> Content:
    """Return every row of a ledger by its number."""
    with closing(sqlite3.connect(path)) as ledger:
        return {row[0]: row for row in ledger.execute("SELECT * FROM row")}


def salvaged(path: Path) -> Content:
    """Return what a ledger made of the damaged one at *path* holds."""
    fresh = path.with_name("fresh.sqlite")
    saved = salvage(path, fresh)
    Ledger.open(fresh).close()
    # What is lost but for an index leaves a row without a body.
    found = {number: row for number, row in content(fresh).items() if row[BODY]}
    assert saved.rows == len(found)
    return found


def spoil(path: Path, number: int, content: bytes = bytes(PAGE)) -> None:
    """Write *content* over page *number*."""
    with path.open("r+b") as file:
        file.seek((number - 1) * PAGE)
        file.write(content)


@pytest.mark.parametrize("header", [bytes(PAGE), b"\xff" * PAGE, b"SQLite format 3\0" + b"\xff" * 84])
def test_a_header_that_is_overwritten_costs_no_row(evening: LiveTable, header: bytes) -> None:
    """Salvage: nothing that the first page says is needed to find every row, the longest too."""
    kept = content(evening.path)
    spoil(evening.path, 1, header)

    assert salvaged(evening.path) == kept


def test_a_page_costs_the_rows_on_it(evening: LiveTable) -> None:
    """Salvage: whichever page is gone, every row that is saved is as it was, and no page takes most of them along."""
    kept, whole = content(evening.path), evening.path.read_bytes()
    long = max(kept, key=lambda number: len(str(kept[number])))
    lost = []
    for number in range(1, len(whole) // PAGE + 1):
        evening.path.write_bytes(whole)
        spoil(evening.path, number)
        found = salvaged(evening.path)
        evening.path.with_name("fresh.sqlite").unlink()
        # Of a row on several pages the rest is kept, so that it can be named.
        assert {number for number in found if found[number] != kept[number]} <= {long}
        lost.append(len(kept) - len(found))

    assert 0 < max(lost) < len(kept) / 2
    assert 0 in lost


def test_what_is_in_the_log_only_is_saved_too(evening: LiveTable, tmp_path: Path) -> None:
    """Salvage: commits that never left the write-ahead log count, but for one that was not completed."""
    evening.restart().score().score()
    kept = content(evening.path)
    copy = tmp_path / "pulled" / "ledger.sqlite"
    copy.parent.mkdir()
    copy.write_bytes(bytes(PAGE) + evening.path.read_bytes()[PAGE:])
    log = evening.path.with_name("ledger.sqlite-wal").read_bytes()
    copy.with_name("ledger.sqlite-wal").write_bytes(log + log[-PAGE:])
    evening.table.close()

    assert salvaged(copy) == kept


def test_a_file_of_anything_else_gives_an_empty_ledger(tmp_path: Path) -> None:
    """Salvage: where nothing of a ledger is left, nothing is made up."""
    (tmp_path / "ledger.sqlite").write_bytes(b"once upon a time " * 4000)

    assert salvaged(tmp_path / "ledger.sqlite") == {}


@pytest.mark.parametrize("index", ["row_by_game", "row_live", "row_heard_once"])
def test_a_missing_index_is_damage(evening: LiveTable, index: str) -> None:
    """File: a ledger without one of its indexes is not gone on with, for doubles would come in and games be slow."""
    with closing(sqlite3.connect(evening.path)) as card:
        card.execute(f"DROP INDEX {index}")

    with pytest.raises(LedgerDamaged, match=index):
        Ledger.open(evening.path)


@pytest.mark.parametrize("trigger", ["row_stays", "row_remains"])
def test_a_missing_trigger_is_made_again(evening: LiveTable, trigger: str) -> None:
    """File: without a trigger rows could be changed; that is noticed, and it is made again, and said."""
    kept = content(evening.path)
    with closing(sqlite3.connect(evening.path)) as card:
        card.execute(f"DROP TRIGGER {trigger}")
    assert verify(evening.path).missing == (f"trigger {trigger}",)

    with closing(Ledger.open(evening.path)) as ledger:
        said = [str(each) for each in ledger.mended]

    assert said == [f"The ledger's trigger {trigger} was missing. The companion made it again."]
    assert (verify(evening.path).missing, content(evening.path)) == ((), kept)


def test_an_index_that_hides_a_game_is_damage(evening: LiveTable) -> None:
    """File: a list of games that is empty though there is one is found when the ledger is opened."""
    with closing(sqlite3.connect(evening.path, isolation_level=None)) as card:
        (page,) = card.execute("SELECT rootpage FROM sqlite_master WHERE name = 'row_by_game'").fetchone()
    spoil(evening.path, page, EMPTY_INDEX)

    with pytest.raises(LedgerDamaged):
        Ledger.open(evening.path)


@pytest.mark.parametrize(("pragma", "value"), [("application_id", 7), ("user_version", 16777217)])
def test_a_header_that_does_not_fit_is_damage(evening: LiveTable, pragma: str, value: int) -> None:
    """File: with our tables in it a file is ours, whatever has become of the marks in its header."""
    with closing(sqlite3.connect(evening.path, isolation_level=None)) as card:
        card.execute(f"PRAGMA {pragma} = {value}")

    with pytest.raises(LedgerDamaged):
        Ledger.open(evening.path)


def test_damage_that_is_met_while_playing_is_known_at_the_next_start(evening: LiveTable) -> None:
    """File: a page that cannot be read in the midst of an evening is remembered, as a start looks at a few only."""
    ledger = Ledger.open(evening.path)
    data = evening.path.read_bytes()
    leaves = [at // PAGE + 1 for at in range(0, len(data), PAGE) if data[at] == LEAF]
    spoil(evening.path, leaves[len(leaves) // 2], b"\xff" * PAGE)
    with pytest.raises(LedgerDamaged):
        list(ledger.rows(1, ledger.last + 1))
    ledger.close()

    assert damage_mark(evening.path).exists()
    with pytest.raises(LedgerDamaged, match="found damaged"):
        Ledger.open(evening.path)


def test_a_row_of_game_nought_hides_no_game(evening: LiveTable) -> None:
    """File: a number of a game that no game has ends no list of games."""
    with closing(sqlite3.connect(evening.path)) as card:
        card.execute("DROP TRIGGER row_stays")
        card.execute("UPDATE row SET game = 0 WHERE id = 5")
        card.commit()

    with closing(Ledger.open(evening.path)) as ledger:
        assert 1 in ledger.games()


def mislead(path: Path, columns: str, rows: str = "true") -> None:
    """Have the index of games show *columns* of some *rows* instead of what is there."""
    with closing(sqlite3.connect(path, isolation_level=None)) as card:
        card.execute("CREATE TABLE other (id, game, kind, undoes)")
        card.execute(f"INSERT INTO other SELECT {columns} FROM row WHERE {rows}")  # noqa: S608
        card.execute("CREATE INDEX other_by_game ON other (game, id, kind, undoes)")
        (page,) = card.execute("SELECT rootpage FROM sqlite_master WHERE name = 'other_by_game'").fetchone()
        card.execute("PRAGMA writable_schema = ON")
        card.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = 'row_by_game'", (page,))
        card.execute("DELETE FROM sqlite_master WHERE tbl_name = 'other'")


def damaged(path: Path) -> bool:
    """Tell whether the first game is taken for damage of the file."""
    with closing(Ledger.read_only(path)) as ledger:
        try:
            Repository(ledger, {"toy": Toy()}, Random(1)).take_up(1)
        except LedgerDamaged:
            return True
    return False


def test_a_game_whose_rows_no_index_shows_is_damage(evening: LiveTable) -> None:
    """File: where a header is there and nothing follows it in the index, it is damage of the file."""
    with closing(sqlite3.connect(evening.path, isolation_level=None)) as card:
        (page,) = card.execute("SELECT rootpage FROM sqlite_master WHERE name = 'row_by_game'").fetchone()
    spoil(evening.path, page, EMPTY_INDEX)

    assert damaged(evening.path)


def test_an_index_that_ends_a_game_early_is_damage(evening: LiveTable) -> None:
    """File: a game whose newest row is there and in no index is not taken for a shorter one."""
    mislead(evening.path, "id, game, kind, undoes", "id < (SELECT max(id) FROM row WHERE game = 1)")

    assert damaged(evening.path)


def test_an_index_that_leaves_out_a_row_is_at_fault_and_not_the_game(evening: LiveTable) -> None:
    """File: a game is not told of as damaged where only an index leaves out the row with which it is gone on with."""
    evening.restart().open().score()
    other = evening.ledger.last
    evening.table.execute(Switch(1), HOST)
    evening.score().table.close()

    skipped = f"SELECT min(id) FROM row WHERE game = 1 AND id > {other}"  # noqa: S608
    mislead(evening.path, "id, game, kind, undoes", f"id <> ({skipped})")

    assert damaged(evening.path)


def test_a_row_that_only_a_damaged_index_knows_is_not_missed(evening: LiveTable) -> None:
    """Salvage: what an index says of rows behind the newest never was, and costs no game its end."""
    kept = content(evening.path)
    with closing(sqlite3.connect(evening.path, isolation_level=None)) as card:
        card.execute("CREATE TABLE other (id INTEGER PRIMARY KEY, game, kind, undoes)")
        card.execute("INSERT INTO other VALUES (100000, 1, 'line', NULL)")
        card.execute("CREATE INDEX other_by_game ON other (game, id, kind, undoes)")

    salvage(evening.path, evening.path.with_name("fresh.sqlite"), last=max(kept))

    assert content(evening.path.with_name("fresh.sqlite")) == kept


@pytest.mark.parametrize(("column", "value"), [("kind", "'moment'"), ("undoes", "7")])
def test_what_an_index_says_of_a_row_is_held_against_the_row(evening: LiveTable, column: str, value: str) -> None:
    """File: a game is not told of as damaged where only an index says something else of one of its rows."""
    shown = {"kind": "kind", "undoes": "undoes", column: f"iif(id = 20, {value}, {column})"}
    mislead(evening.path, f"id, game, {shown['kind']}, {shown['undoes']}")

    assert damaged(evening.path)


def test_an_index_with_a_row_before_the_first_is_at_fault(evening: LiveTable) -> None:
    """File: a header follows on nothing; where an index has something before it, the game is not what is damaged."""
    mislead(evening.path, "iif(id = 2, 0, id), game, kind, undoes")

    assert damaged(evening.path)


def test_a_name_that_is_not_whole_keeps_no_whole_one_out(evening: LiveTable) -> None:
    """Salvage: of a name only what fits its checksum is taken over; what is lost is told by its game."""
    with closing(sqlite3.connect(evening.path)) as card:
        card.execute("UPDATE name SET text = '\"Eve\"' WHERE place = 0")
        card.commit()

    saved = salvage(evening.path, evening.path.with_name("fresh.sqlite"))

    assert saved.nameless == (1,)


def test_tables_without_names_are_damage(evening: LiveTable) -> None:
    """File: where SQLite can name what is malformed only in bytes that are no text, it is damage like any other."""
    with closing(sqlite3.connect(evening.path)) as card:
        card.execute("PRAGMA journal_mode = DELETE")
    data = evening.path.read_bytes()
    evening.path.write_bytes(data.replace(b"probeprobe", b"\xff\xfe" * 5, 1))

    with pytest.raises(LedgerDamaged, match="lost their names"):
        Ledger.open(evening.path)


def test_a_game_that_came_by_a_merge_is_still_known_as_one(evening: LiveTable, tmp_path: Path) -> None:
    """Salvage: what was merged is none of this table's own, so that no game of another house lies on it afterwards."""
    other = LiveTable(tmp_path / "other.sqlite").open().score()
    other.table.close()
    own, reading = Ledger.open(evening.path), Ledger.read_only(other.path)
    live = own.live_game()
    merge(own, reading, reading.last)
    merged = own.merged
    own.close()
    reading.close()

    spoil(evening.path, 1)
    salvage(evening.path, tmp_path / "fresh.sqlite")
    fresh = Ledger.read_only(tmp_path / "fresh.sqlite")
    found = (fresh.merged, fresh.live_game())
    fresh.close()
    assert found == (merged, live)
    assert merged


def test_a_removed_name_stays_removed(evening: LiveTable, tmp_path: Path) -> None:
    """Salvage: what was changed and removed is remembered, so that no merge brings a name back."""
    own = Ledger.open(evening.path)
    own.rename("Ana", None, wall_ms=5)
    changes = own.renamings
    own.close()

    spoil(evening.path, 1)
    salvage(evening.path, tmp_path / "fresh.sqlite")
    fresh = Ledger.read_only(tmp_path / "fresh.sqlite")
    found = (fresh.renamings, "Ana" in fresh.people())
    fresh.close()
    assert found == (changes, False)
    assert changes.removed

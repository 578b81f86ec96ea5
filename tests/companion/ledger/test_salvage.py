"""Salvage: rows are read from the pages of a file that SQLite refuses, and intact rows become a new ledger."""

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
"""A valid index page without entries."""
Content = dict[int, tuple[object, ...]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a ledger of several pages, in which one row is longer than a page."""
    evening = LiveTable(tmp_path_factory.mktemp("played") / "ledger.sqlite").open()
    for _ in range(60):
        evening.score()
    evening.table.do({"do": "fix", "colour": "red", "count": 3, "note": "x" * 9000}, HOST)
    evening.score()
    evening.table.close()
    return evening.path.parent


@pytest.fixture
def evening(played: Path, tmp_path: Path) -> LiveTable:
    """A table with a closed copy of that ledger."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    evening = LiveTable(tmp_path / "ledger.sqlite")
    evening.table.close()
    return evening


def content(path: Path) -> Content:
    """Return every row of a ledger by its number."""
    with closing(sqlite3.connect(path)) as ledger:
        return {row[0]: row for row in ledger.execute("SELECT * FROM row")}


def salvaged(path: Path) -> Content:
    """Return the rows that are salvaged from the damaged ledger at *path*."""
    fresh = path.with_name("fresh.sqlite")
    saved = salvage(path, fresh)
    Ledger.open(fresh).close()
    # Rows known only from an index have no body.
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
    """Salvage: with an overwritten first page, every row is found, even the longest."""
    kept = content(evening.path)
    spoil(evening.path, 1, header)

    assert salvaged(evening.path) == kept


def test_a_page_costs_the_rows_on_it(evening: LiveTable) -> None:
    """Salvage: if any single page is lost, the rows found are unchanged, and fewer than half of all rows are lost."""
    kept, whole = content(evening.path), evening.path.read_bytes()
    long = max(kept, key=lambda number: len(str(kept[number])))
    lost = []
    for number in range(1, len(whole) // PAGE + 1):
        evening.path.write_bytes(whole)
        spoil(evening.path, number)
        found = salvaged(evening.path)
        evening.path.with_name("fresh.sqlite").unlink()
        # The remaining part of a row on several pages is kept, so that the row can be named.
        assert {number for number in found if found[number] != kept[number]} <= {long}
        lost.append(len(kept) - len(found))

    assert 0 < max(lost) < len(kept) / 2
    assert 0 in lost


def test_what_is_in_the_log_only_is_saved_too(evening: LiveTable, tmp_path: Path) -> None:
    """Salvage: rows that are only in the -wal file are found, except for an incomplete commit."""
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
    """Salvaging a file that is not a ledger gives an empty ledger."""
    (tmp_path / "ledger.sqlite").write_bytes(b"once upon a time " * 4000)

    assert salvaged(tmp_path / "ledger.sqlite") == {}


@pytest.mark.parametrize("index", ["row_by_game", "row_live", "row_heard_once"])
def test_a_missing_index_is_damage(evening: LiveTable, index: str) -> None:
    """File: a missing index counts as damage, since repeated events would be accepted and games would be slow."""
    with closing(sqlite3.connect(evening.path)) as card:
        card.execute(f"DROP INDEX {index}")

    with pytest.raises(LedgerDamaged, match=index):
        Ledger.open(evening.path)


@pytest.mark.parametrize("trigger", ["row_stays", "row_remains"])
def test_a_missing_trigger_is_made_again(evening: LiveTable, trigger: str) -> None:
    """File: a missing trigger, without which rows could be changed, is detected, recreated and reported."""
    kept = content(evening.path)
    with closing(sqlite3.connect(evening.path)) as card:
        card.execute(f"DROP TRIGGER {trigger}")
    assert verify(evening.path).missing == (f"trigger {trigger}",)

    with closing(Ledger.open(evening.path)) as ledger:
        said = [str(each) for each in ledger.mended]

    assert said == [f"The ledger's trigger {trigger} was missing. The companion made it again."]
    assert (verify(evening.path).missing, content(evening.path)) == ((), kept)


def test_an_index_that_hides_a_game_is_damage(evening: LiveTable) -> None:
    """File: an empty index, which hides the games, is detected when the ledger is opened."""
    with closing(sqlite3.connect(evening.path, isolation_level=None)) as card:
        (page,) = card.execute("SELECT rootpage FROM sqlite_master WHERE name = 'row_by_game'").fetchone()
    spoil(evening.path, page, EMPTY_INDEX)

    with pytest.raises(LedgerDamaged):
        Ledger.open(evening.path)


@pytest.mark.parametrize(("pragma", "value"), [("application_id", 7), ("user_version", 16777217)])
def test_a_header_that_does_not_fit_is_damage(evening: LiveTable, pragma: str, value: int) -> None:
    """File: a file with our tables but a wrong application_id or version counts as a damaged ledger."""
    with closing(sqlite3.connect(evening.path, isolation_level=None)) as card:
        card.execute(f"PRAGMA {pragma} = {value}")

    with pytest.raises(LedgerDamaged):
        Ledger.open(evening.path)


def test_damage_that_is_met_while_playing_is_known_at_the_next_start(evening: LiveTable) -> None:
    """File: damage found while reading is remembered, since opening checks only a few pages."""
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
    """File: a row with game number 0 does not hide other games."""
    with closing(sqlite3.connect(evening.path)) as card:
        card.execute("DROP TRIGGER row_stays")
        card.execute("UPDATE row SET game = 0 WHERE id = 5")
        card.commit()

    with closing(Ledger.open(evening.path)) as ledger:
        assert 1 in ledger.games()


def mislead(path: Path, columns: str, rows: str = "true") -> None:
    """Replace the entries of the index of games by *columns* of *rows*."""
    with closing(sqlite3.connect(path, isolation_level=None)) as card:
        card.execute("CREATE TABLE other (id, game, kind, undoes)")
        card.execute(f"INSERT INTO other SELECT {columns} FROM row WHERE {rows}")  # noqa: S608
        card.execute("CREATE INDEX other_by_game ON other (game, id, kind, undoes)")
        (page,) = card.execute("SELECT rootpage FROM sqlite_master WHERE name = 'other_by_game'").fetchone()
        card.execute("PRAGMA writable_schema = ON")
        card.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = 'row_by_game'", (page,))
        card.execute("DELETE FROM sqlite_master WHERE tbl_name = 'other'")


def damaged(path: Path) -> bool:
    """Return whether loading the first game raises LedgerDamaged."""
    with closing(Ledger.read_only(path)) as ledger:
        try:
            Repository(ledger, {"toy": Toy()}, Random(1)).take_up(1)
        except LedgerDamaged:
            return True
    return False


def test_a_game_whose_rows_no_index_shows_is_damage(evening: LiveTable) -> None:
    """File: if the index has no further rows of a game whose header exists, the file counts as damaged."""
    with closing(sqlite3.connect(evening.path, isolation_level=None)) as card:
        (page,) = card.execute("SELECT rootpage FROM sqlite_master WHERE name = 'row_by_game'").fetchone()
    spoil(evening.path, page, EMPTY_INDEX)

    assert damaged(evening.path)


def test_an_index_that_ends_a_game_early_is_damage(evening: LiveTable) -> None:
    """File: if the newest row of a game is missing from the index, the file counts as damaged."""
    mislead(evening.path, "id, game, kind, undoes", "id < (SELECT max(id) FROM row WHERE game = 1)")

    assert damaged(evening.path)


def test_an_index_that_leaves_out_a_row_is_at_fault_and_not_the_game(evening: LiveTable) -> None:
    """File: if the index lacks the first row after another game, the index counts as damaged, not the game."""
    evening.restart().open().score()
    other = evening.ledger.last
    evening.table.execute(Switch(1), HOST)
    evening.score().table.close()

    skipped = f"SELECT min(id) FROM row WHERE game = 1 AND id > {other}"  # noqa: S608
    mislead(evening.path, "id, game, kind, undoes", f"id <> ({skipped})")

    assert damaged(evening.path)


def test_a_row_that_only_a_damaged_index_knows_is_not_missed(evening: LiveTable) -> None:
    """Salvage: an index entry after the newest row is ignored, and no game counts as incomplete."""
    kept = content(evening.path)
    with closing(sqlite3.connect(evening.path, isolation_level=None)) as card:
        card.execute("CREATE TABLE other (id INTEGER PRIMARY KEY, game, kind, undoes)")
        card.execute("INSERT INTO other VALUES (100000, 1, 'line', NULL)")
        card.execute("CREATE INDEX other_by_game ON other (game, id, kind, undoes)")

    salvage(evening.path, evening.path.with_name("fresh.sqlite"), last=max(kept))

    assert content(evening.path.with_name("fresh.sqlite")) == kept


@pytest.mark.parametrize(("column", "value"), [("kind", "'moment'"), ("undoes", "7")])
def test_what_an_index_says_of_a_row_is_held_against_the_row(evening: LiveTable, column: str, value: str) -> None:
    """File: if an index entry differs from its row, the file counts as damaged, not the game."""
    shown = {"kind": "kind", "undoes": "undoes", column: f"iif(id = 20, {value}, {column})"}
    mislead(evening.path, f"id, game, {shown['kind']}, {shown['undoes']}")

    assert damaged(evening.path)


def test_an_index_that_names_another_kind_for_the_header_is_at_fault(evening: LiveTable) -> None:
    """File: if the index entry of a game's first row has a kind that no row has, the file counts as damaged."""
    mislead(evening.path, "id, game, iif(id = 1, NULL, kind), undoes")

    assert damaged(evening.path)


def test_an_index_with_a_row_before_the_first_is_at_fault(evening: LiveTable) -> None:
    """File: if the index has a row before the game's header, the file counts as damaged, not the game."""
    mislead(evening.path, "iif(id = 2, 0, id), game, kind, undoes")

    assert damaged(evening.path)


def test_a_name_that_is_not_whole_keeps_no_whole_one_out(evening: LiveTable) -> None:
    """Salvage: only names that match their checksums are kept, and games with lost names are listed."""
    with closing(sqlite3.connect(evening.path)) as card:
        card.execute("UPDATE name SET text = '\"Eve\"' WHERE place = 0")
        card.commit()

    saved = salvage(evening.path, evening.path.with_name("fresh.sqlite"))

    assert saved.nameless == (1,)


def test_tables_without_names_are_damage(evening: LiveTable) -> None:
    """File: a schema whose names are not valid text counts as damage."""
    with closing(sqlite3.connect(evening.path)) as card:
        card.execute("PRAGMA journal_mode = DELETE")
    data = evening.path.read_bytes()
    evening.path.write_bytes(data.replace(b"probeprobe", b"\xff\xfe" * 5, 1))

    with pytest.raises(LedgerDamaged, match="lost their names"):
        Ledger.open(evening.path)


def test_a_game_that_came_by_a_merge_is_still_known_as_one(evening: LiveTable, tmp_path: Path) -> None:
    """Salvage: merged games are still marked as merged, so none of them becomes the live game."""
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
    """Salvage: changed and removed names are remembered, so that no merge adds a removed name again."""
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

"""A ledger damaged at the start is set aside, and its readable rows are copied; other faults set nothing aside."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.app.ledger_aside import newest_backup, note_backup, set_aside
from companion.app.ledger_rescue import table_of
from companion.ledger import Ledger, LedgerFault, LedgerInUse, LedgerTooNew, damage_mark
from companion.ledger.salvage import LEAF, PAGE
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.app.processes import Service, companion
from tests.companion.live_table import LiveTable
from tests.companion.toy import Toy
from tests.generations.opened import unpacked

SLEEPING = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM)


def made(ledger: Ledger) -> Table:
    """Return a table for the toy game."""
    return Table(LiveGame(ledger, {"toy": Toy()}, lambda: 1.0, Random(1)))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a ledger that has one game of 80 lines, and a token."""
    evening = LiveTable(tmp_path_factory.mktemp("house") / "ledger.sqlite").open()
    for _ in range(80):
        evening.score()
    evening.table.close()
    (evening.path.parent / "token").write_text("x", encoding="utf-8")
    return evening.path.parent


@pytest.fixture
def ledger(house: Path, tmp_path: Path) -> Path:
    """The ledger in a copy of that folder."""
    return Path(shutil.copytree(house, tmp_path, dirs_exist_ok=True)) / "ledger.sqlite"


def header_gone(path: Path) -> None:
    path.write_bytes(b"\xff" * PAGE + path.read_bytes()[PAGE:])


def nothing_left(path: Path) -> None:
    path.write_bytes(b"\xff" * path.stat().st_size)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: -PAGE * 2 - 7])


def index_gone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as card:
        card.execute("DROP INDEX row_by_game")


def table_gone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as card:
        card.execute("DROP TABLE probe")


def in_its_middle(path: Path) -> None:
    data = path.read_bytes()
    leaves = [at for at in range(0, len(data), PAGE) if data[at] == LEAF]
    middle = leaves[len(leaves) // 2]
    path.write_bytes(data[:middle] + b"\xff" * PAGE + data[middle + PAGE :])


HARMS = (header_gone, nothing_left, emptied, cut_off, index_gone, table_gone, in_its_middle)


@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)
def test_the_house_starts_and_nothing_is_lost(ledger: Path, harm: Callable[[Path], None]) -> None:
    """Damage: whichever part of the file is damaged, the table opens and saves, and a notice names the old file."""
    harm(ledger)
    damaged = ledger.read_bytes()

    table = table_of(ledger, made)

    (aside,) = ledger.parent.glob("damaged-ledger-*.sqlite")
    text = " ".join(notice.text for notice in table.snapshot.notices if notice.kind == "damaged")
    assert aside.read_bytes() == damaged
    assert aside.name in text
    assert "companion restore" in text
    assert table.snapshot.storage == ""
    table.close()
    with closing(table_of(ledger, made)) as again:
        assert " ".join(notice.text for notice in again.snapshot.notices if notice.kind == "damaged") == text
    assert len(list(ledger.parent.glob("damaged-ledger-*.sqlite"))) == 1


def test_what_is_whole_is_played_on(ledger: Path) -> None:
    """Damage: if only the file's header is damaged, state and record of the live game are complete."""
    with closing(made(Ledger.open(ledger))) as table:
        before = (table.snapshot.state, list(table.archive.record()))
    header_gone(ledger)

    with closing(table_of(ledger, made)) as table:
        assert (table.snapshot.state, list(table.archive.record())) == before


def test_a_second_harm_is_set_aside_under_another_name(ledger: Path) -> None:
    """Damage: three damaged ledgers are set aside under three names, even within the same second."""
    for _ in range(3):
        header_gone(ledger)
        table_of(ledger, made).close()

    assert len(list(ledger.parent.glob("damaged-ledger-*.sqlite"))) == 3


def test_the_newest_backup_is_offered(ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Damage: the newest intact backup is named with the restore command, even if it is in another folder."""
    elsewhere = tmp_path_factory.mktemp("stick") / "thursday.sqlite"
    elsewhere.write_bytes(ledger.read_bytes())
    note_backup(ledger.parent, elsewhere)
    (ledger.parent / "ledger-20200101-000000.sqlite").write_bytes(b"no ledger")
    header_gone(ledger)

    with closing(table_of(ledger, made)) as table:
        text = " ".join(notice.text for notice in table.snapshot.notices)

    assert "thursday.sqlite" in text
    assert f"companion restore {elsewhere} --data {ledger.parent}" in text
    assert newest_backup(ledger.parent) == elsewhere


def test_an_empty_file_is_a_new_house_where_none_stood(tmp_path: Path) -> None:
    """Damage: an empty file counts as damaged only if games were played here before."""
    (tmp_path / "ledger.sqlite").touch()

    with closing(table_of(tmp_path / "ledger.sqlite", made)) as table:
        assert table.snapshot.notices == ()


def test_what_may_pass_sets_nothing_aside(ledger: Path) -> None:
    """Damage: a ledger that is in use, too new, or another program's database is not set aside."""
    owner = Ledger.open(ledger)
    with pytest.raises(LedgerInUse):
        table_of(ledger, made)
    owner.close()
    with closing(sqlite3.connect(ledger)) as card:
        card.execute("PRAGMA user_version = 5")
    with pytest.raises(LedgerTooNew):
        table_of(ledger, made)

    ledger.unlink()
    with closing(sqlite3.connect(ledger)) as stranger:
        stranger.execute("CREATE TABLE friends (name TEXT)")
    with pytest.raises(LedgerFault, match="not a ledger"):
        table_of(ledger, made)

    assert list(ledger.parent.glob("ledger-*")) == []


@pytest.mark.parametrize("code", SLEEPING)
def test_a_card_that_fails_sets_nothing_aside(ledger: Path, code: int) -> None:
    """Damage: a full, read-only or failing card is not damage, and the games stay readable."""

    def failing(path: Path) -> sqlite3.Connection:
        error = sqlite3.OperationalError("not now")
        error.sqlite_errorcode = code
        raise error

    with closing(table_of(ledger, made, failing)) as table:
        assert table.snapshot.storage != ""
        assert [entry.lines for entry in table.archive.games()] == [80]

    assert list(ledger.parent.glob("ledger-*")) == []


def test_where_nothing_can_be_set_aside_play_goes_on_in_memory(ledger: Path) -> None:
    """Damage: if no file can be created, the damaged ledger stays unchanged; a notice says that nothing is saved."""
    # A name so long that no file with a longer name can be created next to it.
    ledger = ledger.replace(ledger.with_name("l" * 240 + ".sqlite"))
    header_gone(ledger)
    damaged = ledger.read_bytes()

    with closing(table_of(ledger, made)) as table:
        assert table.snapshot.storage != ""
        assert "It stays as it is" in table.snapshot.notices[-1].text

    assert ledger.read_bytes() == damaged


def test_a_ledger_is_put_aside_with_all_its_parts(tmp_path: Path) -> None:
    """Damage: -wal and -shm files are set aside too, or SQLite would apply the old log to the next ledger."""
    for part in ("", "-wal", "-shm"):
        (tmp_path / f"ledger.sqlite{part}").write_text(part, encoding="utf-8")

    kept = set_aside(tmp_path / "ledger.sqlite")

    assert kept is not None
    assert [(kept.with_name(kept.name + part)).read_text(encoding="utf-8") for part in ("", "-wal", "-shm")] == [
        *("", "-wal", "-shm")
    ]
    assert [left.name for left in tmp_path.glob("ledger.sqlite*")] in ([], ["ledger.sqlite"])


def test_the_service_says_it_on_the_page_and_can_be_restored(tmp_path: Path) -> None:
    """Damage, end to end: the service starts, its page names file and backup, and the backup is restored."""
    data = unpacked("five-games", tmp_path) / "data"
    assert companion("backup", tmp_path / "safe.sqlite", "--data", data).returncode == 0
    nothing_left(data / "ledger.sqlite")

    service = Service(data)
    home = service.page("/")
    status = service.stop()
    restored = companion("restore", tmp_path / "safe.sqlite", "--data", data)

    (aside,) = data.glob("damaged-ledger-*.sqlite")
    assert status == 0
    assert aside.name in home
    assert "safe.sqlite" in home
    assert restored.returncode == 0, restored.stderr
    assert len(companion("games", "--data", data).stdout.splitlines()) == 5


def test_a_restore_forgets_the_damage_of_the_one_before(ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Damage: a restore removes the mark of the damaged ledger that it replaces."""
    backup = tmp_path_factory.mktemp("stick") / "backup.sqlite"
    backup.write_bytes(ledger.read_bytes())
    damage_mark(ledger).touch()

    restored = companion("restore", backup, "--data", ledger.parent)

    assert restored.returncode == 0, restored.stderr
    assert not damage_mark(ledger).exists()


def test_a_note_that_cannot_be_taken_away_is_no_crash(tmp_path: Path) -> None:
    """If service.json can't be deleted, the service still exits with status 0."""
    service = Service(tmp_path)
    service.ask("GET", "/healthz")
    (tmp_path / "service.json").unlink()
    (tmp_path / "service.json").mkdir()

    assert service.stop() == 0

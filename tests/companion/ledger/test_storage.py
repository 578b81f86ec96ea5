"""Storage trouble is detected and shown, the game continues in memory, and the ring gets no acknowledgement."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from companion.kernel.errors import Malformed, Refused
from companion.ledger import Ledger, Row, RowKind
from companion.ledger.storage import connect, frozen
from companion.model.snapshot import Snapshot
from companion.ports.ring import RingEventKind, Unrecorded
from companion.session.commands import Pause, Switch
from tests.companion.live_table import HOST, LiveTable

FAULTS = ["full", "read-only", "gone"]


class Card:
    """A memory card that can fail: full, read-only, or gone."""

    def __init__(self) -> None:
        self.fault = ""
        self.open: sqlite3.Connection | None = None

    def __call__(self, path: Path) -> sqlite3.Connection:
        if self.fault == "gone":
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise error
        self.open = connect(path)
        self._fail()
        return self.open

    def fail(self, fault: str) -> None:
        if not self.fault:
            self.fault = fault
            self._fail()

    def mend(self) -> None:
        self.fault = ""

    def _fail(self) -> None:
        if self.open is None:
            return
        if self.fault == "full":
            pages = self.open.execute("PRAGMA page_count").fetchone()[0]
            self.open.execute(f"PRAGMA max_page_count = {pages}")
        elif self.fault == "read-only":
            self.open.execute("PRAGMA query_only = ON")
        elif self.fault == "gone":
            self.open.close()
            self.open = None


@pytest.fixture
def card() -> Card:
    return Card()


@pytest.fixture
def on_card(tmp_path: Path, card: Card) -> LiveTable:
    """A table whose ledger is on a card that can fail."""
    return LiveTable(tmp_path / "ledger.db", connect=card)


def row(number: int) -> Row:
    return Row(number, 1, RowKind.MOMENT, "beat", "host", "tablet", 0, 0, 0, {})


def note(live_table: LiveTable, text: str = "x" * 9000) -> None:
    """Store a large row."""
    live_table.table.do({"do": "fix", "colour": "red", "count": 3, "note": text}, HOST)


@pytest.mark.parametrize("fault", FAULTS)
def test_play_goes_on_in_memory(on_card: LiveTable, card: Card, fault: str) -> None:
    """Storage: a commit that fails is shown at once, and the game continues in memory with new row numbers."""
    on_card.open().score(1)
    version = on_card.snapshot.version
    card.fail(fault)

    note(on_card)
    on_card.score(2).undo().score(3)

    assert on_card.snapshot.storage.startswith("Storage ")
    assert on_card.view["scores"] == {"red": 1, "blue": 3}
    assert on_card.snapshot.version > version + 4


@pytest.mark.parametrize("fault", FAULTS)
def test_the_log_can_be_downloaded(on_card: LiveTable, card: Card, fault: str) -> None:
    """Storage: with a failed card, the complete record, the history and the list of games can still be read."""
    on_card.open().score(1)
    assert len(on_card.table.archive.games()) == 1
    card.fail(fault)
    note(on_card)
    on_card.score(2)

    assert on_card.deeds() == ["score", "fix", "score"]
    assert [line.line["do"] for line in on_card.table.archive.history()] == ["score", "fix", "score"]
    assert [
        line.line["do"] for line in on_card.table.archive.history(before=on_card.snapshot.recent[0].id, most=1)
    ] == ["fix"]
    assert len(on_card.table.archive.games()) == 1


@pytest.mark.parametrize("fault", FAULTS)
def test_the_ring_gets_no_acknowledgement(on_card: LiveTable, card: Card, fault: str) -> None:
    """Storage: a draw is applied once in memory, but acknowledged only after it is on the disk."""
    on_card.open().dig(2)
    card.fail(fault)
    note(on_card)
    event = on_card.event(RingEventKind.OUT, "blue", on_card.token())

    for _ in range(3):
        with pytest.raises(Unrecorded, match="in memory only"):
            on_card.table.heard(event)
    assert on_card.view["bag"]["blue"] == 2

    card.mend()
    on_card.later(1).table.heard(event)
    assert on_card.snapshot.storage == ""
    assert on_card.restart().view["bag"]["blue"] == 2


@pytest.mark.parametrize("fault", FAULTS)
def test_what_was_played_in_memory_is_written_when_the_card_is_back(on_card: LiveTable, card: Card, fault: str) -> None:
    """Storage: when the card works again, all rows are appended, the message ends, and a restart finds all rows."""
    on_card.open().score(1)
    card.fail(fault)
    note(on_card)
    on_card.score(2).undo().score(3)
    before, lines = on_card.view, on_card.table.archive.history()

    card.mend()
    on_card.later(2)

    assert on_card.snapshot.storage == ""
    assert on_card.score(4).undo().restart().view == before
    assert on_card.table.archive.history()[1:] == lines


@pytest.mark.parametrize("fault", ["read-only", "gone"])
def test_trouble_is_noticed_without_a_command(on_card: LiveTable, card: Card, fault: str) -> None:
    """Storage: the probe detects a failing card and its recovery within seconds, without any command."""
    texts: list[str] = []
    on_card.open().table.execute(Pause(), HOST)
    on_card.table.subscribe(lambda snapshot: texts.append(snapshot.storage))
    card.fail(fault)

    on_card.later(6)
    assert on_card.snapshot.storage
    card.mend()
    on_card.later(2)

    assert texts[-1] == ""
    assert all(texts[:-1])
    assert texts[:-1]


def test_a_file_system_that_turned_read_only_under_the_open_file_is_noticed(tmp_path: Path) -> None:
    """Storage: on a read-only file system an append counts as failed, though SQLite gets no error from Linux."""
    there = []
    ledger = Ledger.open(tmp_path / "l.db", frozen=lambda _: bool(there))
    assert ledger.append([row(1)])

    there.append("read-only")

    assert not ledger.append([row(2)])
    assert "read-only" in ledger.trouble
    assert not ledger.probe()
    there.clear()
    assert ledger.probe()
    ledger.close()
    again = Ledger.read_only(tmp_path / "l.db")
    assert [again.row(number) for number in (1, 2)] == [row(1), row(2)]
    again.close()


def test_a_file_system_that_takes_writes_is_not_called_read_only(tmp_path: Path) -> None:
    """Storage: a writable folder is not reported as read-only, and neither is a missing one."""
    assert not frozen(tmp_path)
    assert not frozen(tmp_path / "nowhere" / "l.db")


def test_a_file_that_was_taken_away_is_noticed(live_table: LiveTable) -> None:
    """Storage: if the file was moved away, this is detected by reading a row back under the file's name."""
    live_table.open().score()
    live_table.path.rename(live_table.path.with_suffix(".away"))

    live_table.later(6)

    assert live_table.snapshot.storage
    assert not live_table.path.exists()


def test_another_ledger_in_its_place_gets_nothing(live_table: LiveTable, tmp_path: Path) -> None:
    """Storage: rows are never appended to another ledger in the same place."""
    other = LiveTable(tmp_path / "other.db").open().score(9)
    other.table.close()
    live_table.open().score()
    for part in ("", "-wal", "-shm"):
        live_table.path.with_name(live_table.path.name + part).rename(tmp_path / f"away.db{part}")
    shutil.copy(other.path, live_table.path)

    live_table.later(6).score().later(6)

    assert "different ledger" in live_table.snapshot.storage
    looking = Ledger.read_only(live_table.path)
    assert looking.last == other.ledger.last
    looking.close()


def test_a_commit_that_failed_but_reached_the_disk_is_not_doubled(live_table: LiveTable) -> None:
    """Storage: rows whose commit failed but reached the disk are not written again."""
    live_table.open().score(1)
    number = live_table.snapshot.game_id
    newest = live_table.ledger.newest()
    assert newest is not None
    live_table.ledger.trouble = "The commit failed."
    live_table.ledger.pending.append(newest)
    live_table.ledger._newest = live_table.ledger.stored_digest(1)

    assert live_table.ledger.probe()

    assert live_table.ledger.pending == []
    assert [live_table.ledger.volume(each).lines for each in live_table.ledger.games()] == [1]
    assert live_table.score(2).restart().snapshot.game_id == number


def test_the_table_opens_on_a_card_that_is_read_only(tmp_path: Path, card: Card) -> None:
    """Storage: with a card that is read-only from the start, the last game continues in memory."""
    LiveTable(tmp_path / "ledger.db").open().score(5).table.close()
    card.fail("read-only")

    live_table = LiveTable(tmp_path / "ledger.db", connect=card)
    live_table.score(2).later(6)

    assert live_table.snapshot.storage
    assert live_table.view["scores"] == {"red": 5, "blue": 2}
    card.mend()
    assert live_table.later(2).restart().view["scores"] == {"red": 5, "blue": 2}


def test_the_table_opens_without_any_card(tmp_path: Path, card: Card) -> None:
    """Storage: if no ledger can be created, a game is played in memory, and written once the card works."""
    card.fail("gone")
    live_table = LiveTable(tmp_path / "ledger.db", connect=card)
    assert live_table.snapshot.storage
    assert live_table.open().score(2).deeds() == ["score"]

    card.mend()
    live_table.later(2)

    assert live_table.snapshot.storage == ""
    assert live_table.restart().view["scores"] == {"red": 2, "blue": 0}


def test_what_needs_a_dead_card_is_refused(on_card: LiveTable, card: Card) -> None:
    """Storage: commands that need to read from a failed card are refused with the reason, and change nothing."""
    on_card.open().score()
    first = on_card.snapshot.game_id
    assert first is not None
    on_card.open()
    for _ in range(140):
        on_card.score()
    card.fail("gone")
    for _ in range(127):
        on_card.undo()
    seen: Snapshot = on_card.snapshot

    with pytest.raises(Refused, match="can't be read"):
        on_card.undo()
    with pytest.raises(Refused, match="can't be read"):
        on_card.table.execute(Switch(first), HOST)
    with pytest.raises(Malformed):
        on_card.do("dance")

    assert on_card.snapshot == seen
    card.mend()
    assert on_card.later(2).undo().view["turn"] == 12

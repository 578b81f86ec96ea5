"""Importing a record during a game blocks nobody, and the import is complete or marked as incomplete."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from companion.events import packed
from companion.events.table_events import CopyUsed, EventEntry
from companion.kernel.errors import Refused
from companion.kernel.fields import Line
from companion.ledger import Ledger, Row
from companion.model.snapshot import Status, Who
from companion.session.commands import Switch
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.live_table import HOST, LiveTable
from tests.companion.toy import HEADER, Toy

IMPORT = Who("host", "import")
PATIENCE_S = 60.0


def record(turns: int, undone: int = 0) -> list[Line]:
    """Return a record of *turns* turns, of which the last *undone* are taken back, with a time on each line."""
    played: list[Line] = [
        {"do": "score", "player": ("red", "blue")[turn % 2], "points": 1 + turn % 7} for turn in range(turns)
    ]
    lines = [HEADER, *played, *[{"do": "undo"}] * undone]
    return [lines[0], *({**line, "at": 1000 * at, "via": "tablet"} for at, line in enumerate(lines[1:]))]


def again(live_table: LiveTable, number: int) -> list[Line]:
    """Return the record of a game after a restart."""
    return list(live_table.restart().table.archive.record(number))


def test_whoever_plays_waits_for_no_record(live_table: LiveTable) -> None:
    """During an import, commands can be given and the history can be read."""
    live_table.open()
    done: list[int] = []

    def lines() -> Iterator[Line]:
        yield from record(3)
        hand = Thread(target=lambda: done.append(live_table.score().table.snapshot.version))
        hand.start()
        hand.join(PATIENCE_S)
        done.append(len(live_table.table.archive.history()))
        yield {"do": "score", "player": "blue", "points": 1}

    # The import runs in a thread of its own, so that a deadlock fails the test instead of blocking it.
    taking = Thread(target=lambda: live_table.table.importer.import_record(lines(), IMPORT).game, daemon=True)
    taking.start()
    taking.join(PATIENCE_S)

    assert not taking.is_alive()
    assert len(done) == 2
    assert [entry.lines for entry in live_table.table.archive.games()] == [4, 1]


def test_a_second_record_waits_its_turn(live_table: LiveTable) -> None:
    """Only one record is imported at a time; another one is refused, and can be imported later."""
    refused: list[str] = []

    def lines() -> Iterator[Line]:
        yield from record(1)
        with pytest.raises(Refused) as refusal:
            live_table.table.importer.import_record(record(1), IMPORT)
        refused.append(refusal.value.reason)

    live_table.table.importer.import_record(lines(), IMPORT)

    assert refused == ["Another record is being imported. Try again afterwards."]
    assert live_table.table.importer.import_record(record(1), IMPORT).game


@pytest.mark.parametrize("piece", [1, 2, 5, 1000])
def test_in_however_many_pieces_it_is_the_same_game(live_table: LiveTable, piece: int) -> None:
    """Pieces: importing in pieces of any size gives the same record, state and times."""
    lines = record(9, undone=4)
    whole, parts = (live_table.table.importer.import_record(lines, IMPORT, size).game for size in (1000, piece))

    views = [live_table.table.archive.final(number) for number in (whole, parts)]
    told = [
        [(one.line, one.at_ms, one.undone) for one in live_table.table.archive.transcript_lines(number)]
        for number in (whole, parts)
    ]

    assert views[0] == views[1]
    assert told[0] == told[1]
    assert list(live_table.table.archive.record(parts)) == lines == again(live_table, parts)
    assert [entry.status for entry in live_table.table.archive.games()] == [Status.LIVE] * 2
    assert live_table.table.archive.amiss() == ()


class Busy(Ledger):
    """A ledger to which another row is added after each piece."""

    def append(self, rows: Sequence[Row]) -> bool:
        kept = super().append(rows)
        other = EventEntry(self.last + 1, None, "host", "tablet", 0, 0, 1, CopyUsed("Our copy"))
        return super().append((packed(other),)) and kept


def test_what_is_played_may_come_between_the_pieces(tmp_path: Path) -> None:
    """Other rows between the pieces of an import do not change which lines are undone."""
    table = Table(LiveGame(Busy.open(tmp_path / "ledger.db"), {"toy": Toy()}, lambda: 1.0, Random(1)))
    lines = record(6, undone=3)
    number = table.importer.import_record(lines, IMPORT, 3).game
    table.close()

    after = LiveTable(tmp_path / "ledger.db")
    after.table.execute(Switch(number), HOST)

    assert list(after.table.archive.record(number)) == lines
    assert after.view["scores"] == {"red": 4, "blue": 2}
    assert [one.undone for one in after.table.archive.transcript_lines(number)] == [False] * 3 + [True] * 3
    after.ledger.close()


class Pulled(Ledger):
    """A ledger that raises KeyboardInterrupt at the second piece, like a power cut."""

    pieces = 0

    def append(self, rows: Sequence[Row]) -> bool:
        self.pieces += 1
        if self.pieces == 2:
            raise KeyboardInterrupt
        return super().append(rows)


def test_a_plug_that_is_pulled_between_pieces_leaves_no_riddle(tmp_path: Path) -> None:
    """Pieces: after a power cut, the imported part is an abandoned game with the reason, and can be read."""
    ledger = Pulled.open(tmp_path / "ledger.db")
    table = Table(LiveGame(ledger, {"toy": Toy()}, lambda: 1.0, Random(1)))
    with pytest.raises(KeyboardInterrupt):
        table.importer.import_record(record(9), IMPORT, 4)
    ledger.close()

    after = LiveTable(tmp_path / "ledger.db")
    (entry,) = after.table.archive.games()

    assert (entry.status, entry.live) == (Status.ABANDONED, False)
    assert "only part of it is here" in entry.reason
    assert after.table.archive.amiss() == ()
    assert 0 < len(list(after.table.archive.record(entry.id))) < 9
    after.ledger.close()


def test_an_undo_goes_back_farther_than_what_is_at_hand(live_table: LiveTable) -> None:
    """An imported record may undo more lines than are in memory or in one piece."""
    lines = record(150, undone=149)

    number = live_table.table.importer.import_record(lines, IMPORT, 40).game

    assert live_table.table.archive.final(number)["scores"] == {"red": 1, "blue": 0}
    assert list(live_table.table.archive.record(number)) == lines

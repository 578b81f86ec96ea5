"""The ledger's rows are converted to events and back, and rows that were just written are not read again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import UnionType
from typing import Any, get_args

import pytest

from companion.events import packed, unpacked
from companion.events.table_events import ClockChange, Event, Fate, LotDrawn, SeedSealed, WordsAdded
from companion.ledger import Ledger, Row
from tests.companion.live_table import LiveTable
from tests.companion.toy import Toy
from tests.generations.opened import unpacked as folder


@pytest.fixture
def rows(tmp_path: Path) -> Iterator[list[Row]]:
    """The rows of a ledger with every kind of row, written by an older program."""
    path = folder("five-games", tmp_path) / "data" / "ledger.sqlite"
    with closing(Ledger.read_only(path)) as ledger:
        yield [row for row in map(ledger.row, range(1, ledger.last + 1)) if row is not None]


SINCE = {SeedSealed, WordsAdded, LotDrawn}
"""Events that older programs did not have."""


def kinds(union: UnionType) -> set[type]:
    """Return the member types of a union."""
    return set(get_args(union))


def test_a_row_that_is_read_is_written_the_same(rows: list[Row]) -> None:
    """Rows: each row of an older program, unpacked and packed again, still has the same bytes."""
    assert rows
    assert [packed(unpacked(row)).fields() for row in rows] == [row.fields() for row in rows]


def test_every_event_is_in_the_older_ledger(rows: list[Row]) -> None:
    """Rows: the older ledger has every type of event, clock change and status change, except those added since."""
    events = [unpacked(row).event for row in rows]

    assert {type(event) for event in events} == kinds(Event) - SINCE
    assert {type(event.change) for event in events if hasattr(event, "change")} == kinds(ClockChange)
    assert {event for event in events if isinstance(event, Fate)} == set(Fate)


class Unreadable(Toy):
    """A toy game that counts the events it packs, and fails if one is unpacked."""

    packs = 0

    def pack(self, event: Any) -> Any:
        self.packs += 1
        return super().pack(event)

    def unpack(self, line: Any, state: Any) -> Any:
        raise AssertionError("what has just been decided is at hand")


def test_what_is_decided_is_packed_once_and_not_read_back(tmp_path: Path) -> None:
    """Rows: at a live table, each event is packed once and never unpacked."""
    game = Unreadable()
    live_table = LiveTable(tmp_path / "ledger.db", game=game).open()

    live_table.dig(3).slide("red").slide(None).answer("blue").undo("misread").answer("green")

    written = [event for row in live_table.rows("line") for event in row.body.get("events", ())]
    assert game.packs == len(written) > 0

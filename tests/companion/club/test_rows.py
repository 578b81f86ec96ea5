"""Rows go from tables to the club: byte for byte, once, in order, whatever breaks in between."""

from __future__ import annotations

from companion.ledger.stored import StoredRows
from tests.club.meeting import Meeting, Seat


def stored(seat: Seat) -> list[tuple[object, ...]]:
    """Return the rows of a table as its file stores them."""
    rows = StoredRows(seat.table.path)
    try:
        return rows.after(0, 10**6)
    finally:
        rows.close()


def test_rows_arrive_byte_for_byte(meeting: Meeting) -> None:
    """Rows: what a table committed before and after it joined is in the inbox to the last byte, and merged."""
    seat = meeting.table("one")
    seat.table.open().score().dig(2).slide("blue")
    meeting.arrived(seat)
    seat.table.undo("misread").slide("red")
    meeting.arrived(seat)
    inbox = meeting.inbox()
    (source,) = inbox.sources.values()

    assert list(inbox.rows(source)) == stored(seat)
    assert not any(each.wrong for each in inbox.checked())
    assert meeting.merged() == meeting.expected()
    inbox.close()

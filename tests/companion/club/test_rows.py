"""Rows are sent from tables to the club: byte for byte, once and in order, whatever fails in between."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from companion.club.batch import MOST_BYTES, Batch, batch_bytes, names_mark
from companion.club.collector import INBOX, LEDGER
from companion.club.connection import Message
from companion.club.inbox import Inbox, Post
from companion.club.topics import topic
from companion.ledger.row import digest_of
from companion.ledger.stored import StoredRows
from tests.club.broker import PATIENCE_S
from tests.club.meeting import Meeting, Seat


def stored(seat: Seat) -> list[tuple[object, ...]]:
    """Return a table's rows as stored in its file."""
    rows = StoredRows(seat.table.path)
    try:
        return rows.after(0, 10**6)
    finally:
        rows.close()


def renamings(seat: Seat) -> str:
    """Return a table's renamings as stored in its file."""
    rows = StoredRows(seat.table.path)
    try:
        return rows.renamings()
    finally:
        rows.close()


def received(meeting: Meeting) -> dict[str, list[tuple[Any, ...]]]:
    """Close the club, and return the rows of each source in its inbox, in the order of their arrival."""
    inbox = meeting.inbox()
    try:
        assert not any(each.wrong for each in inbox.checked())
        return {source.epoch: list(inbox.rows(source)) for source in inbox.sources.values()}
    finally:
        inbox.close()


def test_rows_arrive_byte_for_byte(meeting: Meeting) -> None:
    """Rows: all rows from before and after joining are in the inbox, byte for byte, and are merged."""
    seat = meeting.table("one")
    seat.table.open().score().dig(2).slide("blue")
    meeting.arrived(seat)
    seat.table.undo("misread").slide("red")
    meeting.arrived(seat)

    assert list(received(meeting).values()) == [stored(seat)]
    assert meeting.merged() == meeting.expected()


def test_rows_arrive_whatever_is_missing_in_between(meeting: Meeting) -> None:
    """Rows: if the broker loses its messages, or club and table restart, no row is lost or stored twice."""
    one, other = meeting.table("one"), meeting.table("other")
    one.table.open().score()
    meeting.arrived(one)
    meeting.broker.kill()
    one.table.score(2)
    other.table.open().score(3)
    meeting.broker.start()
    meeting.arrived(one, other)
    meeting.close()
    one.table.dig().slide("blue")
    other.restart().table.score(4)
    meeting.open()
    meeting.arrived(one, other)

    assert list(received(meeting).values()) == [stored(one), stored(other)]
    assert meeting.merged() == meeting.expected()


def test_a_long_ledger_comes_in_pieces(meeting: Meeting) -> None:
    """Rows: more rows than fit in a batch, and a row larger than a batch, arrive in order."""
    seat = meeting.table("one")
    seat.table.open()
    for _ in range(450):
        seat.table.score(1)
    seat.table.do("score", player=seat.table.snapshot.state.mover, points=1, note="x" * MOST_BYTES)
    seat.table.score(2)
    meeting.arrived(seat)

    assert list(received(meeting).values()) == [stored(seat)]


def test_a_restored_copy_that_was_played_on_is_another_source(meeting: Meeting, tmp_path: Path) -> None:
    """If an older copy of the ledger is put back manually and played on, the club keeps both branches (a fork)."""
    seat = meeting.table("one")
    seat.table.open().score()
    meeting.arrived(seat)
    copy = tmp_path / "yesterday.sqlite"
    seat.restart(lambda path: shutil.copy(path, copy))
    seat.table.score(2).score(3)
    meeting.arrived(seat)
    lost = tmp_path / "lost.sqlite"

    def restore(path: Path) -> None:
        shutil.copy(path, lost)
        for part in ("-wal", "-shm", ".newest"):
            path.with_name(path.name + part).unlink(missing_ok=True)
        shutil.copy(copy, path)

    before = stored(seat)
    seat.restart(restore)
    for _ in range(9):
        seat.table.score(7)
    meeting.arrived(seat)

    assert list(received(meeting).values()) == [before, stored(seat)]
    assert meeting.merged() == meeting.expected(lost)


def test_a_copy_of_the_whole_folder_is_another_source_too(meeting: Meeting, tmp_path: Path) -> None:
    """Fork: if an older copy replaces the whole folder, a new epoch starts, and the club keeps both branches."""
    seat = meeting.table("one")
    seat.table.open().score()
    meeting.arrived(seat)
    yesterday, lost = tmp_path / "yesterday", tmp_path / "lost.sqlite"
    seat.restart(lambda path: shutil.copytree(path.parent, yesterday))
    seat.table.score(2).score(3)
    meeting.arrived(seat)
    before = stored(seat)

    def restore(path: Path) -> None:
        shutil.copy(path, lost)
        shutil.rmtree(path.parent)
        shutil.copytree(yesterday, path.parent)

    seat.restart(restore)
    for _ in range(9):
        seat.table.score(7)
    meeting.arrived(seat)

    assert list(received(meeting).values()) == [before, stored(seat)]
    assert meeting.merged() == meeting.expected(lost)


def test_other_rows_under_the_same_numbers_are_a_fork(meeting: Meeting) -> None:
    """Inbox: rows that differ from stored rows with the same numbers are a fork, and nothing is overwritten."""
    seat = meeting.table("one")
    seat.table.open().score().score(2)
    meeting.arrived(seat)
    rows = stored(seat)
    inbox = meeting.inbox()
    (source,) = inbox.sources.values()
    last, digest = source.upto, source.digest
    other = (*rows[-1][:6], 999, *rows[-1][7:15], bytes(16))
    batch = Batch(source.ledger, source.epoch, last - 1, rows[-2][-1], (rows[-1],), newest=last)
    batches = [
        batch,
        replace(batch, after=last - 2, before=rows[-3][-1], rows=tuple(rows[-2:])),
        replace(batch, rows=(other,)),
        replace(batch, after=last, before=bytes(16), rows=((last + 1, *other[1:]),)),
        replace(batch, after=last + 5),
        replace(batch, after=last, before=digest, rows=((last + 1, *other[1:]),)),
    ]
    acks = inbox.take([Post("one", each, 0) for each in batches])
    kept = list(inbox.rows(source))
    inbox.close()

    assert [ack.state for ack in acks] == ["ok", "ok", "fork", "fork", "gap", "ok"]
    assert [ack.upto for ack in acks] == [*[last] * 5, last + 1]
    assert kept == [*rows, (last + 1, *other[1:])]


def test_a_removed_name_is_removed_everywhere(meeting: Meeting) -> None:
    """Names: a name changed or removed at the table is changed or removed everywhere in the club's files."""
    seat = meeting.table("one")
    seat.table.open(players=[{"colour": "red", "name": "Anastasia"}, {"colour": "blue", "name": "Balthasar"}]).score()
    meeting.arrived(seat)
    seat.table.table.rename("Anastasia", None)
    seat.table.table.rename("Balthasar", "Caspar")
    seat.table.score()
    mark = names_mark(renamings(seat))
    meeting.until(lambda ack: ack.names == mark and ack.upto == seat.table.ledger.last)
    expected = meeting.expected()

    assert list(received(meeting).values()) == [stored(seat)]
    assert meeting.merged() == expected
    held = b"".join(path.read_bytes() for path in meeting.folder.iterdir())
    assert b"Caspar" in held
    assert b"Anastasia" not in held
    assert b"Balthasar" not in held


def test_a_club_that_lost_its_ledger_makes_it_again(meeting: Meeting) -> None:
    """A club without its ledger rebuilds it from the inbox."""
    seat = meeting.table("one")
    seat.table.open().score()
    meeting.arrived(seat)
    meeting.close()
    (meeting.folder / LEDGER).unlink()
    meeting.open()
    seat.table.score(2)
    meeting.arrived(seat)

    assert meeting.merged() == meeting.expected()


def test_a_club_that_lost_its_inbox_gets_the_rows_again(meeting: Meeting) -> None:
    """A club with an empty inbox answers `gap`, and all rows are sent again."""
    seat = meeting.table("one")
    seat.table.open().score()
    meeting.arrived(seat)
    meeting.close()
    (meeting.folder / INBOX).unlink()
    meeting.open()
    seat.table.score(2)
    meeting.arrived(seat)

    assert list(received(meeting).values()) == [stored(seat)]


def test_a_full_disk_is_said_and_rows_come_later(tmp_path: Path) -> None:
    """If the disk is full, the inbox stores nothing and answers `full`; the same batch is stored when space is free."""
    inbox = Inbox(tmp_path / INBOX)
    row = (1, 1, "game", "opened", "host", "host", 0, 0, 0, "{}", None, None, None, None, None, bytes(16))
    many = tuple((number, *row[1:9], f'{{"x":"{"y" * 9000}"}}', *row[10:]) for number in range(1, 200))
    post = Post("t", Batch("aa", "e1", 0, None, many, newest=200), 0)
    (pages,) = inbox._connection.execute("PRAGMA page_count").fetchone()
    inbox._connection.execute(f"PRAGMA max_page_count = {pages + 9}")
    (full,) = inbox.take([post])
    inbox._connection.execute("PRAGMA max_page_count = 1000000")
    (fine,) = inbox.take([post])
    inbox.close()

    assert (full.state, full.upto) == ("full", 0)
    assert (fine.state, fine.upto) == ("ok", 199)


@pytest.mark.parametrize(
    "payload", [b"", b"[]", b"{}", b'{"v":1}', b"\xff", b'{"v":1,"ledger":"a","rows":[[1]]}', b"[" * 9999]
)
def test_nonsense_on_the_topic_of_rows_is_not_taken(meeting: Meeting, payload: bytes) -> None:
    """Club: an invalid batch is reported once and ignored, and later rows arrive."""
    seat = meeting.table("one")
    seat.table.open()
    meeting.arrived(seat)
    seat.link.connection.publish(Message(topic("one", "rows"), payload))
    seat.table.score()
    meeting.arrived(seat)

    assert list(received(meeting).values()) == [stored(seat)]
    assert len(meeting.said) == 1


def test_a_table_with_a_newer_program_is_told(meeting: Meeting) -> None:
    """Club: a batch of a later version is answered with `newer` and reported once."""
    seat = meeting.table("one")
    seat.table.open()
    meeting.arrived(seat)
    newer, told = Message(topic("one", "rows"), b'{"v":2}'), 0
    while told < 2:
        # Another batch that arrives at the same time may be answered first.
        if seat.link.connection.publish(newer):
            told += meeting.until(lambda ack: True).state == "newer"

    (sentence,) = meeting.said
    assert "update the club's companion" in sentence


def test_two_tables_with_one_sheet_are_told(meeting: Meeting) -> None:
    """Join: if two tables use the same sheet, both connections report it."""
    one, other = meeting.table("one"), meeting.table("other")
    troubles: Queue[str] = Queue()
    for seat in (one, other):
        seat.table.open().score()
        seat.end()
        seat.address = "same"
        seat.sit_down()
        seat.link.connection.subscribe(lambda view: troubles.put(view.trouble))
    while "a sheet of its own" not in troubles.get(timeout=PATIENCE_S):
        pass


HEADER = '{"id":"aa","header":{"players":[{"colour":"red","name":0}]}}'


@pytest.mark.parametrize(
    ("kind", "body"),
    [("line", "{}"), ("game", "{}"), ("game", '{"header":{"players":7}}'), ("tea", HEADER), ("game", "[")],
)
def test_rows_that_no_companion_writes_stop_nobody_else(meeting: Meeting, kind: str, body: str) -> None:
    """Club: a game that cannot be merged is reported once and stays in the inbox; other tables are still merged."""
    columns = (1, 1, kind, "opened", "host", "host", 0, 0, 0, body, None, None, None, None, None)
    row = (*columns, digest_of(None, columns))
    seat = meeting.table("one")
    batch = Batch("feed", "e1", 0, None, (row,), newest=1)
    seat.table.open().score()
    meeting.arrived(seat)
    seat.link.connection.publish(Message(topic("two", "rows"), batch_bytes(batch)))
    seat.table.score()
    meeting.arrived(seat)

    assert meeting.merged() == meeting.expected()
    assert sorted(map(len, received(meeting).values())) == [1, seat.table.ledger.last]
    assert len(meeting.said) == 1

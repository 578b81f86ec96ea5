"""Texts of the table are stored with their patterns, so that each device can show them in its own language."""

from __future__ import annotations

import sqlite3

from companion.kernel.said import Said, said
from companion.kernel.supervisor import stopped
from companion.ledger import RowKind
from tests.companion.ledger.damage import rechained
from tests.companion.live_table import LiveTable


def forget_patterns(live_table: LiveTable) -> None:
    """Remove the patterns from the ledger, so that it looks as if an older version had written it."""
    with sqlite3.connect(live_table.path) as older:
        older.execute("DROP TRIGGER row_stays")
        older.execute("UPDATE row SET body = json_remove(body, '$.said', '$.question.said')")
        rechained(older)
    older.close()


def test_a_notice_keeps_its_pattern(live_table: LiveTable) -> None:
    """Languages: after a restart, a notice still has its pattern for translation."""
    live_table.open().slide("red").restart()
    (notice,) = live_table.snapshot.notices

    assert isinstance(notice.text, Said)
    assert notice.text == "One red station left the ring outside an attempt: practice."
    assert notice.text.pattern == "%(station)s left the ring outside an attempt: practice."
    station = notice.text.fills["station"]
    assert isinstance(station, Said)
    assert (station.pattern, station.fills) == ("One %(colour)s station", {"colour": "red"})


def test_a_question_keeps_its_pattern(live_table: LiveTable) -> None:
    """Languages: after a restart, a question still has its pattern for translation."""
    live_table.open(bag={"red": 1, "blue": 3, "green": 0}).dig().slide("green").restart()
    detail = live_table.question.detail

    assert isinstance(detail, Said)
    assert detail == "The ring saw green, but there's none under it. What was it?"
    assert detail.pattern == "The ring saw %(colour)s, but there's none under it. What was it?"


def test_what_is_on_record_is_english(live_table: LiveTable) -> None:
    """Languages: a row has the complete English sentence, for people who read the file without the program."""
    live_table.open().slide("red")
    (row,) = live_table.restart().rows(RowKind.PASSAGE)

    assert type(row.body["text"]) is str
    assert row.body["text"] == "One red station left the ring outside an attempt: practice."


def test_an_older_ledger_is_read_in_english(live_table: LiveTable) -> None:
    """Languages: notices and questions of an older ledger without patterns are shown in English."""
    live_table.open(bag={"red": 1, "blue": 3, "green": 0}).slide("red").dig().slide("green")
    notice, question = live_table.snapshot.notices[0], live_table.question

    forget_patterns(live_table)
    live_table.restart()

    assert live_table.snapshot.notices[0] == notice
    assert live_table.question == question
    assert not live_table.rows(RowKind.PASSAGE)[0].body.get("said")


def test_a_thread_that_died_is_told_with_its_pattern(live_table: LiveTable) -> None:
    """Languages: the notice about a stopped thread has a pattern for translation."""
    live_table.table.show_unattended([stopped(said("The console"), RuntimeError("torn"), 4.0)])
    text = live_table.snapshot.notices[0].text

    assert isinstance(text, Said)
    assert text.pattern == "%(what)s stopped (%(fault)s). It starts again in %(seconds)s s."

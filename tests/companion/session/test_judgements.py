"""Judgements: the colour of a passage is stored in a row of its own, and judging again only adds rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from companion.kernel.errors import Malformed
from companion.ledger import Row
from companion.ports.ring import Judgement, RingEventKind
from tests.companion.live_table import HOST, LiveTable

RED = {"colour": "red", "ranking": [["red", 0.97], ["blue", 0.02]], "why": "", "unknown": 0.01, "calibration": "c2"}


def judged_as(answer: Mapping[str, Any] | None) -> Any:
    """Return a judge that gives the same answer for every passage."""

    def judged(raw: Sequence[str]) -> Mapping[str, Any] | None:
        assert list(raw) == ["raw"]
        return answer

    return judged


def test_a_judgement_is_a_row_of_its_own(live_table: LiveTable) -> None:
    """Judgements: the row after the raw row has the colour, ranking, reason, unknown share and calibration."""
    seen: dict[str, Any] = {
        "ranking": (("red", 0.6), ("blue", 0.3)),
        "why": "ambiguous",
        "unknown": 0.1,
        "calibration": "c1",
    }
    live_table.open().dig().slide(None, **seen)

    (raw,), (judged,) = live_table.rows("ring"), live_table.rows("judgement")
    assert "judgement" not in raw.body
    assert (judged.id, judged.ring, judged.word, judged.game) == (raw.id + 1, raw.id, "first", raw.game)
    assert judged.body == {
        "colour": None,
        "ranking": [["red", 0.6], ["blue", 0.3]],
        "why": "ambiguous",
        "unknown": 0.1,
        "calibration": "c1",
    }


def test_the_chain_is_whole(live_table: LiveTable) -> None:
    """Judgements: judgement, question, answer and line all refer to the raw row."""
    live_table.open().dig().slide(None, ranking=(("red", 0.6), ("blue", 0.4)), why="ambiguous").answer("blue")

    raw = live_table.rows("ring")[0].id
    rows = (live_table.ledger.row(number) for number in range(raw + 1, live_table.ledger.last + 1))
    chain = [row for row in rows if row is not None and row.ring == raw]
    assert [(row.kind, row.word) for row in chain] == [
        *(("judgement", "first"), ("passage", "asked"), ("answer", "answered"), ("line", "draw")),
    ]
    asked = chain[1].body["question"]
    assert [colour for colour, _ in asked["offered"]] == ["red", "blue", "green"]
    assert (asked["fault"], chain[2].body) == ("ambiguous-colour", {"chosen": "blue"})


def test_a_judgement_without_a_game_is_kept_too(live_table: LiveTable) -> None:
    """Judgements: a practice passage without a game also has a judgement."""
    live_table.slide("red")

    (raw,), (judged,) = live_table.rows("ring"), live_table.rows("judgement")
    assert (judged.ring, judged.game, judged.body["colour"]) == (raw.id, None, "red")


def test_an_event_without_a_judgement_has_none(live_table: LiveTable) -> None:
    """Judgements: a passage without a judgement has no such row, and leads to a question like an unread one."""
    live_table.open().dig()
    live_table.table.heard(replace(live_table.event(RingEventKind.OUT), judgement=None))

    assert live_table.rows("judgement") == []
    assert live_table.question.fault == "unread-colour"


def test_an_older_ledger_is_read(live_table: LiveTable) -> None:
    """Judgements: an older raw row that contains its judgement is still read."""
    live_table.open().dig()
    event = live_table.event(RingEventKind.OUT)
    body = {"at_us": 1, "token": event.token, "raw": ["raw"], "detail": {}}
    old = {**body, "judgement": {"colour": None, "ranking": [["blue", 0.6], ["red", 0.4]]}}
    last = live_table.ledger.row(live_table.ledger.last)
    assert last is not None
    raw = Row(last.id + 1, last.game, "ring", "out", "ring", "ring", 0, 0, 0, old, source=event.source)
    asked = {"question": {"kind": "unsure", "offered": [["blue", 0.6]], "detail": "What was it?"}}
    question = Row(last.id + 2, last.game, "passage", "asked", "companion", "companion", 0, 0, 0, asked, ring=raw.id)
    live_table.ledger.append((raw, question))

    live_table.restart()
    assert [colour for colour, _ in live_table.question.offered] == ["blue"]
    live_table.answer("blue").undo("misread")

    assert live_table.question.offered[:2] == (("blue", 0.6), ("red", 0.4))


def test_a_misread_draw_is_asked_again_by_what_was_judged(live_table: LiveTable) -> None:
    """Judgements: for a draw undone as misread, other colours of its ranking are offered, even after a restart."""
    live_table.open().dig().slide("red", ranking=(("red", 0.9), ("green", 0.08), ("blue", 0.02)))

    live_table.restart().undo("misread")

    assert [colour for colour, _ in live_table.question.offered][:2] == ["green", "blue"]


def test_judging_again_adds_rows_and_changes_nothing(live_table: LiveTable) -> None:
    """Judgements: judging again adds a row per passage, and changes neither snapshot nor record."""
    live_table.open().dig(2).slide("blue").slide(None).answer("green")
    snapshot, record = live_table.snapshot, live_table.lines()
    last = live_table.table.archive.games()[0].last

    live_table.table.archive.judge_again(1, judged_as(RED), HOST)
    live_table.table.archive.judge_again(1, judged_as(RED), HOST)

    again = [row for row in live_table.rows("judgement") if row.word == "again"]
    assert [row.ring for row in again] == [row.id for row in live_table.rows("ring")] * 2
    assert all(row.body == RED for row in again)
    assert live_table.restart().running == snapshot
    assert live_table.lines() == record
    assert live_table.table.archive.games()[0].last == last


def test_what_would_change_is_told(live_table: LiveTable) -> None:
    """Judgements: the result has each passage's draw, old and new judgement, and lists draws that would change."""
    live_table.open(bag={"red": 9, "blue": 9, "green": 9}).dig(6)
    live_table.slide("blue").slide("red").slide(None, ranking=(("blue", 0.5), ("red", 0.5))).answer("blue")
    live_table.slide(None).answer("not a draw").slide("green").undo("knocked over").draw("green")
    live_table.slide(None)

    found = live_table.table.archive.judge_again(1, judged_as(RED), HOST)

    assert [(each.became, each.colour, each.by_hand) for each in found.passages] == [
        ("draw", "blue", False),
        ("draw", "red", False),
        ("draw", "blue", True),
        ("not a draw", None, True),
        ("taken back", None, True),
        ("open", None, False),
    ]
    assert found.passages[0].then == Judgement("blue", (("blue", 0.99),))
    assert found.passages[0].now == Judgement("red", (("red", 0.97), ("blue", 0.02)), "", 0.01, "c2")
    assert [each.id for each in found.changes] == [found.passages[0].id, found.passages[2].id]
    assert [line.line["colour"] for line in found.typed] == ["green"]
    assert (found.asks, found.unread) == ((), ())


def test_draws_that_would_be_asked_about_are_told(live_table: LiveTable) -> None:
    """Judgements: draws that the new judge would turn into questions are listed, unless a person answered them."""
    live_table.open().dig(2).slide("blue").slide(None).answer("green")

    found = live_table.table.archive.judge_again(1, judged_as({**RED, "colour": None, "why": "ambiguous"}), HOST)

    assert [each.colour for each in found.asks] == ["blue"]
    assert found.changes == ()


def test_passages_without_anything_to_judge_are_told(live_table: LiveTable) -> None:
    """Judgements: a passage without frames is listed as unread, and gets no row."""
    live_table.open().dig().slide("blue")

    found = live_table.table.archive.judge_again(1, judged_as(None), HOST)

    assert [each.colour for each in found.unread] == ["blue"]
    assert [row.word for row in live_table.rows("judgement")] == ["first"]


def test_another_game_can_be_judged_again(live_table: LiveTable) -> None:
    """Judgements: another game can be judged again while one is live; an unknown number is refused."""
    live_table.open().dig().slide("blue")
    live_table.open().dig(3)
    snapshot = live_table.snapshot

    assert len(live_table.table.archive.judge_again(1, judged_as(RED), HOST).changes) == 1

    assert live_table.restart().running == snapshot
    assert live_table.slide("green").view["left"] == 2
    with pytest.raises(Malformed, match="no game 77"):
        live_table.table.archive.judge_again(77, judged_as(RED), HOST)


@pytest.mark.parametrize(
    "nonsense", [{}, {"colour": 3}, {"ranking": 7, "colour": None}, {"ranking": [[1]], "colour": ""}]
)
def test_a_judge_that_talks_nonsense_is_refused(live_table: LiveTable, nonsense: Mapping[str, Any]) -> None:
    """Judgements: an invalid judgement is refused and not stored."""
    live_table.open().dig().slide("blue")
    last = live_table.ledger.last

    with pytest.raises(Malformed, match="a judgement"):
        live_table.table.archive.judge_again(1, judged_as(nonsense), HOST)

    assert live_table.ledger.last == last


def test_a_calibrations_passages_are_no_draws(live_table: LiveTable) -> None:
    """Judgements: passages of a calibration are stored, but lead to no draws, questions or notices."""
    live_table.open().dig()
    before = live_table.snapshot
    for kind in (RingEventKind.OUT, RingEventKind.PAIR, RingEventKind.BACK, RingEventKind.STUCK, RingEventKind.LOOK):
        live_table.table.heard(live_table.event(kind, "red", 900_000_001, calibrating=True))

    assert live_table.snapshot == before
    assert [row.word for row in live_table.rows("ring")] == ["out", "pair", "back", "stuck", "look"]
    assert live_table.restart().running == before
    assert live_table.table.archive.judge_again(1, judged_as(RED), HOST).passages == ()


def test_a_calibrations_passages_without_a_game_are_no_practice(live_table: LiveTable) -> None:
    """Judgements: without a game, passages of a calibration give no notice of practice."""
    live_table.table.heard(live_table.event(RingEventKind.OUT, "red", 900_000_001, calibrating=True))

    assert live_table.snapshot.notices == ()
    assert json.loads(json.dumps(live_table.rows("ring")[0].body))["detail"] == {"calibrating": True}

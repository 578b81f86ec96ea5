"""Undo: anything, any number of steps, across a restart, and nothing is ever erased."""

from __future__ import annotations

from typing import Any

import pytest

from companion.kernel.errors import Malformed, Refused
from companion.model.snapshot import MovedOn
from tests.companion.live_table import HOST, Evening


def test_undo_goes_back_one_line_and_strikes_it_through(evening: Evening) -> None:
    """Undo: the last line is taken back, and stays in the history struck through."""
    evening.open().score(3)

    evening.undo()

    assert evening.view["scores"] == {"red": 0, "blue": 0}
    assert [(told.line["do"], told.undone) for told in evening.table.history()] == [("score", True)]
    assert [told.undone for told in evening.sight.recent] == [True]
    assert evening.deeds() == ["score", "undo"]


def test_undo_of_nothing_is_refused(evening: Evening) -> None:
    """Undo: with no line left there is nothing to take back."""
    evening.open().score().undo()

    assert evening.sight.undoable is None
    with pytest.raises(Refused, match="nothing to take back"):
        evening.undo()


def test_undo_never_takes_back_an_undo(evening: Evening) -> None:
    """Undo: two in a row take back two lines."""
    evening.open().score(1).score(2)

    evening.undo().undo()

    assert evening.view["scores"] == {"red": 0, "blue": 0}
    assert evening.deeds() == ["score", "score", "undo", "undo"]


def test_undo_takes_the_companions_lines_along(evening: Evening) -> None:
    """Undo: what the companion added by itself goes with the line before it, each by an undo of its own."""
    evening.open(bag={"red": 1, "blue": 1}).dig(2).draw("red")
    assert evening.deeds() == ["dig", "draw", "draw"]

    evening.undo()

    assert evening.deeds() == ["dig", "draw", "draw", "undo", "undo"]
    assert evening.view["left"] == 2
    assert evening.sight.undoable is not None
    assert evening.sight.undoable.line["do"] == "dig"


def test_undo_works_across_a_restart(evening: Evening) -> None:
    """Undo: a restart forgets no step."""
    evening.open().score(1).score(2).score(3)

    evening.undo().restart().undo().restart().undo()

    assert evening.view == {
        "bag": {"red": 3, "blue": 3, "green": 2},
        "scores": {"red": 0, "blue": 0},
        "turn": 0,
        "left": 0,
    }


def test_undo_goes_deeper_than_memory(evening: Evening) -> None:
    """Undo: more lines than are kept in memory can be taken back, half of them after a restart."""
    evening.open()
    for points in range(1, 401):
        evening.score(points)

    for _ in range(200):
        evening.undo()
    assert evening.view["scores"] == {"red": sum(range(1, 201, 2)), "blue": sum(range(2, 201, 2))}
    evening.restart().score(7).undo()
    for _ in range(200):
        evening.undo()

    assert evening.view["turn"] == 0
    assert evening.view["scores"] == {"red": 0, "blue": 0}
    assert evening.sight.undoable is None


def test_a_line_after_an_undo_goes_on_from_there(evening: Evening) -> None:
    """Undo: the story goes on from the point that was gone back to."""
    evening.open().score(1).score(2).undo().score(5)

    evening.undo().undo()

    assert evening.view["turn"] == 0
    assert [told.undone for told in evening.table.history()] == [True, True, True]


def test_undo_as_a_line_is_an_undo(evening: Evening) -> None:
    """Undo: scripts may send it as a line like any other, with the reason as its note."""
    evening.open().dig().slide("red")

    evening.table.do({"do": "undo", "note": "knocked over"}, HOST)

    assert evening.view["left"] == 2
    assert evening.lines()[-1]["note"] == "knocked over"


@pytest.mark.parametrize("odd", [{"note": 3}, {"note": {}}, {"via": "pigeon"}, {"steps": 2}], ids=str)
def test_an_undo_line_has_nothing_odd(evening: Evening, odd: dict[str, Any]) -> None:
    """Undo: as a line it has no fields of its own, and its note is a text; anything else changes nothing."""
    version = evening.open().score().sight.version

    with pytest.raises(Malformed):
        evening.table.do({"do": "undo", **odd}, HOST)

    assert evening.sight.version == version


def test_undo_from_an_old_page_is_refused(evening: Evening) -> None:
    """Undo: a page that shows an older game would take back something else than it says."""
    evening.open().score()
    old = evening.sight.version
    evening.score()

    with pytest.raises(MovedOn):
        evening.table.undo(HOST, version=old)


def test_a_draw_that_happened_asks_for_a_reason(evening: Evening) -> None:
    """Undo: a station that really left the ring is taken back only for a reason that is known."""
    evening.open().dig().slide("red")
    assert evening.sight.undoable is not None
    assert evening.sight.undoable.by_ring

    with pytest.raises(Refused, match="Say why"):
        evening.undo()
    with pytest.raises(Malformed):
        evening.undo("because")

    assert evening.undo("knocked over").view["left"] == 2
    assert evening.table.history()[0].note == "knocked over"


def test_a_typed_draw_needs_no_reason(evening: Evening) -> None:
    """Undo: what was typed in is taken back without paperwork."""
    assert evening.open().dig().draw("red").undo().view["left"] == 2


def test_the_raw_row_of_a_draw_stays(evening: Evening) -> None:
    """Undo: the ring's own row is never erased."""
    evening.open().dig().slide("red").undo("not a draw")

    (told, *_) = evening.table.history()
    assert told.ring is not None
    row = evening.ledger.row(told.ring)
    assert row is not None
    assert (row.kind, row.word, row.body["raw"]) == ("ring", "out", ["raw"])


def test_a_misread_draw_is_asked_again(evening: Evening) -> None:
    """Undo: a draw taken back as misread asks what it was, the colour it was taken for left out at the end."""
    ranking = (("red", 0.7), ("blue", 0.3))
    evening.open().dig().slide("red", ranking=ranking).undo("misread")

    assert evening.question.kind == "unsure"
    assert evening.question.offered[0][0] == "blue"
    assert dict(evening.question.offered)["red"] == 0

    evening.answer("blue")
    assert evening.sight.questions == ()
    assert evening.view["bag"]["blue"] == 2
    assert evening.view["left"] == 1
    assert evening.sight.undoable is not None
    assert evening.sight.undoable.by_ring


def test_the_last_draw_of_an_attempt_can_be_misread(evening: Evening) -> None:
    """Undo: a misread draw that ended the attempt opens it again, and is asked about."""
    evening.open().dig(1).slide("red").undo("misread")
    assert evening.question.kind == "unsure"

    evening.restart().answer("green")

    assert evening.view["bag"] == {"red": 3, "blue": 3, "green": 1}
    assert evening.view["left"] == 0


def test_two_misread_draws_are_asked_in_the_order_they_left(evening: Evening) -> None:
    """Undo: of two draws taken back as misread, the one that left the ring first is asked about first."""
    evening.open().dig(2).slide("red").slide("blue")
    first = evening.table.history()[1].ring

    evening.undo("misread").undo("misread")
    assert evening.question.id == first

    evening.answer("green")
    assert evening.question.id != first
    evening.answer("green")
    assert evening.view["bag"] == {"red": 3, "blue": 3, "green": 0}


def test_a_misread_pair_is_asked_again_as_a_pair(evening: Evening) -> None:
    """Undo: two stations that left at once are asked about again as two."""
    evening.open().dig(2).pair().answer("red+blue").undo("misread")

    assert evening.question.kind == "pair"
    assert evening.answer("green+green").view["bag"]["green"] == 1

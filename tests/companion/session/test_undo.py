"""Undo takes back any number of lines, also across restarts, without deleting rows."""

from __future__ import annotations

from typing import Any

import pytest

from companion.kernel.errors import Malformed, Refused
from companion.model.snapshot import MovedOn
from companion.session.commands import Undo
from companion.session.line_reducer import DEPTH
from tests.companion.live_table import HOST, LiveTable
from tests.companion.toy import Toy

Ranking = tuple[tuple[str, float], ...]


def test_undo_goes_back_one_line_and_strikes_it_through(live_table: LiveTable) -> None:
    """Undo: the last line is taken back, and remains in the history, marked as undone."""
    live_table.open().score(3)

    live_table.undo()

    assert live_table.view["scores"] == {"red": 0, "blue": 0}
    assert [(line.line["do"], line.undone) for line in live_table.table.archive.history()] == [("score", True)]
    assert [line.undone for line in live_table.snapshot.recent] == [True]
    assert live_table.deeds() == ["score", "undo"]


def test_undo_of_nothing_is_refused(live_table: LiveTable) -> None:
    """Undo is refused if no line is left to take back."""
    live_table.open().score().undo()

    assert live_table.snapshot.undoable is None
    with pytest.raises(Refused, match="nothing to undo"):
        live_table.undo()


def test_undo_never_takes_back_an_undo(live_table: LiveTable) -> None:
    """Undo: two undos in a row take back two lines."""
    live_table.open().score(1).score(2)

    live_table.undo().undo()

    assert live_table.view["scores"] == {"red": 0, "blue": 0}
    assert live_table.deeds() == ["score", "score", "undo", "undo"]


def test_undo_takes_the_companions_lines_along(live_table: LiveTable) -> None:
    """Undo: automatic lines are taken back with the line before them, each by an undo line of its own."""
    live_table.open(bag={"red": 1, "blue": 1}).dig(2).draw("red")
    assert live_table.deeds() == ["dig", "draw", "draw"]

    live_table.undo()

    assert live_table.deeds() == ["dig", "draw", "draw", "undo", "undo"]
    assert live_table.view["left"] == 2
    assert live_table.snapshot.undoable is not None
    assert live_table.snapshot.undoable.line["do"] == "dig"


def test_undo_works_across_a_restart(live_table: LiveTable) -> None:
    """Undo: after a restart, undo continues where it was."""
    live_table.open().score(1).score(2).score(3)

    live_table.undo().restart().undo().restart().undo()

    assert live_table.view == {
        "bag": {"red": 3, "blue": 3, "green": 2},
        "scores": {"red": 0, "blue": 0},
        "turn": 0,
        "left": 0,
    }


def test_undo_goes_deeper_than_memory(live_table: LiveTable) -> None:
    """Undo: more lines than are in memory can be taken back, even after a restart."""
    live_table.open()
    half = DEPTH + 2
    for points in range(1, 2 * half + 1):
        live_table.score(points)

    for _ in range(half):
        live_table.undo()
    assert live_table.view["scores"] == {"red": sum(range(1, half, 2)), "blue": sum(range(2, half + 1, 2))}
    live_table.restart().score(7).undo()
    for _ in range(half):
        live_table.undo()

    assert live_table.view["turn"] == 0
    assert live_table.view["scores"] == {"red": 0, "blue": 0}
    assert live_table.snapshot.undoable is None


def test_a_line_after_an_undo_goes_on_from_there(live_table: LiveTable) -> None:
    """Undo: after an undo, the next line continues from the earlier state."""
    live_table.open().score(1).score(2).undo().score(5)

    live_table.undo().undo()

    assert live_table.view["turn"] == 0
    assert [line.undone for line in live_table.table.archive.history()] == [True, True, True]


def test_undo_as_a_line_is_an_undo(live_table: LiveTable) -> None:
    """Undo can be sent as a line, with the reason as its note."""
    live_table.open().dig().slide("red")

    live_table.table.do({"do": "undo", "note": "knocked over"}, HOST)

    assert live_table.view["left"] == 2
    assert live_table.lines()[-1]["note"] == "knocked over"


@pytest.mark.parametrize("odd", [{"note": 3}, {"note": {}}, {"via": "pigeon"}, {"steps": 2}], ids=str)
def test_an_undo_line_has_nothing_odd(live_table: LiveTable, odd: dict[str, Any]) -> None:
    """Undo as a line with other fields or an invalid note is refused and changes nothing."""
    version = live_table.open().score().snapshot.version

    with pytest.raises(Malformed):
        live_table.table.do({"do": "undo", **odd}, HOST)

    assert live_table.snapshot.version == version


def test_undo_from_an_old_page_is_refused(live_table: LiveTable) -> None:
    """Undo from a page with an older version is refused."""
    live_table.open().score()
    old = live_table.snapshot.version
    live_table.score()

    with pytest.raises(MovedOn):
        live_table.table.execute(Undo(), HOST, old)


def test_a_draw_that_happened_asks_for_a_reason(live_table: LiveTable) -> None:
    """Undo: taking back a draw of the ring needs a known reason."""
    live_table.open().dig().slide("red")
    assert live_table.snapshot.undoable is not None
    assert live_table.snapshot.undoable.by_ring

    with pytest.raises(Refused, match="Say why"):
        live_table.undo()
    with pytest.raises(Malformed):
        live_table.undo("because")

    assert live_table.undo("knocked over").view["left"] == 2
    assert live_table.table.archive.history()[0].note == "knocked over"


def test_a_typed_draw_needs_no_reason(live_table: LiveTable) -> None:
    """Undo: taking back a typed draw needs no reason."""
    assert live_table.open().dig().draw("red").undo().view["left"] == 2


def test_the_raw_row_of_a_draw_stays(live_table: LiveTable) -> None:
    """Undo: the raw row of the ring's event remains in the ledger."""
    live_table.open().dig().slide("red").undo("not a draw")

    (line, *_) = live_table.table.archive.history()
    assert line.ring is not None
    row = live_table.ledger.row(line.ring)
    assert row is not None
    assert (row.kind, row.word, row.body["raw"]) == ("ring", "out", ["raw"])


def test_a_misread_draw_is_asked_again(live_table: LiveTable) -> None:
    """Undo: if a draw is undone as misread, a question offers the other colours first and the rejected one last."""
    ranking = (("red", 0.7), ("blue", 0.3))
    live_table.open().dig().slide("red", ranking=ranking).undo("misread")

    assert live_table.question.kind == "unsure"
    assert live_table.question.offered[0][0] == "blue"
    assert dict(live_table.question.offered)["red"] == 0

    live_table.answer("blue")
    assert live_table.snapshot.questions == ()
    assert live_table.view["bag"]["blue"] == 2
    assert live_table.view["left"] == 1
    assert live_table.snapshot.undoable is not None
    assert live_table.snapshot.undoable.by_ring


def test_the_last_draw_of_an_attempt_can_be_misread(live_table: LiveTable) -> None:
    """Undo: if the last draw of an attempt is undone as misread, the attempt is open again and a question is asked."""
    live_table.open().dig(1).slide("red").undo("misread")
    assert live_table.question.kind == "unsure"

    live_table.restart().answer("green")

    assert live_table.view["bag"] == {"red": 3, "blue": 3, "green": 1}
    assert live_table.view["left"] == 0


def test_two_misread_draws_are_asked_in_the_order_they_left(live_table: LiveTable) -> None:
    """Of two draws undone as misread, the question about the draw that left the ring first comes first."""
    live_table.open().dig(2).slide("red").slide("blue")
    first = live_table.table.archive.history()[1].ring

    live_table.undo("misread").undo("misread")
    assert live_table.question.id == first

    live_table.answer("green")
    assert live_table.question.id != first
    live_table.answer("green")
    assert live_table.view["bag"] == {"red": 3, "blue": 3, "green": 0}


def test_a_misread_pair_is_asked_again_as_a_pair(live_table: LiveTable) -> None:
    """If a pair of stations that came out at once is undone as misread, the table asks about both again."""
    live_table.open().dig(2).pair().answer("red+blue").undo("misread")

    assert live_table.question.kind == "pair"
    assert live_table.answer("green+green").view["bag"]["green"] == 1


def test_a_misread_draw_says_what_the_ring_saw(live_table: LiveTable) -> None:
    """Undo: after a draw is undone as misread, the question says which colour the ring saw."""
    live_table.open().dig().slide("red", ranking=(("red", 0.99),)).undo("misread")

    assert str(live_table.question.detail) == "The ring saw red."
    assert live_table.question.fault == ""


@pytest.mark.parametrize("ranking", [(), (("red", 1.0),), (("red", 0.6), ("orange", 0.4))])
def test_the_colour_that_was_misread_is_never_offered_first(live_table: LiveTable, ranking: Ranking) -> None:
    """Undo: whatever the ring measured, the rejected colour comes last with no share, even after a restart."""
    live_table.open().dig().slide("red", ranking=ranking).undo("misread").restart()

    assert live_table.question.offered[-1] == ("red", 0.0)
    assert all(share > 0 for _, share in live_table.question.offered[:-1])


def test_a_whole_attempt_is_taken_back_at_once(live_table: LiveTable) -> None:
    """Undo: the reason "whole attempt" takes back all draws and the line that began them, each as a row of its own."""
    live_table.open(bag={"red": 2, "blue": 2}).score(1).dig(2).slide("red").slide("blue")
    assert live_table.snapshot.undoable is not None
    began = live_table.snapshot.undoable.attempt
    assert [line.line["do"] for line in live_table.table.archive.history() if line.id == began] == ["dig"]

    live_table.restart().undo("whole attempt")

    assert live_table.deeds() == ["score", "dig", "draw", "draw", "undo", "undo", "undo"]
    assert live_table.view == {"bag": {"red": 2, "blue": 2}, "scores": {"red": 1, "blue": 0}, "turn": 1, "left": 0}
    assert [(line.undone, line.note) for line in live_table.table.archive.history()][:3] == [
        (True, "whole attempt")
    ] * 3
    assert live_table.table.order() is None


def test_an_attempt_taken_back_spares_the_attempt_before_it(live_table: LiveTable) -> None:
    """Undo: "whole attempt" goes back to the line that began the newest attempt, not to an earlier one."""
    live_table.open().dig(1).slide("red").dig(2).slide("blue").undo("whole attempt")

    assert live_table.deeds() == ["dig", "draw", "dig", "draw", "undo", "undo"]
    assert live_table.view["left"] == 0


class Bag(Toy):
    """A game in which every cube that comes out is a draw."""

    in_attempts = False


def test_without_attempts_no_move_is_taken_back_with_a_draw(live_table: LiveTable) -> None:
    """Undo: in a game without attempts, "whole attempt" is refused, and the move before a draw stays."""
    live_table.restart(Bag()).open().dig(1).slide("red")
    assert live_table.snapshot.undoable is not None and live_table.snapshot.undoable.attempt == 0

    with pytest.raises(Refused, match="No move began this attempt"):
        live_table.undo("whole attempt")
    assert live_table.deeds() == ["dig", "draw"]

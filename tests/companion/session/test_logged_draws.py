"""Logged draws: what lay there, what came out, who let it out, and what became of it."""

from __future__ import annotations

from companion.fairness import LetOut, Source
from companion.model.snapshot import MISREAD
from tests.companion.live_table import LiveTable


def logged(table: LiveTable):
    """The draws of the live game."""
    return table.table.logged_draws(table.snapshot.game_id)


def test_a_draw_tells_what_lay_there_before_it(live_table: LiveTable) -> None:
    """Logged draws: the contents are those under the ring as it was held over them, draw by draw."""
    live_table.open(bag={"red": 3, "blue": 2}).dig(2).slide("blue").slide("red")

    first, second = logged(live_table)
    assert (first.under, first.out) == ({"red": 3, "blue": 2}, ("blue",))
    assert (second.under, second.out) == ({"red": 3, "blue": 1}, ("red",))
    assert first.seat == "red"


def test_a_ring_is_named_and_so_is_what_it_read(live_table: LiveTable) -> None:
    """Logged draws: the ring that counted, what it took the cube for and how surely."""
    live_table.open().dig().slide("blue")

    (draw,) = logged(live_table)
    assert draw.let_out == LetOut(Source.RING, "ring-1", "blue", 0.99, raw=("raw",))


def test_what_a_person_said_counts_and_is_marked(live_table: LiveTable) -> None:
    """Logged draws: an answered question is the ring's draw, told by a person."""
    live_table.open().dig().slide(None, ranking=(("red", 0.6), ("blue", 0.4)), why="ambiguous").answer("blue")

    (draw,) = logged(live_table)
    assert draw.out == ("blue",)
    assert draw.let_out == LetOut(Source.RING, "ring-1", None, 0.6, by_hand=True, raw=("raw",))


def test_a_typed_draw_belongs_to_no_ring(live_table: LiveTable) -> None:
    """Logged draws: what was typed says nothing of a ring."""
    live_table.open().dig().draw("blue")

    (draw,) = logged(live_table)
    assert draw.let_out == LetOut(Source.HAND)


def test_a_draw_that_was_taken_back_stays_listed(live_table: LiveTable) -> None:
    """Logged draws: undone is not forgotten: it stands there with its reason, and counts no more."""
    live_table.open().dig().slide("blue").undo(MISREAD)

    (draw,) = logged(live_table)
    assert draw.undone == MISREAD
    assert not draw.counts


def test_draws_are_the_same_after_a_restart(live_table: LiveTable) -> None:
    """Logged draws: what the ledger tells does not change with the house."""
    live_table.open().dig().slide("blue").slide("red")
    before = logged(live_table)

    live_table.restart()
    assert logged(live_table) == before

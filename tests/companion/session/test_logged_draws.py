"""Logged draws: what lay there, what came out, who let it out, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.fairness import CubeSource, GameDraws, LetOut, Passed
from companion.games.draws import GAME
from companion.model.snapshot import MISREAD
from tests.companion.live_table import HOST, LiveTable


def logged(table: LiveTable):
    """The draws of the live game."""
    return table.table.archive.logged_draws(table.snapshot.game_id)


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
    assert draw.let_out == LetOut(CubeSource.RING, "ring-1", "blue", 0.99, raw=("raw",))


def test_what_a_person_said_counts_and_is_marked(live_table: LiveTable) -> None:
    """Logged draws: an answered question is the ring's draw, told by a person."""
    live_table.open().dig().slide(None, ranking=(("red", 0.6), ("blue", 0.4)), why="ambiguous").answer("blue")

    (draw,) = logged(live_table)
    assert draw.out == ("blue",)
    assert draw.let_out == LetOut(CubeSource.RING, "ring-1", None, 0.6, by_hand=True, raw=("raw",))


def test_a_typed_draw_belongs_to_no_ring(live_table: LiveTable) -> None:
    """Logged draws: what was typed says nothing of a ring."""
    live_table.open().dig().draw("blue")

    (draw,) = logged(live_table)
    assert draw.let_out == LetOut(CubeSource.HAND)


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


def test_what_left_the_ring_and_was_no_draw_is_told_beside(live_table: LiveTable) -> None:
    """Logged draws: surplus, practice and what nobody drew are counted with the ring that let them out."""
    live_table.open(bag={"red": 3, "blue": 2}).slide("red").dig(1)
    token = live_table.token()
    live_table.slide("blue").slide("red", token=token)

    found = live_table.table.archive.game_draws(live_table.snapshot.game_id)
    assert found.passed == (Passed(CubeSource.RING, "ring-1", "practice"), Passed(CubeSource.RING, "ring-1", "surplus"))


def test_an_answer_that_it_was_no_draw_is_told_beside(live_table: LiveTable) -> None:
    """Logged draws: what a person said was no draw is none, and is not dropped."""
    live_table.open().dig().slide(None, ranking=(("red", 0.6), ("blue", 0.4)), why="ambiguous").answer("not a draw")

    found = live_table.table.archive.game_draws(live_table.snapshot.game_id)
    assert found == GameDraws((), (Passed(CubeSource.RING, "ring-1", "not a draw"),))


@pytest.fixture
def draw_table(tmp_path: Path) -> Iterator[LiveTable]:
    """An open table with a bag and a tower."""
    made = LiveTable(tmp_path / "draws.db", GAME)
    header = {"record": "table-record", "version": 1, "game": "draws", "players": [], "contents": {"red": 3, "blue": 2}}
    made.table.open({**header, "tower": {"red": 1}}, HOST)
    yield made
    made.ledger.close()


def test_a_handful_from_a_bag_is_a_draw_of_the_bag(draw_table: LiveTable) -> None:
    """Logged draws: what is typed at an open table came out of a bag, several at once as one draw."""
    draw_table.do("draw", cubes={"red": 1, "blue": 1})

    (draw,) = logged(draw_table)
    assert (draw.under, draw.out, draw.let_out) == ({"red": 3, "blue": 2}, ("red", "blue"), LetOut(CubeSource.BAG))
    assert draw.counts


def test_a_throw_through_a_tower_is_told_when_the_next_begins_and_before(draw_table: LiveTable) -> None:
    """Logged draws: a throw is all that came out until the next, from all that lay in the tower then."""
    draw_table.do("throw", cubes={"blue": 2}).do("out", cubes={"blue": 1}).do("out", cubes={"red": 1})
    (one,) = logged(draw_table)
    draw_table.do("throw", cubes={"blue": 1}).do("out", cubes={"blue": 2})

    first, second = logged(draw_table)
    assert (first.under, first.out, first.let_out) == ({"red": 1, "blue": 2}, ("blue", "red"), LetOut(CubeSource.TOWER))
    assert (first, first.place) == (one, "tower")
    assert (second.under, second.out) == ({"blue": 2}, ("blue", "blue"))


def test_a_throw_of_which_nothing_came_out_says_nothing(draw_table: LiveTable) -> None:
    """Logged draws: a throw that stayed in the tower is no draw, and what was undone is none either."""
    draw_table.do("throw", cubes={"blue": 2}).do("out", cubes={"blue": 1}).undo()

    assert logged(draw_table) == ()

"""Each logged draw has the cubes under the ring, the colour that came out, its source, and whether it was undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.fairness import CubeSource, GameDraws, LetOut, Passed
from companion.games.draws import GAME
from companion.model.snapshot import MISREAD
from tests.companion.live_table import HOST, LiveTable


def logged(table: LiveTable):
    """Return the draws of the live game."""
    return table.table.archive.logged_draws(table.snapshot.game_id)


def test_a_draw_tells_what_lay_there_before_it(live_table: LiveTable) -> None:
    """Logged draws: each draw has the cubes that were under the ring just before it."""
    live_table.open(bag={"red": 3, "blue": 2}).dig(2).slide("blue").slide("red")

    first, second = logged(live_table)
    assert (first.under, first.out) == ({"red": 3, "blue": 2}, ("blue",))
    assert (second.under, second.out) == ({"red": 3, "blue": 1}, ("red",))
    assert first.seat == "red"


def test_a_ring_is_named_and_so_is_what_it_read(live_table: LiveTable) -> None:
    """Logged draws: a draw has the ring's name, the colour that it read, and the confidence."""
    live_table.open().dig().slide("blue")

    (draw,) = logged(live_table)
    assert draw.let_out == LetOut(CubeSource.RING, "ring-1", "blue", 0.99, raw=("raw",))


def test_what_a_person_said_counts_and_is_marked(live_table: LiveTable) -> None:
    """Logged draws: an answered question is a draw of the ring, marked as answered by a person."""
    live_table.open().dig().slide(None, ranking=(("red", 0.6), ("blue", 0.4)), why="ambiguous").answer("blue")

    (draw,) = logged(live_table)
    assert draw.out == ("blue",)
    assert draw.let_out == LetOut(CubeSource.RING, "ring-1", None, 0.6, by_hand=True, raw=("raw",))


def test_a_typed_draw_belongs_to_no_ring(live_table: LiveTable) -> None:
    """Logged draws: a typed draw has no ring."""
    live_table.open().dig().draw("blue")

    (draw,) = logged(live_table)
    assert draw.let_out == LetOut(CubeSource.HAND)


def test_a_draw_that_was_taken_back_stays_listed(live_table: LiveTable) -> None:
    """Logged draws: an undone draw is listed with its reason, but does not count."""
    live_table.open().dig().slide("blue").undo(MISREAD)

    (draw,) = logged(live_table)
    assert draw.undone == MISREAD
    assert not draw.counts


def test_draws_are_the_same_after_a_restart(live_table: LiveTable) -> None:
    """Logged draws are the same after a restart."""
    live_table.open().dig().slide("blue").slide("red")
    before = logged(live_table)

    live_table.restart()
    assert logged(live_table) == before


def test_what_left_the_ring_and_was_no_draw_is_told_beside(live_table: LiveTable) -> None:
    """Logged draws: surplus and practice cubes are counted separately, for their ring."""
    live_table.open(bag={"red": 3, "blue": 2}).slide("red").dig(1)
    token = live_table.token()
    live_table.slide("blue").slide("red", token=token)

    found = live_table.table.archive.game_draws(live_table.snapshot.game_id)
    assert found.passed == (Passed(CubeSource.RING, "ring-1", "practice"), Passed(CubeSource.RING, "ring-1", "surplus"))


def test_an_answer_that_it_was_no_draw_is_told_beside(live_table: LiveTable) -> None:
    """Logged draws: a passage answered as "not a draw" is counted separately."""
    live_table.open().dig().slide(None, ranking=(("red", 0.6), ("blue", 0.4)), why="ambiguous").answer("not a draw")

    found = live_table.table.archive.game_draws(live_table.snapshot.game_id)
    assert found == GameDraws((), (Passed(CubeSource.RING, "ring-1", "not a draw"),))


@pytest.fixture
def draw_table(tmp_path: Path) -> Iterator[LiveTable]:
    """An open draw table with a bag and a tower."""
    made = LiveTable(tmp_path / "draws.db", GAME)
    header = {"record": "table-record", "version": 1, "game": "draws", "players": [], "contents": {"red": 3, "blue": 2}}
    made.table.open({**header, "tower": {"red": 1}}, HOST)
    yield made
    made.ledger.close()


def test_a_handful_from_a_bag_is_a_draw_of_the_bag(draw_table: LiveTable) -> None:
    """Logged draws: cubes that were typed in together at an open table are one draw from the bag."""
    draw_table.do("draw", cubes={"red": 1, "blue": 1})

    (draw,) = logged(draw_table)
    assert (draw.under, draw.out, draw.let_out) == ({"red": 3, "blue": 2}, ("red", "blue"), LetOut(CubeSource.BAG))
    assert draw.counts


def test_a_throw_through_a_tower_is_told_when_the_next_begins_and_before(draw_table: LiveTable) -> None:
    """Logged draws: a throw has all cubes that were in the tower, and all that came out before the next throw."""
    draw_table.do("throw", cubes={"blue": 2}).do("out", cubes={"blue": 1}).do("out", cubes={"red": 1})
    (one,) = logged(draw_table)
    draw_table.do("throw", cubes={"blue": 1}).do("out", cubes={"blue": 2})

    first, second = logged(draw_table)
    assert (first.under, first.out, first.let_out) == ({"red": 1, "blue": 2}, ("blue", "red"), LetOut(CubeSource.TOWER))
    assert (first, first.place) == (one, "tower")
    assert (second.under, second.out) == ({"blue": 2}, ("blue", "blue"))


def test_a_throw_of_which_nothing_came_out_says_nothing(draw_table: LiveTable) -> None:
    """A throw from which nothing came out is not a draw, even if an exit was undone."""
    draw_table.do("throw", cubes={"blue": 2}).do("out", cubes={"blue": 1}).undo()

    assert logged(draw_table) == ()

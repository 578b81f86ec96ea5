"""Undo takes back the last line, and can be repeated down to the first."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.andromeda import GAME
from companion.games.andromeda.random_policy import command
from tests.companion.games.andromeda.evening import Evening
from tests.effort import seeds


def test_an_action_is_taken_back(evening):
    """Undo: taking back an action takes back all its effects."""
    before = evening.game

    assert evening.move("red", "p1", 4, 2).undo().game == before


def test_a_draw_is_a_line_of_its_own(evening):
    """Undo: draws are taken back one at a time, then the attempt."""
    before = evening.game
    evening.establish("red", "p3", 6).draw("blue").draw("red")

    assert evening.undo().view["ring"]["draws_left"] == 2
    assert evening.undo().on("p3")["blue"] == 2
    assert evening.undo().game == before


def test_undo_goes_on_where_it_stopped(evening):
    """Undo: after an undo and a new line, the new line is taken back next."""
    evening.exchange("red", 1).undo().exchange("red", 2)
    assert evening.game.discards == 2

    assert evening.undo().game.discards == 0


def test_undo_crosses_rounds(evening):
    """Undo works across turns, phases and rounds."""
    before = evening.end_turn("red").end_turn("blue").end_turn("green").game

    assert evening.end_turn("yellow").deal().undo().undo().game == before


def test_the_end_is_taken_back(evening):
    """Undo: the end of the game can be taken back."""
    for planet in ("p1", "p2", "p3"):
        evening.owning("red", f"{planet}/0").owning("blue", f"{planet}/1").owning("green", f"{planet}/2")
    evening.all_end_turns()
    assert evening.view["finished"]

    assert evening.undo().view["to_act"] == ["yellow"]


def test_there_is_a_first_line():
    """Undo is refused if no line is left."""
    assert Evening(3).refused.undo() == "There's nothing left to undo."


@pytest.mark.parametrize("seed", seeds(6))
def test_anything_is_taken_back(seed):
    """Undo: taking back every line of a random game restores every earlier state."""
    lots, evening = Random(seed), Evening(3 + seed % 3)
    states = [evening.game]
    for _ in range(150):
        line = dict(GAME.line(command(evening.game, lots)))
        states.append(evening.do(line.pop("do"), **line).game)

    for state in reversed(states[:-1]):
        assert evening.undo().game == state

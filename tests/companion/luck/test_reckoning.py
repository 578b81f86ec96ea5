"""Luck: the part of a result that comes from random events."""

from __future__ import annotations

from dataclasses import replace
from math import fsum

import pytest

from companion.games.andromeda import GAME
from companion.games.andromeda.luck import LUCK
from companion.luck import reckoned
from tests.companion.games.andromeda.evening import Evening
from tests.companion.toy import HEADER, Toy
from tests.effort import seeds
from tests.luck.games import played

SEEDS = seeds(6)


@pytest.mark.parametrize("seed", SEEDS)
def test_luck_and_the_rest_are_the_whole_game(seed: int) -> None:
    """Luck: for every seat, luck and skill add up to the final value minus the initial value."""
    report = played(GAME, 3 + seed % 3, str(seed)).luck

    for each in report.seats.values():
        assert each.luck + each.skill == pytest.approx(each.final - each.initial, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_one_gains_the_others_lose(seed: int) -> None:
    """Luck: in each random event, the luck of all seats adds up to 0."""
    for stroke in played(GAME, 4, str(seed)).luck.strokes:
        assert fsum(stroke.luck.values()) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_before_chance_decides_there_is_no_luck_yet(seed: int) -> None:
    """Luck: the mean over all possible draws, weighted by their chances, is 0."""
    game = played(GAME, 4, str(seed))
    for row, line, before, _ in game.positions:
        might = LUCK.outcomes(before, line)
        if not might:
            continue
        mean = dict.fromkeys(before.colours, 0.0)
        for chance, other in might:
            after = before
            for event in GAME.decide(before, GAME.parse(other)):
                after = GAME.evolve(after, event)
            report = reckoned(GAME, before, [(row, other, before, after)])
            mean = {seat: mean[seat] + chance * report.strokes[0].luck[seat] for seat in mean}
        assert max(map(abs, mean.values())) < 1e-9


def test_the_result_is_how_far_one_ends_ahead_of_the_others() -> None:
    """Luck: a game's final value is a player's points minus the mean of the other players' points."""
    game = played(GAME, 3, "a")
    totals = dict(GAME.result(game.end).totals)
    first, *others = totals

    assert LUCK.worth(game.end)[first] == pytest.approx(totals[first] - sum(totals[each] for each in others) / 2)


def test_a_likely_win_is_little_luck_and_an_unlikely_one_is_much() -> None:
    """Luck: against six other stations, winning with three of the player's takes less luck than winning with one."""
    likely, unlikely = (_luck_of_a_win(own) for own in (3, 1))

    assert 0 < likely < unlikely


def test_hidden_credits_change_no_luck_before_they_are_shown() -> None:
    """Luck: a position's worth does not depend on hidden credits."""
    game = played(GAME, 4, "b")
    state = game.positions[len(game.positions) // 2][2]
    seat = state.colours[0]
    richer = replace(state, players={**state.players, seat: replace(state.players[seat], credits=(2, 0, 1, 0))})

    assert LUCK.worth(state) == LUCK.worth(richer)


def test_a_game_that_knows_no_luck_tells_none() -> None:
    """Luck: for a game without a luck model there is no report."""
    assert reckoned(Toy(), Toy().start(HEADER), ()) is None


def test_two_that_left_at_once_are_one_draw() -> None:
    """If two stations come out at once, the counted one gives the same luck as if it had come alone."""
    game = next(game for seed in range(40) if _doubles(game := played(GAME, 4, f"d{seed}")))
    row, line, before, after = _doubles(game)[0]
    (double,) = reckoned(GAME, before, [(row, line, before, after)]).strokes
    single = {"do": "draw", "colour": line["out"]}
    alone = before
    for event in GAME.decide(before, GAME.parse(single)):
        alone = GAME.evolve(alone, event)
    (other,) = reckoned(GAME, before, [(row, single, before, alone)]).strokes

    assert double.luck == pytest.approx(other.luck)


def _doubles(game):
    return [each for each in game.positions if each[1]["do"] == "double_exit" and "out" in each[1]]


def _luck_of_a_win(own: int) -> float:
    """Return red's luck in winning with the first draw, with *own* red stations against six other stations."""
    evening = Evening().in_actions().establish("red", "p3", cards=4)
    before = evening.game
    red = replace(before.players["red"], planets=(*before.players["red"].planets[:2], own, *([0] * 4)))
    before = replace(before, players={**before.players, "red": red})
    line = {"do": "draw", "colour": "red"}
    after = before
    for event in GAME.decide(before, GAME.parse(line)):
        after = GAME.evolve(after, event)
    report = reckoned(GAME, before, [(1, line, before, after)])
    assert report is not None
    return report.strokes[0].luck["red"]

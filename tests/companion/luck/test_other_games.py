"""Luck with dice and tiles, in the games without the ring."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from math import fsum
from typing import Any

import pytest

from companion.games.registry import GAMES
from companion.model.game import AnyGame
from tests.effort import seeds
from tests.luck.games import Played, played

SEEDS = seeds(4)
NAMES = ("hanse", "wreck")


def some(name: str, seed: int) -> Played:
    """Return a random game of *name* with as many players as possible."""
    game = GAMES[name]
    assert game.random_play is not None
    return played(game, game.random_play.players[-1], str(seed))


def after(game: AnyGame, state: Any, line: Any) -> Any:
    """Return *state* after *line*."""
    return reduce(game.evolve, game.decide(state, game.parse(line)), state)


def undecided(game: Played) -> list[Any]:
    """Return every position of *game* before its end."""
    return [before for _, _, before, _ in game.positions if game.game.result(before) is None]


def chances(game: Played) -> Iterator[tuple[Any, Any, tuple[tuple[float, Any], ...]]]:
    """Yield every position before a random event, with the event's line and all possible outcomes."""
    model = game.game.luck
    assert model is not None
    for _, line, before, _ in game.positions:
        might = model.outcomes(before, line)
        if might:
            yield before, line, might


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_luck_and_the_rest_are_the_whole_game(name: str, seed: int) -> None:
    """Luck: for every seat, luck and skill add up to the final value minus the initial value."""
    report = some(name, seed).luck

    assert report.strokes
    for each in report.seats.values():
        assert each.luck + each.skill == pytest.approx(each.final - each.initial, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_all_that_might_happen_can_and_adds_up(name: str) -> None:
    """Outcomes are legal lines, their chances add up to 1, and one outcome has the real line's worth."""
    game = some(name, 1)
    model = game.game.luck
    assert model is not None
    for before, line, might in chances(game):
        worths = [model.worth(after(game.game, before, other)) for _, other in might]
        real = model.worth(after(game.game, before, line))

        assert fsum(chance for chance, _ in might) == pytest.approx(1, abs=1e-12)
        assert min(max(abs(real[seat] - worth[seat]) for seat in real) for worth in worths) < 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_what_one_gains_the_others_lose(name: str) -> None:
    """Luck: in each random event, the luck of all seats adds up to 0."""
    for stroke in some(name, 2).luck.strokes:
        assert fsum(stroke.luck.values()) == pytest.approx(0, abs=1e-9)


def test_hands_move_no_figure() -> None:
    """Luck: a position's worth does not depend on hidden cards."""
    game = some("hanse", 3)
    model = game.game.luck
    assert model is not None
    for before in undecided(game)[::7]:
        hidden = {colour: replace(each, hand=0, draw_pile=0, named=None) for colour, each in before.players.items()}

        assert model.worth(replace(before, players=hidden)) == model.worth(before)


def test_missions_in_hand_move_no_figure() -> None:
    """Luck: a position's worth does not depend on personal missions that are not fulfilled."""
    game = some("wreck", 3)
    model = game.game.luck
    assert model is not None
    for before in undecided(game)[::5]:
        hidden = {colour: replace(each, personal=not each.personal) for colour, each in before.players.items()}

        assert model.worth(replace(before, players=hidden, personal_pile=0)) == model.worth(before)


def test_a_seven_is_a_one_and_a_six() -> None:
    """Luck with the die: a 2 has probability 1/6, a 7 is possible only after a 1, and all rolls follow the rule."""
    game = some("hanse", 0)
    _, _, might = next(chances(game))
    by_sum = {sum(line["dice"]): chance for chance, line in might}

    assert by_sum[2] == pytest.approx(1 / 6)
    assert by_sum[3] == pytest.approx(1 / 6 + 1 / 36)
    assert by_sum[7] == pytest.approx(sum(6.0**-n for n in range(2, 7)))


def test_the_open_draw_table_tells_no_luck() -> None:
    """Luck: an open draw table has no score, and therefore no luck."""
    assert GAMES["draws"].luck is None

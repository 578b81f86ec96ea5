"""Random players: they always find a legal command, whatever cards they have."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from companion.games.andromeda import PLANETS
from companion.games.andromeda.demo_policy import command
from tests.companion.games.andromeda.evening import Evening


def test_whose_planets_are_all_forbidden_lays_a_credit(trading: Evening) -> None:
    """Trading: a random player who may lay no planet card but has a credit lays the credit."""
    red, *others = trading.game.colours
    trading.lay(red, PLANETS[0])
    players = {colour: replace(trading.game.players[colour], hand=1, credits=(1, 0, 0, 0)) for colour in others}
    state = replace(trading.game, players={**trading.game.players, **players})

    assert command(state, Random(1)).card == "silver"

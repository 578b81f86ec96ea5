"""How sensible players play: straight for the centres, so that a whole game is short enough for a test."""

from __future__ import annotations

from random import Random

from companion.games.andromeda.actions import EndTurn, Exchange, Ship, Technology
from companion.games.andromeda.attempt import Establish
from companion.games.andromeda.random_policy import command
from companion.games.andromeda.rules import Command, choices
from companion.games.andromeda.state import Phase, State, best_free_centre, stations_on
from companion.games.andromeda.swaps import Swap
from companion.games.andromeda.trading import Excuse, Lay
from companion.games.andromeda.view import waited_for


def sensible(state: State, lots: Random) -> Command:
    """Return a legal command that brings the end nearer; never called while an attempt is open."""
    seat = waited_for(state)[0]
    match state.phase:
        case Phase.SETUP:
            return command(state, lots)
        case Phase.ACTIONS:
            return _action(state, seat)
        case _:
            return _quiet(state, seat, lots)


def _quiet(state: State, seat: str, lots: Random) -> Command:
    """Return a random command, but never an excuse or an unnamed card."""
    offered = choices(state, seat)
    kept = [each for each in offered if not isinstance(each, Excuse) and each != Lay(seat, None)]
    swaps = [each for each in kept if isinstance(each, Swap)]
    return lots.choice(swaps or kept)


def _action(state: State, seat: str) -> Command:
    offered = choices(state, seat)
    attempts = [each for each in offered if isinstance(each, Establish) and each.bonus and not each.set.jokers]
    if attempts:
        return max(attempts, key=lambda each: (_value(state, each), each.set.cards))
    others = [each for each in offered if isinstance(each, Ship | Technology | Exchange)]
    return others[0] if others else EndTurn(seat)


def _value(state: State, attempt: Establish) -> float:
    """Return the value of one draw: the centre's value times the share of the player's own stations."""
    planet = attempt.set.planet
    slot, there = best_free_centre(state, planet), stations_on(state, planet)
    assert slot is not None
    return state.setting.board.planet(planet).centres[slot] * there[attempt.player] / sum(there.values())

"""The strategy of simulated players in a demonstration game: they deliver goods if possible, and buy cards."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from companion.games.hanse import random_policy
from companion.games.hanse.flight import Fly, Roll, cast, reachable
from companion.games.hanse.interventions import Intervene
from companion.games.hanse.places import ENERGY, PLANETS
from companion.games.hanse.planet_actions import Buy, Load, Unload
from companion.games.hanse.rules import Command, candidates, choices, legal
from companion.games.hanse.state import Phase, Player, State, place_of, turn_of, works_at
from companion.games.hanse.turns import EndTurn

W = TypeVar("W")

FAR = 99
ALLOWED, PASSENGERS, INTERVENTIONS = 0.85, 0.25, 0.15
"""The probabilities that a card is allowed, that a passenger lands, and that another intervention is played."""
SPARE = 2
"""A card is bought only if at least this many times its price is left afterwards."""


def command(state: State, lots: Random) -> Command:
    """Return a legal command. It must not be called after the end."""
    match state.phase:
        case Phase.TURN:
            return _turn(state, lots)
        case Phase.ANSWER:
            ways = choices(state, state.colours[turn_of(state).player == state.colours[0]])
            return ways[0] if lots.random() < ALLOWED else ways[-1]
        case Phase.GOODS | Phase.CHOICE | Phase.PLANET | Phase.FLIP:
            return random_policy.command(state, lots)
        case Phase.FINISHED:
            raise AssertionError("asked after the end")


def _turn(state: State, lots: Random) -> Command:
    turn = turn_of(state)
    if unloads := _ways(state, Unload):
        return unloads[0]
    if (card := _card(state, lots)) is not None:
        return card
    if loads := _ways(state, Load):
        return max(loads, key=lambda load: _worth(state, load))
    if (bought := _bought(state, lots)) is not None:
        return bought
    if turn.energy and (flight := _flight(state, _ways(state, Fly))) is not None:
        return flight
    if turn.flights:
        return Roll(turn.player, cast(lots))
    return EndTurn(turn.player)


def _ways(state: State, kind: type[W]) -> list[W]:
    """Return the legal commands of one *kind*.

    Checking all kinds would take much longer, and most of them aren't needed.
    """
    named = candidates(state, turn_of(state).player)
    return [way for way in named if isinstance(way, kind) and legal(state, way)]


def _card(state: State, lots: Random) -> Command | None:
    """Return an intervention at random, but never a Hyperstorm, and often None."""
    lands, plays = lots.random() < PASSENGERS, lots.random() < INTERVENTIONS
    played = [way for way in _ways(state, Intervene) if way.card != "hyperstorm"] if lands or plays else []
    landing = [way for way in played if way.card == "passenger"]
    if landing and lands:
        return landing[0]
    useful = [way for way in played if way.choices is not None]
    return lots.choice(useful) if useful and plays else None


def _worth(state: State, load: Command) -> tuple[int, str]:
    planet = works_at(state)
    assert isinstance(load, Load) and planet is not None, "loads are offered where they can be taken"
    return sum(card.value for card in state.at(planet) if card.to == load.to), load.to


def _bought(state: State, lots: Random) -> Command | None:
    turn = turn_of(state)
    rich = state.players[turn.player].megagalax >= (1 + SPARE) * turn.price
    buys = _ways(state, Buy) if rich else []
    return lots.choice(buys) if buys else None


def _flight(state: State, ways: Sequence[Fly]) -> Command | None:
    """Return the flight to the place that is nearest to a wanted planet, or None if staying is as good."""
    player = turn_of(state).player
    wanted = _wanted(state, state.players[player])
    reach = reachable(state)

    def left(place: str) -> int:
        return min((0 if place == to else ENERGY[place].get(to, FAR) for to in wanted), default=FAR)

    best = min(reach, key=lambda place: (left(place), reach[place], place), default=None)
    if best is None or left(best) >= left(place_of(state, player)):
        return None
    return next(way for way in ways if way.to == best)


def _wanted(state: State, player: Player) -> tuple[str, ...]:
    """Return the planets to fly to: the load's destinations, or without a load the two planets with the most goods."""
    aboard = tuple(cargo[0].to for cargo in player.containers if cargo)
    return aboard or tuple(sorted(PLANETS, key=lambda planet: -len(state.at(planet)))[:2])

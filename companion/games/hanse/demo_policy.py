"""Play with a little sense, for a game that plays itself: goods go where they are wanted, and cards are bought."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.games.hanse import commands as asked
from companion.games.hanse import random_policy
from companion.games.hanse.commands import Command
from companion.games.hanse.legal_moves import choices
from companion.games.hanse.places import ENERGY, PLANETS
from companion.games.hanse.random_policy import die
from companion.games.hanse.state import Phase, Player, State, place_of, turn_of, works_at
from companion.games.hanse.view import reachable

FAR = 99
ALLOWED, PASSENGERS, INTERVENTIONS = 0.85, 0.25, 0.15
"""How often a card is allowed, a passenger lands, another card is played."""
SPARE = 2
"""Megagalax that stay after a purchase, for each that is paid."""


def command(state: State, lots: Random) -> Command:
    """Return a legal command; never called after the end."""
    match state.phase:
        case Phase.TURN:
            return _turn(state, lots)
        case Phase.ANSWER:
            ways = choices(state, state.colours[turn_of(state).player == state.colours[0]])
            return ways[0] if lots.random() < ALLOWED else ways[-1]
        case _:
            return random_policy.command(state, lots)


def _turn(state: State, lots: Random) -> Command:
    turn = turn_of(state)
    ways = choices(state, turn.player)
    by_kind = {kind: [way for way in ways if isinstance(way, kind)] for kind in (asked.Unload, asked.Load, asked.Fly)}
    if by_kind[asked.Unload]:
        return by_kind[asked.Unload][0]
    if (card := _card(ways, lots)) is not None:
        return card
    if by_kind[asked.Load]:
        return max(by_kind[asked.Load], key=lambda load: _worth(state, load))
    if (bought := _bought(state, ways, lots)) is not None:
        return bought
    if turn.energy and (flight := _flight(state, by_kind[asked.Fly])) is not None:
        return flight
    if turn.flights:
        return asked.Roll(turn.player, die(lots))
    return asked.EndTurn(turn.player)


def _card(ways: tuple[Command, ...], lots: Random) -> Command | None:
    """Return an intervention now and then; the storm is left to people."""
    played = [way for way in ways if isinstance(way, asked.Intervene) and way.card != "hyperstorm"]
    landing = [way for way in played if way.card == "passenger"]
    if landing and lots.random() < PASSENGERS:
        return landing[0]
    useful = [way for way in played if way.choices is not None]
    return lots.choice(useful) if useful and lots.random() < INTERVENTIONS else None


def _worth(state: State, load: Command) -> tuple[int, str]:
    planet = works_at(state)
    assert isinstance(load, asked.Load) and planet is not None, "loads are offered where they can be taken"
    return sum(card.value for card in state.at(planet) if card.to == load.to), load.to


def _bought(state: State, ways: tuple[Command, ...], lots: Random) -> Command | None:
    turn = turn_of(state)
    rich = state.players[turn.player].megagalax >= (1 + SPARE) * turn.price
    buys = [way for way in ways if isinstance(way, asked.Buy)]
    return lots.choice(buys) if rich and buys else None


def _flight(state: State, ways: Sequence[Command]) -> Command | None:
    """Return the step that leaves the shortest way to where goods are wanted, None where staying is as good."""
    player = turn_of(state).player
    wanted = _wanted(state, state.players[player])
    reach = reachable(state)

    def left(place: str) -> int:
        return min((0 if place == to else ENERGY[place].get(to, FAR) for to in wanted), default=FAR)

    best = min(reach, key=lambda place: (left(place), reach[place], place), default=None)
    if best is None or left(best) >= left(place_of(state, player)):
        return None
    return next(way for way in ways if isinstance(way, asked.Fly) and way.to == best)


def _wanted(state: State, player: Player) -> tuple[str, ...]:
    """Return the planets to fly to: where the load is for, or with nothing aboard where most goods are."""
    aboard = tuple(cargo[0].to for cargo in player.containers if cargo)
    return aboard or tuple(sorted(PLANETS, key=lambda planet: -len(state.at(planet)))[:2])

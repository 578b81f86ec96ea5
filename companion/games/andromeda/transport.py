"""The transport phase: once around, pass or spend a transport card."""

from __future__ import annotations

from companion.games.andromeda.commands import Transport
from companion.games.andromeda.events import Event, PhaseBegan, Transported, TransportPassed, TurnBegan
from companion.games.andromeda.evolve import evolve
from companion.games.andromeda.state import Phase, State, label_of, left_of, name_of
from companion.games.andromeda.turns import check_turn, done
from companion.kernel.errors import Refused
from companion.kernel.i18n import said

STATIONS = 2
"""Stations that one transport card takes to a planet."""


def transport(state: State, command: Transport) -> tuple[Event, ...]:
    """Play a transport card or pass, in turn order; as an action where the table plays so."""
    if state.phase is Phase.ACTIONS and state.options.transport_as_action:
        return _as_action(state, command)
    if state.phase is not Phase.TRANSPORT:
        raise Refused(said("Play transport cards in the transport phase."))
    if state.turn != command.player:
        raise Refused(said("It's %(name)s's turn to fly or pass.", name=name_of(state, state.turn)))
    event = TransportPassed(command.player) if command.move == "pass" else _played(state, command)
    return (event, _next(state))


def _as_action(state: State, command: Transport) -> tuple[Event, ...]:
    check_turn(state, command.player)
    if command.move == "pass":
        raise Refused(said("There's nothing to pass. End the turn instead."))
    if command.player in state.transported:
        raise Refused(said("One transport card per player each round."))
    event = _played(state, command)
    return (event, *done(evolve(state, event)))


def _played(state: State, command: Transport) -> Transported:
    player, name = state.players[command.player], name_of(state, command.player)
    planet = command.planet
    if planet is None:
        raise Refused(said("Say which planet the transport is for."))
    if not player.transport:
        raise Refused(said("%(name)s has no transport card left.", name=name))
    if command.move == "to_planet":
        if not player.earth:
            raise Refused(said("%(name)s has no station on Earth.", name=name))
        return Transported(command.player, command.move, planet, min(STATIONS, player.earth))
    if not player.on(planet):
        raise Refused(said("%(name)s has no station on %(planet)s.", name=name, planet=label_of(state, planet)))
    return Transported(command.player, command.move, planet, player.on(planet))


def _next(state: State) -> Event:
    following = left_of(state, state.turn)
    if following == state.starter:
        return PhaseBegan(Phase.TRADING, state.starter)
    return TurnBegan(following)

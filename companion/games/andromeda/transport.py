"""The transport phase: once around, pass or spend a transport card."""

from __future__ import annotations

from companion.game import Refused
from companion.games.andromeda.commands import Transport
from companion.games.andromeda.events import Event, PhaseBegan, Transported, TransportPassed, TurnBegan
from companion.games.andromeda.evolve import evolve
from companion.games.andromeda.state import Phase, State, label_of, left_of, name_of
from companion.games.andromeda.turns import check_turn, done

STATIONS = 2
"""Stations that one transport card takes to a planet."""


def transport(state: State, command: Transport) -> tuple[Event, ...]:
    """Play a transport card or pass, in turn order; as an action where the table plays so."""
    if state.phase is Phase.ACTIONS and state.options.transport_as_action:
        return _as_action(state, command)
    if state.phase is not Phase.TRANSPORT:
        raise Refused("Transport cards are played in the transport phase.")
    if state.turn != command.player:
        raise Refused(f"It is {name_of(state, state.turn)}'s turn to transport or pass.")
    event = TransportPassed(command.player) if command.move == "pass" else _played(state, command)
    return (event, _next(state))


def _as_action(state: State, command: Transport) -> tuple[Event, ...]:
    check_turn(state, command.player)
    if command.move == "pass":
        raise Refused("There is nothing to pass: end the turn instead.")
    if command.player in state.transported:
        raise Refused("One transport card a round and player.")
    event = _played(state, command)
    return (event, *done(evolve(state, event)))


def _played(state: State, command: Transport) -> Transported:
    player, name = state.players[command.player], name_of(state, command.player)
    planet = command.planet
    if planet is None:
        raise Refused("A transport goes to or from a planet: say which.")
    if not player.transport:
        raise Refused(f"{name} has no transport card left.")
    if command.move == "to_planet":
        if not player.earth:
            raise Refused(f"{name} has no station on Earth.")
        return Transported(command.player, command.move, planet, min(STATIONS, player.earth))
    if not player.on(planet):
        raise Refused(f"{name} has no station on {label_of(state, planet)}.")
    return Transported(command.player, command.move, planet, player.on(planet))


def _next(state: State) -> Event:
    following = left_of(state, state.turn)
    if following == state.starter:
        return PhaseBegan(Phase.TRADING, state.starter)
    return TurnBegan(following)

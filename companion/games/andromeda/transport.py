"""The transport phase: stations fly between Earth and planets, or the player passes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Annotated, Any, assert_never

from companion.games.andromeda import rounds
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.rounds import Count, PhaseBegan, Planet, TurnBegan, check_turn, done
from companion.games.andromeda.state import Phase, State, from_earth, label_of, left_of, name_of, with_player
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Fields, shown
from companion.kernel.said import said
from companion.kernel.values import dataclass, replace
from companion.model.parser import Form, Known, Line, OneOf, Seat

STATIONS = 2
"""The number of stations that one transport card takes to a planet."""


class Destination(Form):
    """The destination planet of a transport. In a pass, it is ignored."""

    def read(self, fields: Fields, name: str, known: Known) -> str | None:
        """Read the planet, or return None for a pass."""
        if known.values["move"] != "pass":
            return fields.word(name, PLANETS)
        planet = fields.take(name, None)
        if planet not in (None, *PLANETS):
            raise Malformed(
                said("planet must be one of %(words)s, not %(given)s", words=", ".join(PLANETS), given=shown(planet))
            )
        return None

    def write(self, line: dict[str, Any], name: str, value: str | None) -> None:
        """Write the planet, if there is one."""
        if value is not None:
            line[name] = value

    def is_in(self, fields: Fields, name: str) -> bool:
        """Return True: `read` itself checks whether the field is there, because a pass may omit it."""
        return True


@dataclass(frozen=True)
class Transport(Line, do="transport"):
    """Play a transport card (`to_planet`, `to_earth`), or `pass`.

    Example: ``{"do": "transport", "player": "red", "move": "pass"}``
    """

    player: Seat
    move: Annotated[str, OneOf("to_planet", "to_earth", "pass")]
    planet: Annotated[str | None, Destination()] = None


@dataclass(frozen=True)
class Transported:
    """A transport card was used. It took *stations* stations to a planet (`to_planet`) or from it (`to_earth`)."""

    player: Seat
    move: Annotated[str, OneOf("to_planet", "to_earth")]
    planet: Planet
    stations: Count


@dataclass(frozen=True)
class TransportPassed:
    """A player played no transport card this round."""

    player: Seat


Event = Transported | TransportPassed


def decide(state: State, command: Transport) -> tuple[Event | rounds.Event, ...]:
    """Play a transport card or pass, in turn order. With the option `transport_as_action`, it may also be an action."""
    if state.phase is Phase.ACTIONS and state.options.transport_as_action:
        return _as_action(state, command)
    if state.phase is not Phase.TRANSPORT:
        raise Refused(said("Play transport cards in the transport phase."))
    if state.turn != command.player:
        raise Refused(said("It's %(name)s's turn: play a transport card or pass.", name=name_of(state, state.turn)))
    event = TransportPassed(command.player) if command.move == "pass" else _played(state, command)
    return (event, _next(state))


def _as_action(state: State, command: Transport) -> tuple[Event | rounds.Event, ...]:
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


def _next(state: State) -> rounds.Event:
    following = left_of(state, state.turn)
    if following == state.starter:
        return PhaseBegan(Phase.TRADING, state.starter)
    return TurnBegan(following)


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    match event:
        case TransportPassed():
            return state
        case Transported():
            stations = event.stations if event.move == "to_planet" else -event.stations
            moved = from_earth(state, event.player, event.planet, stations)
            used = with_player(moved, event.player, transport=moved.players[event.player].transport - 1)
            return replace(used, transported=state.transported | {event.player})
        case _:
            assert_never(event)


def candidates(state: State, seat: str) -> Iterator[Transport]:
    """Yield all transports that may be legal for *seat*, and a pass."""
    as_action = state.phase is Phase.ACTIONS and not state.attempt and state.options.transport_as_action
    if seat == state.turn and (state.phase is Phase.TRANSPORT or as_action):
        yield Transport(seat, "pass")
        yield from (Transport(seat, move, planet) for move, planet in product(("to_planet", "to_earth"), PLANETS))


def idlest(state: State, seat: str) -> tuple[Transport, ...]:
    """Return the pass of an absent *seat* in the transport phase."""
    return (Transport(seat, "pass"),) if state.phase is Phase.TRANSPORT else ()


def forced(state: State) -> Transport | None:
    """Return the pass of a player without transport cards, or None."""
    without = state.phase is Phase.TRANSPORT and not state.players[state.turn].transport
    return Transport(state.turn, "pass") if without else None


def button(state: State, seat: str | None, held: bool) -> Transport | None:
    """Return a pass in this phase if the button is "next" (then *seat* is None)."""
    return Transport(state.turn, "pass") if state.phase is Phase.TRANSPORT and seat is None else None

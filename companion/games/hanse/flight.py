"""The flight: the die, the way, the tunnel through the sun, and the hyperjumps before it."""

from __future__ import annotations

from typing import assert_never

from companion.games.hanse.cards import DIRECTIONS
from companion.games.hanse.commands import FlightCommand, Fly, Hyperjump, Roll, Tunnel
from companion.games.hanse.events import Event, Flown, Hyperjumped, Rolled, Tunnelled
from companion.games.hanse.places import ENERGY, GAPS, INNERMOST, OUTERMOST, label_of
from companion.games.hanse.state import State, name_of, place_of, turn_of
from companion.kernel.errors import Refused
from companion.kernel.i18n import said

AGAIN = 1
"""What the die shows when it is rolled again."""
TUNNEL_ENERGY = 1


def travel(state: State, command: FlightCommand) -> tuple[Event, ...]:
    """Answer what moves a ship, or is rolled for it."""
    match command:
        case Fly():
            return fly(state, command)
        case Roll():
            return roll(state, command)
        case Tunnel():
            return tunnel(state, command)
        case Hyperjump():
            return hyperjump(state, command)
        case _:
            assert_never(command)


def roll(state: State, command: Roll) -> tuple[Event, ...]:
    """Begin a flight: a 1 is rolled again and added, each Fusion Drive in play adds 1."""
    *again, last = command.dice
    if last == AGAIN or any(die != AGAIN for die in again):
        raise Refused(said("Only a 1 is rolled again."))
    if not turn_of(state).flights:
        raise Refused(said("%(name)s has no flight left.", name=name_of(state, command.player)))
    drives = state.players[command.player].technology("fusion_drive")
    return (Rolled(command.player, command.dice, sum(command.dice) + drives),)


def fly(state: State, command: Fly) -> tuple[Event, ...]:
    """Fly straight to a place, as far as the energy goes."""
    available, here = _open_flight(state), place_of(state, command.player)
    cost = ENERGY[here].get(command.to)
    if cost is None:
        raise Refused(_no_way(state, command, here))
    if cost > available:
        raise Refused(said("That takes %(cost)s energy, and %(left)s is left.", cost=cost, left=available))
    return (Flown(command.player, command.to, cost),)


def tunnel(state: State, command: Tunnel) -> tuple[Event, ...]:
    """Fly through the sun: from the innermost orbit to the outermost one, never back."""
    if not turn_of(state).tunnels:
        raise Refused(said("%(name)s has no open Sun Tunnel.", name=name_of(state, command.player)))
    available = _open_flight(state)
    if place_of(state, command.player) != INNERMOST:
        raise Refused(said("The tunnel starts in %(place)s.", place=label_of(INNERMOST)))
    if available < TUNNEL_ENERGY:
        raise Refused(said("No energy is left."))
    return (Tunnelled(command.player, TUNNEL_ENERGY),)


def hyperjump(state: State, command: Hyperjump) -> tuple[Event, ...]:
    """Jump to the innermost or outermost orbit, before anything else in the turn."""
    turn, name = turn_of(state), name_of(state, command.player)
    if not state.players[command.player].technology(DIRECTIONS[command.direction]):
        raise Refused(said("%(name)s doesn't own that hyperjump.", name=name))
    if turn.begun:
        raise Refused(said("Hyperjumps come first in a turn."))
    if command.direction in turn.jumped:
        raise Refused(said("Each hyperjump works once a turn."))
    if place_of(state, command.player) == (INNERMOST if command.direction == "inward" else OUTERMOST):
        raise Refused(said("%(name)s's ship is there already.", name=name))
    return (Hyperjumped(command.player, command.direction),)


def _open_flight(state: State) -> int:
    energy = turn_of(state).energy
    if energy is None:
        raise Refused(said("Roll the die first."))
    return energy


def _no_way(state: State, command: Fly, here: str) -> str:
    if command.to == here:
        return said("%(name)s's ship is there already.", name=name_of(state, command.player))
    assert command.to in GAPS, "everything else can be reached"
    return said("Ships don't stop in a gap on the way in.")

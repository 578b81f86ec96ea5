"""The flight: hyperjumps before it, the die, straight flights with its energy, and the way through the sun."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Annotated, assert_never

from companion.games.hanse.cards import DIRECTIONS
from companion.games.hanse.places import (
    ENERGY,
    GAPS,
    INNERMOST,
    OUTERMOST,
    PLANETS,
    Place,
    label_of,
    reach,
)
from companion.games.hanse.state import Phase, State, name_of, place_of, turn_of
from companion.games.hanse.turns import Count
from companion.kernel.errors import Refused
from companion.kernel.fields import Line as RecordLine
from companion.kernel.said import Said, pattern, said, said_n
from companion.kernel.values import dataclass, replace
from companion.model.parser import Line, OneOf, Seat, Wholes
from companion.model.tellings import Occurrence, Rows, Telling

PIPS = 6
AGAIN = 1
"""The result after which the die is rolled again."""
TUNNEL_ENERGY = 1
ENDS = {"inward": INNERMOST, "outward": OUTERMOST}
"""The orbit at the end of each hyperjump."""

Direction = Annotated[str, OneOf(*DIRECTIONS)]


@dataclass(frozen=True)
class Hyperjump(Line, do="hyperjump"):
    """Jump `inward` or `outward`, before anything else in the turn.

    Example: ``{"do": "hyperjump", "player": "red", "direction": "inward"}``
    """

    phase = Phase.TURN
    player: Seat
    direction: Direction


@dataclass(frozen=True)
class Roll(Line, do="roll"):
    """Roll the die for a flight. *dice* are all results: a 1 is rolled again.

    Example: ``{"do": "roll", "player": "red", "dice": [1, 1, 5]}``
    """

    phase = Phase.TURN
    player: Seat
    dice: Annotated[tuple[int, ...], Wholes(1, PIPS, at_least=1)]


@dataclass(frozen=True)
class Fly(Line, do="fly"):
    """Fly straight to a place, with the energy of the open flight.

    Example: ``{"do": "fly", "player": "red", "to": "p6"}``
    """

    phase = Phase.TURN
    player: Seat
    to: Place


@dataclass(frozen=True)
class Tunnel(Line, do="tunnel"):
    """Fly through the sun, from the innermost orbit to the outermost.

    Example: ``{"do": "tunnel", "player": "red"}``
    """

    phase = Phase.TURN
    player: Seat


@dataclass(frozen=True)
class Hyperjumped:
    """A ship jumped to the innermost (`inward`) or the outermost orbit."""

    player: Seat
    direction: Direction


@dataclass(frozen=True)
class Rolled:
    """A flight began with *energy*."""

    player: Seat
    dice: Annotated[tuple[int, ...], Wholes(1, PIPS)]
    energy: Count


@dataclass(frozen=True)
class Flown:
    """A ship flew to a place and used *energy*."""

    player: Seat
    to: Place
    energy: Count


@dataclass(frozen=True)
class Tunnelled:
    """A ship flew through the sun and used *energy*."""

    player: Seat
    energy: Count


Command = Hyperjump | Roll | Fly | Tunnel
Event = Hyperjumped | Rolled | Flown | Tunnelled


OFTEN: dict[type, float] = {Roll: 8.0, Fly: 4.0}
"""Weights of commands that random play chooses often, since they help to end a game. The usual weight is 1."""
STRAIGHT = 0.7
"""The probability in random play that a ship flies to the destination of its goods if it can."""


def cast(lots: Random) -> tuple[int, ...]:
    """Roll the die until it doesn't show a 1, and return all results."""
    dice = [lots.randint(1, PIPS)]
    while dice[-1] == AGAIN:
        dice.append(lots.randint(1, PIPS))
    return tuple(dice)


def cast_lots(state: State, line: RecordLine, lots: Random) -> RecordLine:
    """Return *line*. If it is a roll without results, roll the dice; a 1 is rolled again."""
    if line.get("do") != Roll.do or "dice" in line:
        return line
    return {**line, "dice": list(cast(lots))}


def reachable(state: State) -> dict[str, int]:
    """Return the places that the open flight can reach, each with its energy."""
    if state.turn is None or state.turn.energy is None:
        return {}
    return reach(place_of(state, state.turn.player), state.turn.energy)


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Return the event of *command*, or raise `Refused`."""
    match command:
        case Hyperjump():
            return (_hyperjump(state, command),)
        case Roll():
            return (_roll(state, command),)
        case Fly():
            return (_fly(state, command),)
        case Tunnel():
            return (_tunnel(state, command),)
        case _:
            assert_never(command)


def _hyperjump(state: State, command: Hyperjump) -> Hyperjumped:
    """Jump to the innermost or outermost orbit, before anything else in the turn."""
    turn, name = turn_of(state), name_of(state, command.player)
    if not state.players[command.player].technology(DIRECTIONS[command.direction]):
        raise Refused(said("%(name)s doesn't own that hyperjump.", name=name))
    if turn.begun:
        raise Refused(said("Hyperjumps come first in a turn."))
    if command.direction in turn.jumped:
        raise Refused(said("Each hyperjump works once a turn."))
    if place_of(state, command.player) == ENDS[command.direction]:
        raise Refused(said("%(name)s's ship is there already.", name=name))
    return Hyperjumped(command.player, command.direction)


def _roll(state: State, command: Roll) -> Rolled:
    """Begin a flight.

    After a 1 the die is rolled again, and all results are added. Each Fusion Drive in play adds 1.
    """
    *again, last = command.dice
    if last == AGAIN or any(die != AGAIN for die in again):
        raise Refused(said("Only a 1 is rolled again."))
    if not turn_of(state).flights:
        raise Refused(said("No flight is left."))
    drives = state.players[command.player].technology("fusion_drive")
    return Rolled(command.player, command.dice, sum(command.dice) + drives)


def _fly(state: State, command: Fly) -> Flown:
    """Fly straight to a place, as far as the energy allows."""
    available, here = _open_flight(state), place_of(state, command.player)
    cost = ENERGY[here].get(command.to)
    if cost is None:
        raise Refused(_no_way(state, command, here))
    if cost > available:
        raise Refused(said("That takes %(cost)s energy, and %(left)s is left.", cost=cost, left=available))
    return Flown(command.player, command.to, cost)


def _no_way(state: State, command: Fly, here: str) -> str:
    if command.to == here:
        return said("%(name)s's ship is there already.", name=name_of(state, command.player))
    assert command.to in GAPS, "everything else can be reached"
    return said("Ships don't stop in a gap on the way in.")


def _tunnel(state: State, command: Tunnel) -> Tunnelled:
    """Fly through the sun from the innermost orbit to the outermost, never the other way."""
    if not turn_of(state).tunnels:
        raise Refused(said("%(name)s has no open Sun Tunnel.", name=name_of(state, command.player)))
    available = _open_flight(state)
    if place_of(state, command.player) != INNERMOST:
        raise Refused(said("The tunnel starts in %(place)s.", place=label_of(INNERMOST)))
    if available < TUNNEL_ENERGY:
        raise Refused(said("No energy is left."))
    return Tunnelled(command.player, TUNNEL_ENERGY)


def _open_flight(state: State) -> int:
    energy = turn_of(state).energy
    if energy is None:
        raise Refused(said("Roll the die first."))
    return energy


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*."""
    turn = turn_of(state)
    match event:
        case Hyperjumped():
            jumped = replace(turn, jumped=(*turn.jumped, event.direction))
            return replace(state.moved(event.player, ENDS[event.direction]), turn=jumped)
        case Rolled():
            return replace(state, turn=replace(turn, flights=turn.flights - 1, energy=event.energy, begun=True))
        case Flown():
            left = None if event.to in PLANETS else (turn.energy or 0) - event.energy
            return replace(state.moved(event.player, event.to), turn=replace(turn, energy=left))
        case Tunnelled():
            through = replace(turn, tunnels=turn.tunnels - 1, energy=(turn.energy or 0) - event.energy)
            return replace(state.moved(event.player, OUTERMOST), turn=through)
        case _:
            assert_never(event)


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield jumps and flights. Rolls have one die, which doesn't show a 1."""
    if state.phase is Phase.TURN:
        yield from (Hyperjump(seat, direction) for direction in DIRECTIONS)
        yield from (Fly(seat, place) for place in reachable(state))
        yield from (Roll(seat, (die,)) for die in range(AGAIN + 1, PIPS + 1))
        yield Tunnel(seat)


def at_random(state: State, chosen: Command, lots: Random) -> Command:
    """Return *chosen* with random details: rolled dice, and usually a useful place to fly to."""
    match chosen:
        case Roll(player):
            return Roll(player, cast(lots))
        case Fly(player):
            carried = {cargo[0].to for cargo in state.players[player].containers if cargo}
            wanted = [place for place in reachable(state) if place in carried]
            straight = wanted and lots.random() < STRAIGHT
            return Fly(player, lots.choice(wanted)) if straight else chosen
        case Hyperjump() | Tunnel():
            return chosen
        case _:
            assert_never(chosen)


def _jumped(what: Occurrence) -> Said:
    if what.fields["direction"] == "inward":
        return said("%(name)s jumps to the innermost orbit", name=what.name)
    return said("%(name)s jumps to the outermost orbit", name=what.name)


def _jumped_aloud(what: Occurrence) -> Said:
    return said("%(name)s jumps: %(place)s", name=what.name, place=label_of(ENDS[what.fields["direction"]]))


def _energy(what: Occurrence) -> Said:
    return said_n("%(name)s has %(num)s energy", "%(name)s has %(num)s energy", what.fields["energy"], name=what.name)


def _landed(what: Occurrence) -> Said | None:
    if what.fields["to"] not in PLANETS:
        return None
    return said("%(name)s lands on %(planet)s", name=what.name, planet=label_of(what.fields["to"]))


def _flown(what: Occurrence) -> Said:
    return _landed(what) or said("%(name)s flies: %(place)s", name=what.name, place=label_of(what.fields["to"]))


SENTENCES: Rows = {
    Hyperjumped: Telling(
        _jumped,
        "hyperjump",
        said("A hyperjump is no flight: the die may still be rolled."),
        "technologies",
        aloud=_jumped_aloud,
    ),
    Rolled: Telling(
        pattern("%(name)s rolls %(dice)s"),
        "roll",
        said("That is the energy of this flight. Each Fusion Drive adds 1."),
        "flight",
        aloud=_energy,
        possible=said("Roll and fly"),
        how=said("the die, and 1 for each Fusion Drive"),
    ),
    Flown: Telling(
        _flown,
        "fly",
        said("Inwards only orbits cost energy. Outwards the gaps cost too."),
        "flight",
        aloud=_landed,
    ),
    Tunnelled: Telling(
        pattern("%(name)s flies through the sun"),
        "tunnel",
        said("Through the sun it takes 1 energy, outwards only."),
        "flight",
    ),
}

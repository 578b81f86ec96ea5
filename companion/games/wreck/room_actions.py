"""Room actions: in each round, a player may use one room that they control. This needs no die."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from random import Random
from typing import Annotated, Any, assert_never

from companion.games.wreck.changes import (
    Change,
    ResearchersMoved,
    Room,
    RoomActionTurned,
    check_open,
    check_there,
)
from companion.games.wreck.contamination import acting
from companion.games.wreck.control import controls
from companion.games.wreck.missions import check_actions
from companion.games.wreck.researchers import (
    MOST_CALLED,
    ResearchersCalled,
    ResearchersStepped,
    Source,
    Step,
    Steps,
    always,
    called,
    calls,
    first_steps,
    pair,
    stepped,
    trained,
)
from companion.games.wreck.rooms import ENGINE, ROOMS, label_of
from companion.games.wreck.state import SPECIES, State, adjacent, name_of, own
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Fields
from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.model.legal_moves import LegalMoves
from companion.model.parser import Form, Known, Line, Seat, Text, members, word_of

STEPS = 2


class TwoResearchers(Form):
    """Two researchers, each by colour and room. Example: ``[["red", "bridge"], ["blue", "airlock"]]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[Step, Step]:
        """Read the two researchers."""
        swap = fields.list(name)
        if len(swap) != 2:
            raise Malformed(said("swap must be two researchers, each as [colour, room]"))
        return pair(swap[0], "swap[0]"), pair(swap[1], "swap[1]")

    def write(self, line: dict[str, Any], name: str, value: tuple[Step, Step]) -> None:
        """Write the two researchers."""
        line[name] = [list(each) for each in value]


class TrainedOrCalled(Form):
    """Either ``"train": 1`` to train a researcher, or ``"to": ["bridge"]`` to call some."""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[str, ...] | None:
        """Read the field that the line has. Return None if it is `train`."""
        if fields.has("train"):
            fields.whole("train", 1, 1)
            return None
        return fields.words(name, ROOMS)

    def write(self, line: dict[str, Any], name: str, value: tuple[str, ...] | None) -> None:
        """Write one of the two fields."""
        line.update({"train": 1} if value is None else {name: list(value)})


@dataclass(frozen=True)
class Armoury(Line, do="armoury"):
    """Use the armoury: send a researcher from the ship to its owner's species card.

    Example: ``{"do": "armoury", "player": "red", "colour": "blue", "from": "bridge"}``
    """

    player: Seat
    colour: Annotated[str, Text()]
    source: Source


@dataclass(frozen=True)
class Hangar(Line, do="hangar"):
    """Use the hangar: move a researcher from there to any open room.

    Example: ``{"do": "hangar", "player": "red", "to": "cryo"}``
    """

    player: Seat
    to: Room


@dataclass(frozen=True)
class Quarters(Line, do="quarters"):
    """Use the crew quarters: take one or two steps.

    Example: ``{"do": "quarters", "player": "red", "steps": [["bridge", "airlock"]]}``
    """

    player: Seat
    steps: Annotated[tuple[Step, ...], Steps()]


@dataclass(frozen=True)
class Communications(Line, do="communications"):
    """Use the communications centre: train one researcher (*to* is None), or call researchers.

    Example: ``{"do": "communications", "player": "red", "train": 1}``
    """

    player: Seat
    to: Annotated[tuple[str, ...] | None, TrainedOrCalled()]


@dataclass(frozen=True)
class Bridge(Line, do="bridge"):
    """Use the bridge: draw personal missions and put the same number back. The missions are not recorded.

    Example: ``{"do": "bridge", "player": "blue"}``
    """

    player: Seat


@dataclass(frozen=True)
class Reactor(Line, do="reactor"):
    """Use the reactor: swap two researchers in adjacent rooms.

    Example: ``{"do": "reactor", "player": "red", "swap": [["red", "bridge"], ["blue", "airlock"]]}``
    """

    player: Seat
    swap: Annotated[tuple[Step, Step], TwoResearchers()]


Command = Armoury | Hangar | Quarters | Communications | Bridge | Reactor
ROOMS_THAT_ACT = tuple(word_of(kind) for kind in members(Command))
Event = ResearchersCalled | ResearchersStepped | Change


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Return the events of *command*, or raise `Refused`.

    It must be the player's first room action in this round, in a room that they control.
    """
    check_actions(state, command.player)
    room, name = command.do, name_of(state, command.player)
    if state.players[command.player].room_action:
        raise Refused(said("%(name)s has used a room this round.", name=name))
    if not controls(state, command.player, room):
        raise Refused(said("%(name)s doesn't control %(room)s.", name=name, room=label_of(room)))
    return (RoomActionTurned(command.player, True), *_done(state, command))


def _done(state: State, command: Command) -> tuple[Event, ...]:
    match command:
        case Armoury(_, colour, source):
            check_there(state, colour, source)
            return (ResearchersMoved(colour, source, SPECIES, 1),)
        case Hangar(player, to):
            return (_from_hangar(state, player, to),)
        case Quarters(player, steps):
            return (stepped(state, player, steps, STEPS),)
        case Communications(player, None):
            return (trained(state, player, 1, 1),)
        case Communications(player, to):
            more = always(state) and controls(state, player, ENGINE)
            return (called(state, player, to or (), 1 + more),)
        case Bridge():
            return ()
        case Reactor(_, swap):
            return _swapped(state, swap)
        case _:
            assert_never(command)


def _from_hangar(state: State, player: str, to: str) -> ResearchersMoved:
    check_open(state, to)
    if to == "hangar":
        raise Refused(said("The hangar leads to another room."))
    return ResearchersMoved(player, "hangar", to, 1)


def _swapped(state: State, swap: tuple[tuple[str, str], tuple[str, str]]) -> tuple[Event, ...]:
    (one, here), (other, there) = swap
    check_there(state, one, here)
    check_there(state, other, there)
    if not adjacent(state, here, there):
        rooms = {"one": label_of(here), "other": label_of(there)}
        raise Refused(said("%(one)s and %(other)s share no side.", **rooms))
    return (ResearchersMoved(one, here, there, 1), ResearchersMoved(other, there, here, 1))


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield commands of this chapter that may be legal for *seat*, in a fixed order. Movements have only one step."""
    if not acting(state, seat) or state.players[seat].room_action:
        return
    there = [(colour, room) for room in state.researchers for colour in state.colours if own(state, colour, room)]
    yield from (Armoury(seat, colour, room) for colour, room in there)
    yield from (Hangar(seat, room) for room in state.researchers)
    yield from (Quarters(seat, (step,)) for step in first_steps(state, seat))
    yield Communications(seat, None)
    yield from (Communications(seat, to) for to in calls(state, seat) if len(to) < MOST_CALLED)
    yield Bridge(seat)
    if "reactor" in state.researchers:
        yield from (Reactor(seat, (one, other)) for one, other in combinations_with_replacement(there, 2))


LEGAL_MOVES = LegalMoves(decide, candidates)


def at_random(state: State, seat: str, lots: Random) -> Command | None:
    """Return a random legal room action, or sometimes None."""
    found = LEGAL_MOVES.choices(state, seat)
    return lots.choice(found) if found and lots.randrange(2) else None

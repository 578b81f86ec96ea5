"""Actions that a die pays for: training researchers, calling them to teleporters, steps between rooms, exploring."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations_with_replacement
from random import Random
from typing import Annotated, Any, assert_never

from companion.games.wreck.cards import RESEARCHERS
from companion.games.wreck.changes import (
    CellForm,
    Change,
    ResearchersMoved,
    Room,
    RoomActionTurned,
    RoomOpened,
    check_closed,
    check_open,
    check_own,
)
from companion.games.wreck.contamination import OpenRooms, Rooms, acting
from companion.games.wreck.control import controls
from companion.games.wreck.dice import ACTIONS, SYMBOLS, showing
from companion.games.wreck.missions import check_actions
from companion.games.wreck.rooms import ENGINE, ROOMS, Cell, label_of, side_by_side
from companion.games.wreck.state import (
    SPECIES,
    SUPPLY,
    State,
    adjacent,
    cell_of,
    closed_cells,
    closed_rooms,
    name_of,
    own,
    teleporters_in,
    with_die,
    with_player,
    with_researchers,
)
from companion.games.wreck.terms import counted_researchers, symbol
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Fields
from companion.kernel.said import said, said_n
from companion.kernel.values import dataclass
from companion.model.parser import Form, Known, Line, Named, OneOf, Seat, Whole

CALLED = {"support": 2, "improvise": 1}
TRAINED = {"training": 2, "improvise": 1}
"""The largest number of researchers that each symbol trains (`TRAINED`) or calls (`CALLED`)."""
STEPS = {symbol: 3 if symbol == "move" else 1 for symbol in SYMBOLS}
"""The largest number of steps that each symbol pays for."""
MOST_CALLED = 3


Step = tuple[str, str]
"""A step of one researcher: the room it leaves and the room it enters."""


class Steps(Form):
    """Steps, each from one room to another. Example: ``[["airlock", "bridge"]]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[Step, ...]:
        """Read the steps from field *name*."""
        return tuple(pair(step, f"{name}[{at}]", of_rooms=True) for at, step in enumerate(fields.list(name)))

    def write(self, line: dict[str, Any], name: str, value: tuple[Step, ...]) -> None:
        """Write the steps to field *name*."""
        line[name] = [list(step) for step in value]


class StepsTaken(Form):
    """Steps, each from one open room to another. Example: ``[["airlock", "bridge"]]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[Step, ...]:
        """Read the steps from field *name*."""
        steps = fields.list(name)
        for step in steps:
            rooms = Fields({"rooms": step}).words("rooms", known.state.researchers)
            if len(rooms) != 2:
                raise Malformed(said("%(where)s must be a pair", where=name))
        return tuple((source, target) for source, target in steps)


def pair(value: object, where: str, of_rooms: bool = False) -> Step:
    """Read a list of two strings. The second must be a room. With *of_rooms*, the first must be a room too."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise Malformed(said("%(where)s must be a pair", where=where))
    pair = Fields(dict(zip(("0", "1"), value, strict=True)), where)
    first = pair.word("0", ROOMS) if of_rooms else pair.text("0")
    return (first, pair.word("1", ROOMS))


Die = Annotated[str, OneOf(*ACTIONS)]
Source = Annotated[str, Named("from", OneOf(*ROOMS))]


@dataclass(frozen=True)
class Train(Line, do="train"):
    """Train researchers: they go from the supply to the species card.

    Example: ``{"do": "train", "player": "red", "die": "training", "count": 2}``
    """

    player: Seat
    die: Die
    count: Annotated[int, Whole(0, RESEARCHERS)]


@dataclass(frozen=True)
class Call(Line, do="call"):
    """Call researchers from the species card, one to each room in *to*.

    The player must have a teleporter in each of these rooms.

    Example: ``{"do": "call", "player": "red", "die": "support", "to": ["airlock"]}``
    """

    player: Seat
    die: Die
    to: Rooms


@dataclass(frozen=True)
class Move(Line, do="move"):
    """Move researchers step by step between adjacent rooms.

    Example: ``{"do": "move", "player": "blue", "die": "move", "steps": [["cryo", "hangar"]]}``
    """

    player: Seat
    die: Die
    steps: Annotated[tuple[Step, ...], Steps()]


@dataclass(frozen=True)
class Explore(Line, do="explore"):
    """Turn over a tile next to a room with a researcher of the player, and move one researcher into it.

    Example: ``{"do": "explore", "player": "red", "die": "move", "from": "bridge", "cell": [1, 0],
    "room": "reactor"}``
    """

    player: Seat
    die: Die
    source: Source
    cell: Annotated[Cell, CellForm()]
    room: Room


Command = Train | Call | Move | Explore


@dataclass(frozen=True)
class DieUsed:
    """A die was used for an action."""

    player: Seat
    die: Die


@dataclass(frozen=True)
class ResearchersCalled:
    """One researcher went from the species card to each of *rooms*."""

    player: Seat
    rooms: OpenRooms


@dataclass(frozen=True)
class ResearchersStepped:
    """Researchers went from room to room, in the order of *steps*."""

    player: Seat
    steps: Annotated[tuple[Step, ...], StepsTaken()]


Event = DieUsed | ResearchersCalled | ResearchersStepped


def decide(state: State, command: Command) -> tuple[Event | Change, ...]:
    """Return the events of *command*, or raise `Refused`."""
    check_actions(state, command.player)
    match command:
        case Train(player, die, count):
            return (paid(state, player, die), trained(state, player, count, _most(die, TRAINED)))
        case Call():
            return _call(state, command)
        case Move(player, die, steps):
            return (paid(state, player, die), stepped(state, player, steps, STEPS[die]))
        case Explore():
            return _explore(state, command)
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    match event:
        case DieUsed(player, die):
            return with_die(state, player, die, -1)
        case ResearchersCalled(player, rooms):
            fewer = with_player(state, player, species=state.players[player].species - len(rooms))
            return with_researchers(fewer, player, [(room, 1) for room in rooms])
        case ResearchersStepped(player, steps):
            ends = [(room, by) for step in steps for room, by in zip(step, (-1, 1), strict=True)]
            return with_researchers(state, player, ends)
        case _:
            assert_never(event)


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield commands of this chapter that may be legal for *seat*, in a fixed order. Movements have only one step."""
    if not acting(state, seat):
        return
    steps, explored, called_to = first_steps(state, seat), list(_explored(state, seat)), list(calls(state, seat))
    for die in ACTIONS:
        if showing(state.players[seat].dice, die):
            yield from (Train(seat, die, count) for count in (1, 2))
            yield from (Call(seat, die, to) for to in called_to)
            yield from (Move(seat, die, (step,)) for step in steps)
            yield from (Explore(seat, die, *each) for each in explored)


def first_steps(state: State, seat: str) -> tuple[Step, ...]:
    """Return the single steps that researchers of *seat* can take."""
    from_rooms = (room for room in state.researchers if own(state, seat, room))
    return tuple((room, other) for room in from_rooms for other in state.researchers if adjacent(state, room, other))


def calls(state: State, seat: str) -> Iterator[tuple[str, ...]]:
    """Yield all ways to call up to three researchers of *seat*: a room with a teleporter for each of them."""
    rooms = [room for room in state.teleporters if teleporters_in(state, seat, room)]
    for count in range(1, MOST_CALLED + 1):
        yield from combinations_with_replacement(rooms, count)


def _explored(state: State, seat: str) -> Iterator[tuple[str, Cell, str]]:
    return ((*way, room) for way in _ways_to_explore(state, seat) for room in closed_rooms(state))


def _ways_to_explore(state: State, seat: str) -> Iterator[tuple[str, Cell]]:
    """Yield each room with a researcher of *seat*, with each face-down tile next to it."""
    for cell in closed_cells(state):
        for source in state.researchers:
            if own(state, seat, source) and side_by_side(cell_of(state, source), cell):
                yield source, cell


Chance = Callable[[State, str, Random], Command | None]


def random_uses(die: str) -> list[Chance]:
    """Return functions that use *die* at random: to explore, for steps, or for its symbol.

    Their commands may be illegal. They return None if there is no way.
    """
    uses: list[Chance] = [partial(_explore_at_random, die), partial(_move_at_random, die)]
    if die in TRAINED:
        uses.append(lambda state, seat, lots: Train(seat, die, lots.randint(1, TRAINED[die])))
    if die in CALLED:
        uses.append(partial(_call_at_random, die))
    return uses


def _explore_at_random(die: str, state: State, seat: str, lots: Random) -> Command | None:
    ways = list(_ways_to_explore(state, seat))
    if not ways:
        return None
    source, cell = lots.choice(ways)
    return Explore(seat, die, source, cell, lots.choice(closed_rooms(state)))


def _move_at_random(die: str, state: State, seat: str, lots: Random) -> Command | None:
    possible = first_steps(state, seat)
    if not possible:
        return None
    steps = [lots.choice(possible)]
    for _ in range(lots.randrange(STEPS[die])):
        onward = [step for step in possible if step[0] == steps[-1][1]]
        steps.append(lots.choice(onward or possible))
    return Move(seat, die, tuple(steps))


def _call_at_random(die: str, state: State, seat: str, lots: Random) -> Command | None:
    rooms = [room for room in state.teleporters if teleporters_in(state, seat, room)]
    most = min(CALLED[die] + lots.randint(0, 1), state.players[seat].species)
    return Call(seat, die, tuple(lots.choices(rooms, k=lots.randint(1, most)))) if rooms and most else None


def paid(state: State, colour: str, die: str) -> DieUsed:
    """Return the event of paying with *die*. Raise `Refused` if *colour* has no such die."""
    if not showing(state.players[colour].dice, die):
        raise Refused(said("%(name)s has no %(symbol)s die.", name=name_of(state, colour), symbol=symbol(die)))
    return DieUsed(colour, die)


def _most(die: str, worth: dict[str, int]) -> int:
    """Return the number for *die* in *worth*. Raise `Refused` if that die doesn't pay for this action."""
    if die not in worth:
        raise Refused(said("%(symbol)s dice don't pay for that.", symbol=symbol(die)))
    return worth[die]


def _call(state: State, command: Call) -> tuple[Event | Change, ...]:
    die, most = paid(state, command.player, command.die), _most(command.die, CALLED)
    more = one_more(state, command.player)
    event = called(state, command.player, command.to, most + more)
    return (die, event, *engine_used(state, command.player, len(command.to) - most))


def _explore(state: State, command: Explore) -> tuple[Event | Change, ...]:
    die = paid(state, command.player, command.die)
    check_open(state, command.source)
    check_own(state, command.player, command.source)
    check_closed(state, command.cell, command.room)
    if not side_by_side(cell_of(state, command.source), command.cell):
        raise Refused(said("That tile isn't beside the room you explore from."))
    return (
        die,
        RoomOpened(command.cell, command.room),
        ResearchersMoved(command.player, command.source, command.room, 1),
    )


def stepped(state: State, colour: str, steps: Sequence[Step], most: int) -> ResearchersStepped:
    """Return the event of taking *steps* in order.

    Raise `Refused` if there are none or more than *most*, or if one is impossible.
    """
    if not 1 <= len(steps) <= most:
        raise Refused(said_n("This is worth %(num)s step at most.", "This is worth %(num)s steps at most.", most))
    walked = state
    for step in steps:
        _check_step(walked, colour, step)
        walked = evolve(walked, ResearchersStepped(colour, (step,)))
    return ResearchersStepped(colour, tuple(steps))


def _check_step(state: State, colour: str, step: Step) -> None:
    source, target = step
    for room in step:
        check_open(state, room)
    check_own(state, colour, source)
    if not adjacent(state, source, target):
        rooms = {"one": label_of(source), "other": label_of(target)}
        raise Refused(said("%(one)s and %(other)s share no side.", **rooms))


def trained(state: State, colour: str, count: int, most: int) -> ResearchersMoved:
    """Return the event that trains *count* researchers from the supply.

    Raise `Refused` unless *count* is from 1 to *most*.
    """
    if not 1 <= count <= most:
        raise Refused(said("This trains %(count)s at most, and 1 at least.", count=counted_researchers(most)))
    if count > state.players[colour].supply:
        left = counted_researchers(state.players[colour].supply)
        raise Refused(said("%(name)s has %(count)s left in the supply.", name=name_of(state, colour), count=left))
    return ResearchersMoved(colour, SUPPLY, SPECIES, count)


def called(state: State, colour: str, rooms: tuple[str, ...], most: int) -> ResearchersCalled:
    """Return the event that calls a researcher to each of *rooms*, at most *most*.

    Raise `Refused` unless each room has a teleporter of the player.
    """
    if not 1 <= len(rooms) <= most:
        raise Refused(said("This calls %(count)s at most, and 1 at least.", count=counted_researchers(most)))
    for room in rooms:
        check_open(state, room)
        if not teleporters_in(state, colour, room):
            name = name_of(state, colour)
            raise Refused(said("%(name)s has no teleporter in %(room)s.", name=name, room=label_of(room)))
    if len(rooms) > state.players[colour].species:
        left = counted_researchers(state.players[colour].species)
        raise Refused(said("%(name)s has trained %(count)s.", name=name_of(state, colour), count=left))
    return ResearchersCalled(colour, rooms)


def one_more(state: State, colour: str) -> bool:
    """Return whether the engine room adds a researcher when *colour* calls researchers with a die."""
    if not controls(state, colour, ENGINE):
        return False
    return always(state) or not state.players[colour].room_action


def always(state: State) -> bool:
    """Return whether the engine room adds a researcher to every call (option `engine_room`)."""
    return state.setting.options.engine_room == "always"


def engine_used(state: State, colour: str, extra: int) -> tuple[RoomActionTurned, ...]:
    """Return the event that uses up the room action, if the engine room adds *extra* researchers in exchange for it."""
    return (RoomActionTurned(colour, True),) if extra > 0 and not always(state) else ()

"""Movements of researchers: training, calls to teleporters, and steps between rooms."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.wreck.changes import SPECIES, SUPPLY, ResearchersMoved, RoomActionTurned
from companion.games.wreck.commands import Step
from companion.games.wreck.control import controls
from companion.games.wreck.events import Event, ResearchersCalled, ResearchersStepped
from companion.games.wreck.evolve import evolve
from companion.games.wreck.rooms import ENGINE, label_of
from companion.games.wreck.state import State, adjacent, name_of, own, teleporters_in
from companion.games.wreck.terms import counted_researchers
from companion.kernel.errors import Refused
from companion.kernel.said import said, said_n


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


def check_own(state: State, colour: str, room: str) -> None:
    """Raise `Refused` unless *colour* has a researcher in *room*."""
    if not own(state, colour, room):
        raise Refused(said("%(name)s has no researcher in %(room)s.", name=name_of(state, colour), room=label_of(room)))


def check_open(state: State, room: str) -> None:
    """Raise `Refused` if *room* is not open yet."""
    if room not in state.researchers:
        raise Refused(said("%(room)s isn't open yet.", room=label_of(room)))


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


def engine_used(state: State, colour: str, extra: int) -> tuple[Event, ...]:
    """Return the event that uses up the room action, if the engine room adds *extra* researchers in exchange for it."""
    return (RoomActionTurned(colour, True),) if extra > 0 and not always(state) else ()


def _check_step(state: State, colour: str, step: Step) -> None:
    source, target = step
    for room in step:
        check_open(state, room)
    check_own(state, colour, source)
    if not adjacent(state, source, target):
        rooms = {"one": label_of(source), "other": label_of(target)}
        raise Refused(said("%(one)s and %(other)s share no side.", **rooms))

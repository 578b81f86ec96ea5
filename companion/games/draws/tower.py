"""The cube tower: cubes are thrown in, and other cubes come out. The rest is stuck."""

from __future__ import annotations

from random import Random
from typing import Any, assert_never

from companion.games.draws.cubes import Counts, Cubed, Cubes, added, by_lot, by_whom, has, joint
from companion.games.draws.state import Fall, State, WhoseIfAny
from companion.kernel.errors import Refused
from companion.kernel.fields import Line as RecordLine
from companion.kernel.said import pattern, said, word
from companion.kernel.values import dataclass, replace
from companion.model.capabilities import Fallen
from companion.model.parser import Line
from companion.model.tellings import Rows, Telling

FALLS_KEPT = 48


@dataclass(frozen=True)
class Throw(Line, do="throw"):
    """Throw cubes into the tower.

    Example: ``{"do": "throw", "cubes": {"red": 1}}``
    """

    cubes: Cubed
    player: WhoseIfAny = None


@dataclass(frozen=True)
class Out(Line, do="out"):
    """Record which cubes came out of the tower.

    Example: ``{"do": "out", "cubes": {"red": 1}}``
    """

    cubes: Cubed
    player: WhoseIfAny = None


@dataclass(frozen=True)
class Thrown:
    """Cubes went into the tower."""

    cubes: Cubed


@dataclass(frozen=True)
class CameOut:
    """Cubes came out of the tower."""

    cubes: Cubed


Command = Throw | Out
Event = Thrown | CameOut


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    match event:
        case Thrown(cubes):
            return _thrown(state.with_colours(cubes), cubes)
        case CameOut(cubes):
            return _came_out(state, cubes)
        case _:
            assert_never(event)


def _thrown(state: State, cubes: Cubes) -> State:
    return _begun(replace(state, thrown=added(state.thrown, cubes)), cubes)


def _begun(state: State, thrown: Cubes) -> State:
    return replace(state, falls=(*state.falls[-FALLS_KEPT + 1 :], Fall(thrown, {}, state.stuck)))


def _came_out(state: State, cubes: Cubes) -> State:
    after = replace(state, came_out=added(state.came_out, cubes))
    if not state.falls:
        return replace(after, falls=(Fall((), dict(cubes), after.stuck),))
    *before, last = state.falls
    return replace(after, falls=(*before, Fall(last.thrown, added(last.out, cubes), after.stuck)))


def counted(state: State, counts: Counts) -> State:
    """Return *state* with exactly *counts* in the tower, and perhaps cubes of other colours."""
    gone = {colour: state.came_out.get(colour, 0) - state.thrown.get(colour, 0) for colour in counts}
    began = {colour: count + gone[colour] for colour, count in counts.items()}
    return _begun(replace(state, began_stuck={**state.began_stuck, **began}), ())


def can_follow(state: State, event: Event) -> bool:
    """Return whether the cubes that *event* moves exist, and the table has room for new colours."""
    match event:
        case Thrown(cubes):
            return state.fits(cubes)
        case CameOut(cubes):
            return has(state.stuck, cubes)
        case _:
            assert_never(event)


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Return the events that *command* causes, or raise `Refused` with the rule that it violates."""
    match command:
        case Throw():
            state.check_room(state.stuck, command.cubes)
            return (Thrown(command.cubes),)
        case Out():
            return _out(state, command)
        case _:
            assert_never(command)


def _out(state: State, command: Out) -> tuple[Event, ...]:
    there = state.stuck
    for colour, count in command.cubes:
        if count > there.get(colour, 0):
            raise Refused(
                said("In the tower: %(colour)s, only %(count)s.", colour=word(colour), count=there.get(colour, 0))
            )
    return (CameOut(command.cubes),)


def _throw_at_random(state: State, player: str | None, lots: Random) -> Command:
    """Return a throw of up to five cubes of one colour."""
    return Throw(((lots.choice(state.colours), lots.randint(1, 5)),), player)


def _out_at_random(state: State, player: str | None, lots: Random) -> Command | None:
    """Return the command that takes up to three cubes out, or None if nothing is stuck."""
    cubes = by_lot(state.stuck, lots, 3)
    return Out(cubes, player) if cubes else None


AT_RANDOM = ((5, _throw_at_random), (5, _out_at_random))


class Throws:
    """The throws into the tower. Draws come from inside and don't count as throws."""

    def fallen(self, before: State, line: RecordLine) -> Fallen | None:
        """Return the newest throw if *line* ends it: by another throw, a corrected count of the tower, or the end."""
        ends = line["do"] in ("throw", "finish") or (line["do"] == "correct" and "tower" in line)
        return self.falling(before) if ends else None

    def falling(self, state: State) -> Fallen | None:
        """Return the newest throw.

        Return None before the first throw, after a correction of the tower's count, and after the end.
        """
        if state.finished or not state.falls or not state.falls[-1].thrown:
            return None
        newest = state.falls[-1]
        out = tuple(colour for colour, count in newest.out.items() for _ in range(count))
        under = {colour: stuck + newest.out.get(colour, 0) for colour, stuck in newest.stuck.items()}
        return Fallen({colour: count for colour, count in under.items() if count}, out)


THROWS = Throws()


def view(state: State) -> dict[str, Any] | None:
    """Return the tower as JSON, or None if the table has none."""
    if not (state.with_tower or state.came_out or any(state.began_stuck.values())):
        return None
    thrown, out = (joint([counts], state.colours) for counts in (state.thrown, state.came_out))
    return {"thrown": thrown, "out": out, "stuck": state.stuck}


SENTENCES: Rows = {
    Thrown: Telling(
        by_whom(pattern("%(name)s throws %(cubes)s into the tower"), pattern("Into the tower: %(cubes)s")),
        "throw",
        said("Tap what you throw in, then what comes out."),
        "tower",
        possible=said("Into the tower"),
        how=said("what is thrown"),
    ),
    CameOut: Telling(
        by_whom(pattern("%(name)s gets %(cubes)s out of the tower"), pattern("Out of the tower: %(cubes)s")),
        "out",
        said("The rest is stuck, and may come out at any later throw."),
        "tower",
        possible=said("Out of the tower"),
        how=said("what comes out"),
    ),
}

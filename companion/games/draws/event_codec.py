"""Events as JSON for the ledger, and back: field by field, nothing guessed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from companion.games.draws import events as happened
from companion.games.draws.cubes import MOST_COLOURS, Counts, Cubes, counts_from, some
from companion.games.draws.events import Event
from companion.games.draws.parser import PLACES
from companion.games.draws.state import State, stuck
from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Fields, Line

_EVENTS = {kind.__name__: kind for kind in get_args(Event)}
_NAMES: dict[type, tuple[str, ...]] = {kind: tuple(kind.__annotations__) for kind in _EVENTS.values()}
_HANDFULS = ("cubes", "counts")


def pack(event: Event) -> Line:
    """Return *event* as JSON: its name under `event`, then its fields."""
    line: dict[str, Any] = {"event": type(event).__name__}
    for name in _NAMES[type(event)]:
        value = getattr(event, name)
        line[name] = dict(value) if name in _HANDFULS else value
    return line


def unpack(line: Line, state: State) -> Event:
    """Return the event that `pack` gave, if it can follow on *state*, or raise `Malformed` for anything else."""
    found = Fields(line, "event")
    name = found.word("event", _EVENTS)
    kind = _EVENTS[name]
    values = {each: _READERS[each](found, state) for each in _NAMES[kind]}
    found.nothing_else()
    event: Event = kind(**values)
    if not _can_follow(state, event):
        raise Malformed(said("event: %(name)s can't happen there", name=name))
    return event


def _can_follow(state: State, event: Event) -> bool:
    """Tell whether *event* finds the cubes that it moves, and room for those that it brings."""
    match event:
        case happened.Drawn(_, cubes, _):
            return _has(state.inside, cubes)
        case happened.WentBack(player, cubes):
            return _has(state.holds.get(player, {}), cubes)
        case happened.CameOut(cubes):
            return _has(stuck(state), cubes)
        case happened.PutIn(cubes) | happened.Thrown(cubes) | happened.Corrected(_, cubes):
            return len({*state.colours, *dict(cubes)}) <= MOST_COLOURS
        case _:
            return True


def _has(there: Counts, cubes: Cubes) -> bool:
    return all(there.get(colour, 0) >= count for colour, count in cubes)


def _counts(found: Fields, state: State) -> Cubes:
    return tuple(counts_from(found.take("counts"), found.where("counts")).items())


_READERS: dict[str, Callable[[Fields, State], Any]] = {
    "player": lambda found, state: found.word("player", ("", *state.seats)),
    "cubes": lambda found, state: some(found, "cubes"),
    "counts": _counts,
    "back": lambda found, state: found.flag("back"),
    "place": lambda found, state: found.word("place", PLACES),
}

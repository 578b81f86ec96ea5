"""Events of a game as JSON for the ledger, and back: field by field, nothing guessed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Fields, Line

State = TypeVar("State")
Event = TypeVar("Event")
Reader = Callable[[Fields, str, Any], Any]
"""Reads a field of an event by its name, in the state that the event is to follow on."""
Writer = Callable[[Any], Any]
Key = str | tuple[type, str]
"""A field of every event that has it, or of one kind of event, which goes first."""


class EventCodec(Generic[State, Event]):
    """The events of one game: their *kinds*, a reader for each field, a writer for what JSON does not know itself.

    *can_follow* tells whether an event finds what it changes: no more, since it is the rules that say what may happen.
    """

    def __init__(
        self,
        kinds: tuple[type[Event], ...],
        can_follow: Callable[[State, Event], bool],
        readers: Mapping[Key, Reader],
        writers: Mapping[Key, Writer] | None = None,
    ) -> None:
        self._kinds = {kind.__name__: kind for kind in kinds}
        self._readers = {kind: {name: _of(readers, kind, name) for name in _fields(kind)} for kind in kinds}
        self._writers = {kind: {name: _of(writers or {}, kind, name) for name in _fields(kind)} for kind in kinds}
        self._can_follow = can_follow

    def pack(self, event: Event) -> Line:
        """Return *event* as JSON: its name under `event`, then its fields."""
        line: dict[str, Any] = {"event": type(event).__name__}
        for name, write in self._writers[type(event)].items():
            value = getattr(event, name)
            line[name] = write(value) if write else value
        return line

    def unpack(self, line: Line, state: State) -> Event:
        """Return the event that `pack` gave, if it can follow on *state*, or raise `Malformed` for anything else."""
        found = Fields(line, "event")
        name = found.word("event", self._kinds)
        kind = self._kinds[name]
        event = kind(**{each: read(found, each, state) for each, read in self._readers[kind].items() if read})
        found.nothing_else()
        if not self._can_follow(state, event):
            raise Malformed(said("event: %(name)s can't happen there", name=name))
        return event


def _fields(kind: type) -> tuple[str, ...]:
    return tuple(kind.__annotations__)


def _of(table: Mapping[Key, Any], kind: type, name: str) -> Any:
    return table.get((kind, name)) or table.get(name)


def seat(found: Fields, name: str, state: Any) -> str:
    """Read the colour of somebody who plays."""
    return found.word(name, state.colours)


def flag(found: Fields, name: str, state: Any) -> bool:
    """Read true or false."""
    return found.flag(name)


def one_of(*words: str) -> Reader:
    """Return the reader of one of *words*."""
    return lambda found, name, state: found.word(name, words)


def whole(least: int, most: int) -> Reader:
    """Return the reader of a whole number from *least* to *most*."""
    return lambda found, name, state: found.whole(name, least, most)

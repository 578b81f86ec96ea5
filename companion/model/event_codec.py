"""Events of a game as JSON for the ledger, and back: field by field, nothing guessed; an event's fields say how."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.shown import shows
from companion.kernel.validation import Fields, Line
from companion.model.forms import Known, fields_of, members

State = TypeVar("State")
Event = TypeVar("Event")


@shows("_kinds")
class EventCodec(Generic[State, Event]):
    """The events of one game: their *kinds*, whose fields have forms (`companion.model.forms`).

    *can_follow* tells whether an event finds what it changes: no more, since it is the rules that say what may happen.
    """

    def __init__(self, kinds: Iterable[type[Any]], can_follow: Callable[[State, Event], bool]) -> None:
        self._kinds = {kind.__name__: kind for kind in kinds}
        self._can_follow = can_follow

    @staticmethod
    def of(union: Any, can_follow: Callable[[Any, Any], bool]) -> EventCodec[Any, Any]:
        """Return the codec of the events in *union*."""
        return EventCodec(tuple(members(union)), can_follow)

    def pack(self, event: Event) -> Line:
        """Return *event* as JSON: its name under `event`, then its fields."""
        kind: type[Any] = type(event)
        line: dict[str, Any] = {"event": kind.__name__}
        for name, form, _ in fields_of(kind):
            form.write(line, name, getattr(event, name))
        return line

    def unpack(self, line: Line, state: State) -> Event:
        """Return the event that `pack` gave, if it can follow on *state*, or raise `Malformed` for anything else."""
        found = Fields(line, "event")
        name = found.word("event", self._kinds)
        kind, values = self._kinds[name], dict[str, Any]()
        known = Known(values, state)
        for each, form, _ in fields_of(kind):
            values[each] = form.read(found, each, known)
        event: Event = kind(**values)
        found.nothing_else()
        if not self._can_follow(state, event):
            raise Malformed(said("event: %(name)s can't happen there", name=name))
        return event

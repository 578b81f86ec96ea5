"""Convert events of a game to JSON for the ledger, and back.

The annotated fields of the event classes declare the format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, Line
from companion.kernel.i18n import said
from companion.kernel.shown import shows
from companion.model.forms import Known, fields_of, members

State = TypeVar("State")
Event = TypeVar("Event")


@shows("_kinds")
class EventCodec(Generic[State, Event]):
    """The codec for the event classes *kinds*; their fields are annotated with forms (`companion.model.forms`).

    *can_follow*(state, event) returns whether the objects that the event mentions exist in the state. It doesn't check
    the rules.
    """

    def __init__(self, kinds: Iterable[type[Any]], can_follow: Callable[[State, Event], bool]) -> None:
        self._kinds = {kind.__name__: kind for kind in kinds}
        self._can_follow = can_follow

    @staticmethod
    def of(union: Any, can_follow: Callable[[Any, Any], bool]) -> EventCodec[Any, Any]:
        """Return the codec for the events in *union*."""
        return EventCodec(tuple(members(union)), can_follow)

    def pack(self, event: Event) -> Line:
        """Return *event* as JSON: its class name under `event`, then its fields."""
        kind: type[Any] = type(event)
        line: dict[str, Any] = {"event": kind.__name__}
        for name, form, _ in fields_of(kind):
            form.write(line, name, getattr(event, name))
        return line

    def unpack(self, line: Line, state: State) -> Event:
        """Return the event that `pack` wrote, or raise `Malformed` if it is damaged or can't follow on *state*."""
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

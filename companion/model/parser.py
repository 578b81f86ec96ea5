"""Convert record lines of a game to commands, events to JSON for the ledger, and both back.

The annotated fields of the command and event classes declare the format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields
from companion.kernel.fields import Line as RecordLine
from companion.kernel.i18n import said
from companion.kernel.shown import shows
from companion.model.forms import NEEDED, Known, fields_of, members


class Line:
    """The base class of commands that are lines of a record. *do* is the word in the field `do` of the line.

    *written* lists the fields in the order of the line, if that differs from the order in the class.
    """

    do = ""
    written: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, do: str = "") -> None:
        """Set the `do` of a subclass."""
        if do:
            cls.do = do


Command = TypeVar("Command", bound=Line)
Reader = Callable[[Fields], Command]


@shows("_kinds")
class Parser(Generic[Command]):
    """The parser for the lines of one game.

    It maps each `do` to a command class, or to a function that chooses between several.
    """

    def __init__(self, kinds: Iterable[type[Command]], readers: Mapping[str, Reader[Command]]) -> None:
        self._kinds = {word_of(kind): kind for kind in kinds}
        self._readers = readers

    @staticmethod
    def of(union: Any, readers: Mapping[str, Reader[Any]] | None = None) -> Parser[Any]:
        """Return the parser for the commands in *union*; their fields are annotated with forms.

        If several command classes have the same `do`, *readers* has a function for it, which makes the command from the
        line's fields.
        """
        return Parser(tuple(members(union)), readers or {})

    def parse(self, line: RecordLine) -> Command:
        """Return the command for a record line, or raise `Malformed`, which names the wrong field.

        The line must have `do` and the command's own fields, and no others.
        """
        fields = Fields(line)
        do = fields.word("do", self._kinds)
        command = self._readers[do](fields) if do in self._readers else command_from(fields, self._kinds[do])
        fields.nothing_else()
        return command

    def line_of(self, command: Command) -> RecordLine:
        """Return the record line of *command*, the inverse of `parse`. Fields with their default value are left out."""
        kind: type[Any] = type(command)
        line: dict[str, Any] = {"do": word_of(kind)}
        fields = fields_of(kind)
        if kind.written:
            fields = tuple(sorted(fields, key=lambda field: kind.written.index(field.name)))
        for name, form, default in fields:
            value = getattr(command, name)
            if default is NEEDED or value != default:
                form.write(line, name, value)
        return line


def word_of(kind: type[Line]) -> str:
    """Return the `do` of the command class *kind*."""
    assert kind.do, f"{kind.__name__} has no word: class {kind.__name__}(Line, do=...)"
    return kind.do


def command_from(fields: Fields, kind: type[Command]) -> Command:
    """Return a command of the class *kind*, made from *fields*. Missing fields get their default value."""
    values: dict[str, Any] = {}
    known = Known(values)
    for name, form, default in fields_of(kind):
        if default is NEEDED or form.is_in(fields, name):
            values[name] = form.read(fields, name, known)
    return kind(**values)


def only_one(fields: Fields, names: Iterable[str]) -> str:
    """Return the only name in *names* that *fields* contains.

    Raise `Malformed` if it contains none or several of them.
    """
    words = tuple(names)
    given = [name for name in words if fields.has(name)]
    if len(given) != 1:
        raise Malformed(said("give exactly one of %(words)s, not %(count)s", words=", ".join(words), count=len(given)))
    return given[0]


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

    def pack(self, event: Event) -> RecordLine:
        """Return *event* as JSON: its class name under `event`, then its fields."""
        kind: type[Any] = type(event)
        line: dict[str, Any] = {"event": kind.__name__}
        for name, form, _ in fields_of(kind):
            form.write(line, name, getattr(event, name))
        return line

    def unpack(self, line: RecordLine, state: State) -> Event:
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

"""Convert record lines of a game to commands, events to JSON for the ledger, and both back.

A command or an event is a frozen class, and each of its fields is annotated with a form. The form says how the field is
read from JSON and written to it:

    class Roll(Line, do="roll"):
        player: Seat
        dice: Annotated[tuple[int, ...], Wholes(1, PIPS, at_least=1)]

From a union of these classes `Parser.of` makes the parser for the record lines of a game, and `EventCodec.of` the codec
for its ledger rows. For a field with a special format, derive a class from `Form` in the game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Generic, NamedTuple, TypeVar, get_args, get_type_hints

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, not_that
from companion.kernel.fields import Line as RecordLine
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.model.game import colours_in


class Known(NamedTuple):
    """The context in which a field is read: the fields before it, and for an event the state before it."""

    values: Mapping[str, Any]
    state: Any = None


NOTHING_KNOWN = Known({})


class Form(ABC):
    """The format of one field: reads the field from a JSON object and writes it there."""

    @abstractmethod
    def read(self, fields: Fields, name: str, known: Known) -> Any:
        """Take the field *name* from *fields* and return its value, or raise `Malformed`."""

    def write(self, line: dict[str, Any], name: str, value: Any) -> None:
        """Set the field *name* of *line* to *value*, in the format that `read` expects."""
        line[name] = value

    def is_in(self, fields: Fields, name: str) -> bool:
        """Return whether *fields* contains the field. A field with a default may be missing."""
        return fields.has(name)


@shows("_empty")
class Text(Form):
    """A text. It may be the empty string only if *empty* is true. Example: ``"Anna has miscounted"``"""

    def __init__(self, empty: bool = False) -> None:
        self._empty = empty

    def read(self, fields: Fields, name: str, known: Known) -> str:
        """Return the text."""
        return fields.text(name, empty=self._empty)


class SeatForm(Form):
    """A player's colour.

    In an event it must be a colour in play; in a record it may be any text, because the rules check it.
    """

    def read(self, fields: Fields, name: str, known: Known) -> str:
        """Return the colour."""
        if known.state is None:
            return fields.text(name)
        return fields.word(name, colours_in(known.state))


@shows("_words")
class OneOf(Form):
    """One of some words. Example: ``"inward"`` for ``OneOf("inward", "outward")``"""

    def __init__(self, *words: str) -> None:
        self._words = words

    def read(self, fields: Fields, name: str, known: Known) -> str:
        """Return the word."""
        return fields.word(name, self._words)


class OneOfState(Form):
    """One of some words. *of* is called with the state before the event, and returns these words."""

    def __init__(self, of: Callable[[Any], Iterable[str]]) -> None:
        self._of = of

    def read(self, fields: Fields, name: str, known: Known) -> str:
        """Return the word."""
        return fields.word(name, self._of(known.state))


@shows("_words")
class Words(Form):
    """A list of words from a set; words may repeat. Example: ``["gold", "gold"]``"""

    def __init__(self, *words: str) -> None:
        self._words = words

    def read(self, fields: Fields, name: str, known: Known) -> tuple[str, ...]:
        """Return the words."""
        return fields.words(name, self._words)

    def write(self, line: dict[str, Any], name: str, value: tuple[str, ...]) -> None:
        """Write a list."""
        line[name] = list(value)


@shows()
class WordsOfState(Words):
    """A list of words from a set. *of* is called with the state before the event, and returns the set."""

    def __init__(self, of: Callable[[Any], Iterable[str]]) -> None:
        self._of = of

    def read(self, fields: Fields, name: str, known: Known) -> tuple[str, ...]:
        """Return the words."""
        return fields.words(name, self._of(known.state))


@shows("_least", "_most")
class Whole(Form):
    """A whole number from *least* to *most* (None means no upper bound). Example: ``3``"""

    def __init__(self, least: int, most: int | None = None) -> None:
        self._least, self._most = least, most

    def read(self, fields: Fields, name: str, known: Known) -> int:
        """Return the number."""
        return fields.whole(name, self._least, self._most)


@shows("_least", "_most")
class Wholes(Form):
    """A list of at least *at_least* whole numbers, each from *least* to *most*. Example: ``[1, 1, 5]``"""

    def __init__(self, least: int, most: int, at_least: int = 0) -> None:
        self._least, self._most, self._at_least = least, most, at_least

    def read(self, fields: Fields, name: str, known: Known) -> tuple[int, ...]:
        """Return the numbers."""
        numbers = fields.whole_numbers(name, self._least, self._most)
        if len(numbers) < self._at_least:
            raise Malformed(said("%(where)s must have at least one number", where=fields.where(name)))
        return numbers

    def write(self, line: dict[str, Any], name: str, value: tuple[int, ...]) -> None:
        """Write a list."""
        line[name] = list(value)


class Flag(Form):
    """True or false."""

    def read(self, fields: Fields, name: str, known: Known) -> bool:
        """Return true or false."""
        return fields.flag(name)


@shows("_words")
class OrNull(Form):
    """One of some words, or null. Example: ``null``"""

    def __init__(self, *words: str) -> None:
        self._words = words

    def read(self, fields: Fields, name: str, known: Known) -> str | None:
        """Return the word, or None for null."""
        value = fields.take(name)
        if value is not None and (not isinstance(value, str) or value not in self._words):
            raise not_that(fields.where(name), said("one of %(words)s or null", words=", ".join(self._words)), value)
        return value


@shows("_other")
class Named(Form):
    """A field with another name in JSON than in Python, such as ``from`` or ``with``."""

    def __init__(self, other: str, form: Form) -> None:
        self._other, self._form = other, form

    def read(self, fields: Fields, name: str, known: Known) -> Any:
        """Return the field's value, which the JSON object has under the other name."""
        return self._form.read(fields, self._other, known)

    def write(self, line: dict[str, Any], name: str, value: Any) -> None:
        """Write the field under its JSON name."""
        self._form.write(line, self._other, value)

    def is_in(self, fields: Fields, name: str) -> bool:
        """Return whether *fields* contains the JSON name."""
        return self._form.is_in(fields, self._other)


@shows("_kind")
class Object(Form):
    """A value of the class *kind*, whose fields have forms. With *null* it may be null, which is read as None.

    Example: ``{"to": "p3", "value": 2}``
    """

    def __init__(self, kind: type[Any], null: bool = False) -> None:
        self._kind, self._null = kind, null

    def read(self, fields: Fields, name: str, known: Known) -> Any:
        """Return the value, or None for null."""
        if self._null and fields.shows(name, None):
            return fields.take(name)
        inner = fields.inner(name)
        value = command_from(inner, self._kind)
        inner.nothing_else()
        return value

    def write(self, line: dict[str, Any], name: str, value: Any) -> None:
        """Write an object with all fields."""
        line[name] = None if value is None else object_of(value)


@shows("_form")
class Inside(Form):
    """A field whose form reads the fields next to it. They are in an object of their own."""

    def __init__(self, form: Form) -> None:
        self._form = form

    def read(self, fields: Fields, name: str, known: Known) -> Any:
        """Return the value."""
        inner = fields.inner(name)
        value = self._form.read(inner, name, known)
        inner.nothing_else()
        return value

    def write(self, line: dict[str, Any], name: str, value: Any) -> None:
        """Write an object."""
        line[name] = {}
        self._form.write(line[name], name, value)


@shows("_form")
class Each(Form):
    """A list; each item has the form *form*. Example: ``["agent", null]`` for ``Each(OrNull("agent"))``"""

    def __init__(self, form: Form) -> None:
        self._form = form

    def read(self, fields: Fields, name: str, known: Known) -> tuple[Any, ...]:
        """Return the items."""
        items = {f"{fields.where(name)}[{at}]": item for at, item in enumerate(fields.list(name))}
        return tuple(self._form.read(Fields({where: item}), where, known) for where, item in items.items())

    def write(self, line: dict[str, Any], name: str, value: tuple[Any, ...]) -> None:
        """Write a list."""
        written = [dict[str, Any]() for _ in value]
        for item, into in zip(value, written, strict=True):
            self._form.write(into, name, item)
        line[name] = [into[name] for into in written]


@shows("_forms")
class Some(Form):
    """An object with at least one of the fields *forms*. It is read as pairs. Example: ``{"agent": 2}``"""

    def __init__(self, forms: Mapping[str, Form]) -> None:
        self._forms = forms

    def read(self, fields: Fields, name: str, known: Known) -> tuple[tuple[str, Any], ...]:
        """Return pairs of a field's name and its value, in the order of the forms."""
        inner = fields.inner(name)
        found = tuple((each, form.read(inner, each, known)) for each, form in self._forms.items() if inner.has(each))
        inner.nothing_else()
        if not found:
            raise Malformed(said("%(where)s is empty", where=fields.where(name)))
        return found

    def write(self, line: dict[str, Any], name: str, value: tuple[tuple[str, Any], ...]) -> None:
        """Write an object."""
        line[name] = dict[str, Any]()
        for each, item in value:
            self._forms[each].write(line[name], each, item)


@shows("_kinds")
class OnlyOne(Form):
    """Exactly one of several fields, each with a class that has one field. Example: ``"hand": 4``"""

    def __init__(self, kinds: Mapping[str, type[Any]]) -> None:
        self._kinds = kinds

    def read(self, fields: Fields, name: str, known: Known) -> Any:
        """Return a value of the field's class."""
        given = only_one(fields, self._kinds)
        kind = self._kinds[given]
        (field,) = fields_of(kind)
        return kind(field.form.read(fields, given, known))

    def write(self, line: dict[str, Any], name: str, value: Any) -> None:
        """Write the field of the value's class."""
        given = next(each for each, kind in self._kinds.items() if kind is type(value))
        (field,) = fields_of(self._kinds[given])
        field.form.write(line, given, getattr(value, field.name))

    def is_in(self, fields: Fields, name: str) -> bool:
        """Return True: reading fails if there is not exactly one."""
        return True


Seat = Annotated[str, SeatForm()]
"""The colour of a player."""


NEEDED: Any = object()
"""Marks a field without a default."""


class Field(NamedTuple):
    """A field of a command or an event: its name, its form, and its default or `NEEDED`."""

    name: str
    form: Form
    default: Any


_FIELDS: dict[type, tuple[Field, ...]] = {}


def fields_of(kind: type[Any]) -> tuple[Field, ...]:
    """Return the fields of the class *kind* in order, or raise TypeError if a field has no form."""
    found = _FIELDS.get(kind)
    if found is None:
        hints = get_type_hints(kind, include_extras=True)
        named = ((name, getattr(kind, name, NEEDED)) for name in kind.__annotations__)
        found = tuple(Field(name, _form(kind, name, hints[name]), default) for name, default in named)
        _FIELDS[kind] = found
    return found


def members(union: Any) -> Iterator[type[Any]]:
    """Yield the classes of a union, including those of nested unions."""
    parts = get_args(union)
    if not parts:
        yield union
    for part in parts:
        yield from members(part)


def _form(kind: type, name: str, hint: Any) -> Form:
    for each in getattr(hint, "__metadata__", ()):
        if isinstance(each, Form):
            return each
    raise TypeError(f"{kind.__name__}.{name} has no form: annotate it with Annotated[..., a Form]")


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
Value = TypeVar("Value")
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


def command_from(fields: Fields, kind: type[Value]) -> Value:
    """Return a command of the class *kind*, or another value with forms. Missing fields get their default value."""
    values: dict[str, Any] = {}
    known = Known(values)
    for name, form, default in fields_of(kind):
        if default is NEEDED or form.is_in(fields, name):
            values[name] = form.read(fields, name, known)
    return kind(**values)


def object_of(value: Any) -> dict[str, Any]:
    """Return all fields of *value*, in the format that `command_from` expects."""
    line: dict[str, Any] = {}
    for name, form, _ in fields_of(type(value)):
        form.write(line, name, getattr(value, name))
    return line


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
    """The codec for the event classes *kinds*; their fields are annotated with forms (`companion.model.parser`).

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

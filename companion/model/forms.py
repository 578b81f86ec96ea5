"""How a field of a command or an event is written in JSON: the form in the field's annotation reads and writes it.

A command or an event is a frozen class, and each of its fields is annotated with a form:

    class Roll(Line, do="roll"):
        player: Seat
        dice: Annotated[tuple[int, ...], Wholes(1, PIPS, at_least=1)]

From the union of these classes `companion.model.parser.Parser.of` makes the record lines of a game, and
`companion.model.event_codec.EventCodec.of` the rows of its ledger. A field that is written in a way of its own has a
form of its own: a class of the game that is derived from `Form`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.shown import shows
from companion.kernel.validation import Fields, not_that


class Known(NamedTuple):
    """What is known while a field is read: the fields before it, and for an event the state that it follows on."""

    values: Mapping[str, Any]
    state: Any = None


NOTHING_KNOWN = Known({})


class Form(ABC):
    """Reads one field of a JSON object and writes it."""

    @abstractmethod
    def read(self, fields: Fields, name: str, known: Known) -> Any:
        """Take the field *name* out of *fields* and return its value; `Malformed` for anything else."""

    def write(self, line: dict[str, Any], name: str, value: Any) -> None:
        """Put *value* into *line* as the field *name*; `read` gives it back."""
        line[name] = value

    def is_in(self, fields: Fields, name: str) -> bool:
        """Tell whether there is anything in *fields* to be read: a field with a default may be left out."""
        return fields.has(name)


@shows("_empty")
class Text(Form):
    """A text, *empty* too where that is allowed. Example: ``"Anna has miscounted"``"""

    def __init__(self, empty: bool = False) -> None:
        self._empty = empty

    def read(self, fields: Fields, name: str, known: Known) -> str:
        """Take a text."""
        return fields.text(name, empty=self._empty)


class SeatForm(Form):
    """A player's colour: in a record any text, since the rules refuse a stranger; in a row somebody who plays."""

    def read(self, fields: Fields, name: str, known: Known) -> str:
        """Take a colour."""
        if known.state is None:
            return fields.text(name)
        return fields.word(name, known.state.colours)


@shows("_words")
class OneOf(Form):
    """One of some words. Example: ``"inward"`` for ``OneOf("inward", "outward")``"""

    def __init__(self, *words: str) -> None:
        self._words = words

    def read(self, fields: Fields, name: str, known: Known) -> str:
        """Take one of the words."""
        return fields.word(name, self._words)


class OneOfState(Form):
    """One of the words that *of* finds in the state that an event follows on."""

    def __init__(self, of: Callable[[Any], Iterable[str]]) -> None:
        self._of = of

    def read(self, fields: Fields, name: str, known: Known) -> str:
        """Take one of the words."""
        return fields.word(name, self._of(known.state))


@shows("_words")
class Words(Form):
    """A list of some of these words, any number of each. Example: ``["gold", "gold"]``"""

    def __init__(self, *words: str) -> None:
        self._words = words

    def read(self, fields: Fields, name: str, known: Known) -> tuple[str, ...]:
        """Take the words."""
        return fields.words(name, self._words)

    def write(self, line: dict[str, Any], name: str, value: tuple[str, ...]) -> None:
        """Put a list."""
        line[name] = list(value)


@shows()
class WordsOfState(Words):
    """A list of some of the words that *of* finds in the state that an event follows on."""

    def __init__(self, of: Callable[[Any], Iterable[str]]) -> None:
        self._of = of

    def read(self, fields: Fields, name: str, known: Known) -> tuple[str, ...]:
        """Take the words."""
        return fields.words(name, self._of(known.state))


@shows("_least", "_most")
class Whole(Form):
    """A whole number from *least* to *most*, without an end where that is None. Example: ``3``"""

    def __init__(self, least: int, most: int | None = None) -> None:
        self._least, self._most = least, most

    def read(self, fields: Fields, name: str, known: Known) -> int:
        """Take a number."""
        return fields.whole(name, self._least, self._most)


@shows("_least", "_most")
class Wholes(Form):
    """A list of whole numbers from *least* to *most*, *at_least* so many. Example: ``[1, 1, 5]``"""

    def __init__(self, least: int, most: int, at_least: int = 0) -> None:
        self._least, self._most, self._at_least = least, most, at_least

    def read(self, fields: Fields, name: str, known: Known) -> tuple[int, ...]:
        """Take the numbers."""
        numbers = fields.whole_numbers(name, self._least, self._most)
        if len(numbers) < self._at_least:
            raise Malformed(said("%(where)s must have at least one number", where=fields.where(name)))
        return numbers

    def write(self, line: dict[str, Any], name: str, value: tuple[int, ...]) -> None:
        """Put a list."""
        line[name] = list(value)


class Flag(Form):
    """True or false."""

    def read(self, fields: Fields, name: str, known: Known) -> bool:
        """Take true or false."""
        return fields.flag(name)


@shows("_words")
class OrNull(Form):
    """One of some words, or null. Example: ``null``"""

    def __init__(self, *words: str) -> None:
        self._words = words

    def read(self, fields: Fields, name: str, known: Known) -> str | None:
        """Take a word or null."""
        value = fields.take(name)
        if value is not None and (not isinstance(value, str) or value not in self._words):
            raise not_that(fields.where(name), said("one of %(words)s or null", words=", ".join(self._words)), value)
        return value


@shows("_other")
class Named(Form):
    """A field that JSON calls *other* than Python does: ``from``, ``with``."""

    def __init__(self, other: str, form: Form) -> None:
        self._other, self._form = other, form

    def read(self, fields: Fields, name: str, known: Known) -> Any:
        """Take it by its other name."""
        return self._form.read(fields, self._other, known)

    def write(self, line: dict[str, Any], name: str, value: Any) -> None:
        """Put it by its other name."""
        self._form.write(line, self._other, value)

    def is_in(self, fields: Fields, name: str) -> bool:
        """Look for it by its other name."""
        return self._form.is_in(fields, self._other)


Seat = Annotated[str, SeatForm()]
"""The colour of a player."""


NEEDED: Any = object()
"""Stands for the default of a field that has none."""


class Field(NamedTuple):
    """A field of a command or an event: its name, its form, and its default or `NEEDED`."""

    name: str
    form: Form
    default: Any


_FIELDS: dict[type, tuple[Field, ...]] = {}


def fields_of(kind: type[Any]) -> tuple[Field, ...]:
    """Return the fields of *kind* in their order; TypeError for one without a form."""
    found = _FIELDS.get(kind)
    if found is None:
        hints = get_type_hints(kind, include_extras=True)
        named = ((name, getattr(kind, name, NEEDED)) for name in kind.__annotations__)
        found = tuple(Field(name, _form(kind, name, hints[name]), default) for name, default in named)
        _FIELDS[kind] = found
    return found


def members(union: Any) -> Iterator[type[Any]]:
    """Yield the classes of a union, those of unions in it one by one."""
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

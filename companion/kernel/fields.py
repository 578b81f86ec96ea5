"""Validate untrusted JSON field by field: each field must exist and have the right type, and unknown fields are errors.

All JSON input is read this way: headers and lines of every game, calibrations, worlds, scripts, console plans. All
errors therefore have the same form: the field, the expected value, and the given value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import Any, TypeGuard

from companion.kernel.errors import Malformed
from companion.kernel.names import name_fault, odd_character
from companion.kernel.said import Said, said
from companion.kernel.shown import shows

Line = Mapping[str, Any]
"""One line of a table record: a JSON object."""

_MISSING: Any = object()
SHOWN = 40
"""The maximum number of characters of a wrong value that a message repeats."""


@shows("_left")
class Fields:
    """A JSON object that is being read. Every getter raises `Malformed` with the field and the problem."""

    def __init__(self, value: object, where: str = "") -> None:
        if type(value) is not dict and not isinstance(value, Mapping):
            raise Malformed(
                said("%(where)s must be an object, not %(given)s", where=where or "line", given=shown(value))
            )
        self._left = dict(value)
        self._prefix = f"{where}." if where else ""

    def where(self, name: str) -> str:
        """Return the name of a field for messages: *name*, after the name of the surrounding object, if any."""
        return self._prefix + name

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that have not been read yet."""
        return tuple(self._left)

    def has(self, name: str) -> bool:
        """Return whether there is a field called *name* that has not been read yet."""
        return name in self._left

    def shows(self, name: str, value: object) -> bool:
        """Return whether there is a field called *name* that has not been read yet and equals *value*."""
        return name in self._left and bool(self._left[name] == value)

    def take(self, name: str, default: Any = _MISSING) -> Any:
        """Return the value of *name* without a check of its type."""
        if name in self._left:
            return self._left.pop(name)
        if default is _MISSING:
            raise Malformed(said("%(where)s is missing", where=self.where(name)))
        return default

    def wanted(self, name: str, wanted: Said, right: Callable[[Any], bool], default: Any = _MISSING) -> Any:
        """Return the value of *name* if *right* accepts it; otherwise raise `Malformed`.

        The message says that *wanted* was expected.
        """
        if name not in self._left and default is _MISSING:
            raise Malformed(said("%(where)s is missing; it must be %(wanted)s", where=self.where(name), wanted=wanted))
        value = self._left.pop(name, default)
        if not right(value):
            raise self._wrong(name, wanted, value)
        return value

    def only(self, *names: str) -> Fields:
        """Raise `Malformed` for any field except *names*.

        Called first, it reports a misspelt field before a missing one.
        """
        for name in self._left:
            if name not in names:
                where = self.where(shown(name)[1:-1])
                known = ", ".join(names)
                raise Malformed(said("%(where)s isn't known here; choose from %(known)s", where=where, known=known))
        return self

    def inner(self, name: str, default: Any = _MISSING) -> Fields:
        """Return the value of *name*, a JSON object, as `Fields`."""
        return Fields(self.take(name, default), self.where(name))

    def number(self, name: str, least: float, most: float, default: Any = _MISSING) -> float:
        """Return a number within bounds; true and NaN are not numbers."""
        return float(
            self.wanted(name, number_wanted(least, most), lambda value: is_number(value, least, most), default)
        )

    def label(self, name: str, most: int) -> str:
        """Return a name on one line (see `name_fault`)."""
        wanted = said("text of 1 to %(most)s characters", most=most)
        given = self._left.get(name)
        if isinstance(given, str) and (odd := odd_character(given)) is not None:
            raise Malformed(
                said("%(field)s can't have the character %(character)s", field=self.where(name), character=odd)
            )
        return str(self.wanted(name, wanted, lambda value: is_label(value, most)))

    def text(self, name: str, default: str | None = None, empty: bool = False) -> str:
        """Return a string, which may be empty only if *empty* is true."""
        if default is not None and name not in self._left:
            return default
        value = self.take(name)
        if not isinstance(value, str):
            raise self._wrong(name, said("text"), value)
        if not value and not empty:
            raise Malformed(said("%(where)s is empty", where=self.where(name)))
        return value

    def word(self, name: str, words: Iterable[str], default: str | None = None) -> str:
        """Return the value of *name* if it is one of *words*."""
        if default is not None and name not in self._left:
            return default
        allowed, value = tuple(words), self.take(name)
        if not isinstance(value, str) or value not in allowed:
            raise self._wrong(name, said("one of %(words)s", words=", ".join(allowed)), value)
        return value

    def whole(self, name: str, least: int, greatest: int | None = None) -> int:
        """Return a whole number within bounds; 2.0 and true do not count."""
        return whole(self.take(name), self.where(name), least, greatest)

    def flag(self, name: str, default: Any = _MISSING) -> bool:
        """Return true or false."""
        value = self.take(name, default)
        if not isinstance(value, bool):
            raise self._wrong(name, said("true or false"), value)
        return value

    def list(self, name: str, default: Any = _MISSING) -> list[Any]:
        """Return a list; its items are not checked."""
        value = self.take(name, default)
        if not isinstance(value, list | tuple):
            raise self._wrong(name, said("a list"), value)
        return list(value)

    def words(self, name: str, words: Iterable[str], default: Any = _MISSING) -> tuple[str, ...]:
        """Return a list whose items are all in *words*."""
        allowed = tuple(words)
        values = self.list(name, default)
        for value in values:
            if value not in allowed or not isinstance(value, str):
                raise self._wrong(name, said("a list of %(words)s", words=", ".join(allowed)), value)
        return tuple(values)

    def whole_numbers(self, name: str, least: int, greatest: int) -> tuple[int, ...]:
        """Return a list of whole numbers within bounds."""
        return tuple(whole(value, self.where(name), least, greatest) for value in self.list(name))

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of strings."""
        values = self.list(name)
        for value in values:
            if not isinstance(value, str):
                raise self._wrong(name, said("text"), value)
        return tuple(values)

    def rest(self) -> Mapping[str, Any]:
        """Return all fields that have not been read yet."""
        rest, self._left = self._left, {}
        return rest

    def nothing_else(self) -> None:
        """Raise `Malformed` if there is a field that has not been read."""
        if self._left:
            name = next(iter(self._left))
            where = self.where(shown(name)[1:-1])
            raise Malformed(said("%(where)s isn't a field here", where=where))

    def _wrong(self, name: str, wanted: Said, value: object) -> Malformed:
        return not_that(self.where(name), wanted, value)


DEEPEST = 40
"""The deepest nesting of JSON that is accepted, far more than the companion writes."""


def no_number(word: str) -> object:
    """Raise `ValueError` for NaN and Infinity, which are not JSON."""
    raise ValueError(word)


def finite(digits: str) -> float:
    """Parse a JSON number, or raise `ValueError` if it is too large for a float, such as 1e999."""
    value = float(digits)
    if not isfinite(value):
        raise ValueError(f"{digits[:SHOWN]} is too large")
    return value


def check_depth(value: object) -> None:
    """Raise `ValueError` if *value*, parsed JSON, is nested deeper than `DEEPEST`."""
    level = [value]
    for _ in range(DEEPEST):
        inner = [each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list)]
        level = [one for each in inner for one in each]
        if not level:
            return
    raise ValueError("nested too deeply")


def whole(value: object, where: str, least: int, greatest: int | None = None) -> int:
    """Return *value* if it is a whole number within bounds, or raise `Malformed`."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise not_that(where, said("a whole number"), value)
    if value < least or (greatest is not None and value > greatest):
        raise not_that(where, _bounds(least, greatest), value)
    return value


def _bounds(least: int, greatest: int | None) -> Said:
    if greatest is None:
        return said("%(least)s or more", least=least)
    return said("%(least)s to %(most)s", least=least, most=greatest)


def number(value: object, where: str, least: float, most: float) -> float:
    """Return *value* if it is a number within bounds, or raise `Malformed`."""
    if not is_number(value, least, most):
        raise not_that(where, number_wanted(least, most), value)
    return value


def number_wanted(least: float, most: float) -> Said:
    """Return the phrase "a number from ... to ..." for error messages."""
    return said("a number from %(least)s to %(most)s", least=_plain(least), most=_plain(most))


def _plain(bound: float) -> float:
    return int(bound) if bound == int(bound) else bound


def is_number(value: object, least: float, most: float) -> TypeGuard[int | float]:
    """Return whether *value* is a number within bounds."""
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def is_label(value: object, most: int) -> TypeGuard[str]:
    """Return whether *value* is a name of 1 to *most* letters."""
    return isinstance(value, str) and name_fault(value, most) is None


def not_that(where: str, wanted: Said, value: object) -> Malformed:
    """Return the exception to raise if *wanted* was expected at *where* and *value* was given."""
    return Malformed(
        said("%(where)s must be %(wanted)s, not %(given)s", where=where, wanted=wanted, given=shown(value))
    )


def shown(value: object) -> str:
    """Return *value* as a message repeats it: short, on one line, printable."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, Mapping):
        return said("an object")
    if isinstance(value, list | tuple):
        return said("a list")
    if isinstance(value, int) and value.bit_length() > SHOWN:
        return said("a huge number")
    text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…{text[0]}"

"""Reading JSON objects field by field: what is there, of which type, and nothing else.

Shared by the headers and lines of every game, so that each fault is named in
the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.i18n import Said, said

Line = Mapping[str, Any]
"""One line of a table record: a JSON object."""

_MISSING: Any = object()
SHOWN = 40
"""How many characters of a wrong value a message repeats."""


class Fields:
    """One JSON object being read; every getter raises `Malformed` saying where and what."""

    def __init__(self, value: object, where: str = "") -> None:
        if not isinstance(value, Mapping):
            raise Malformed(
                said("%(where)s: an object is wanted, not %(given)s", where=where or "line", given=shown(value))
            )
        self._left = dict(value)
        self._prefix = f"{where}." if where else ""

    def has(self, name: str) -> bool:
        """Say whether *name* is there and not yet read."""
        return name in self._left

    def take(self, name: str, default: Any = _MISSING) -> Any:
        """Return the raw value of *name*."""
        if name in self._left:
            return self._left.pop(name)
        if default is _MISSING:
            raise Malformed(said("%(where)s is missing", where=self._prefix + name))
        return default

    def text(self, name: str, default: str | None = None, empty: bool = False) -> str:
        """Return a text, not empty unless *empty* allows it."""
        if default is not None and name not in self._left:
            return default
        value = self.take(name)
        if not isinstance(value, str):
            raise self._wrong(name, said("a text"), value)
        if not value and not empty:
            raise Malformed(said("%(where)s is empty", where=self._prefix + name))
        return value

    def word(self, name: str, words: Iterable[str], default: str | None = None) -> str:
        """Return one of *words*."""
        value = self.text(name, default)
        if value not in (allowed := tuple(words)):
            raise self._wrong(name, said("one of %(words)s", words=", ".join(allowed)), value)
        return value

    def whole(self, name: str, least: int, greatest: int | None = None) -> int:
        """Return a whole number within bounds; 2.0 and true are none."""
        return whole(self.take(name), self._prefix + name, least, greatest)

    def flag(self, name: str, default: Any = _MISSING) -> bool:
        """Return true or false."""
        value = self.take(name, default)
        if not isinstance(value, bool):
            raise self._wrong(name, said("true or false"), value)
        return value

    def list(self, name: str, default: Any = _MISSING) -> list[Any]:
        """Return a list of whatever."""
        value = self.take(name, default)
        if not isinstance(value, list | tuple):
            raise self._wrong(name, said("a list"), value)
        return list(value)

    def words(self, name: str, words: Iterable[str], default: Any = _MISSING) -> tuple[str, ...]:
        """Return a list of some of *words*."""
        allowed = tuple(words)
        values = self.list(name, default)
        for value in values:
            if value not in allowed or not isinstance(value, str):
                raise self._wrong(name, said("a list of %(words)s", words=", ".join(allowed)), value)
        return tuple(values)

    def whole_numbers(self, name: str, least: int, greatest: int) -> tuple[int, ...]:
        """Return a list of whole numbers within bounds."""
        return tuple(whole(value, self._prefix + name, least, greatest) for value in self.list(name))

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts, whatever they say."""
        values = self.list(name)
        for value in values:
            if not isinstance(value, str):
                raise self._wrong(name, said("a text"), value)
        return tuple(values)

    def rest(self) -> Mapping[str, Any]:
        """Return all that is not yet read, whatever its names."""
        rest, self._left = self._left, {}
        return rest

    def nothing_else(self) -> None:
        """Raise `Malformed` when a field is left that nobody asked for."""
        if self._left:
            name = next(iter(self._left))
            where = self._prefix + shown(name)[1:-1]
            raise Malformed(said("%(where)s is not a field known here", where=where))

    def _wrong(self, name: str, wanted: Said, value: object) -> Malformed:
        return Malformed(_not_that(self._prefix + name, wanted, value))


def whole(value: object, where: str, least: int, greatest: int | None = None) -> int:
    """Return *value* if it is a whole number within bounds, or raise `Malformed`."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Malformed(_not_that(where, said("a whole number"), value))
    if value < least or (greatest is not None and value > greatest):
        raise Malformed(_not_that(where, _bounds(least, greatest), value))
    return value


def _bounds(least: int, greatest: int | None) -> Said:
    if greatest is None:
        return said("%(least)s or more", least=least)
    return said("%(least)s to %(most)s", least=least, most=greatest)


def _not_that(where: str, wanted: Said, value: object) -> Said:
    return said("%(where)s: %(wanted)s is wanted, not %(given)s", where=where, wanted=wanted, given=shown(value))


def shown(value: object) -> str:
    """Return *value* as a message may repeat it: short, on one line, printable."""
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

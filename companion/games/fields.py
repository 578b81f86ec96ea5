"""Reading JSON objects field by field: what is there, of which type, and nothing else.

Shared by the headers and lines of every game, so that each fault is named in
the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.game import Malformed

_MISSING: Any = object()
SHOWN = 40
"""How many characters of a wrong value a message repeats."""


class Fields:
    """One JSON object being read; every getter raises `Malformed` saying where and what."""

    def __init__(self, value: object, where: str = "") -> None:
        if not isinstance(value, Mapping):
            raise Malformed(f"{where or 'line'}: an object is wanted, not {shown(value)}")
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
            raise Malformed(f"{self._prefix}{name} is missing")
        return default

    def text(self, name: str, default: str | None = None, empty: bool = False) -> str:
        """Return a text, not empty unless *empty* allows it."""
        if default is not None and name not in self._left:
            return default
        value = self.take(name)
        if not isinstance(value, str):
            raise self._wrong(name, "a text", value)
        if not value and not empty:
            raise Malformed(f"{self._prefix}{name} is empty")
        return value

    def word(self, name: str, words: Iterable[str], default: str | None = None) -> str:
        """Return one of *words*."""
        value = self.text(name, default)
        if value not in (allowed := tuple(words)):
            raise self._wrong(name, f"one of {', '.join(allowed)}", value)
        return value

    def whole(self, name: str, least: int, greatest: int | None = None) -> int:
        """Return a whole number within bounds; 2.0 and true are none."""
        return whole(self.take(name), self._prefix + name, least, greatest)

    def flag(self, name: str, default: bool) -> bool:
        """Return true or false."""
        value = self.take(name, default)
        if not isinstance(value, bool):
            raise self._wrong(name, "true or false", value)
        return value

    def list(self, name: str, default: Any = _MISSING) -> list[Any]:
        """Return a list of whatever."""
        value = self.take(name, default)
        if not isinstance(value, list | tuple):
            raise self._wrong(name, "a list", value)
        return list(value)

    def words(self, name: str, words: Iterable[str], default: Any = _MISSING) -> tuple[str, ...]:
        """Return a list of some of *words*."""
        allowed = tuple(words)
        values = self.list(name, default)
        for value in values:
            if value not in allowed or not isinstance(value, str):
                raise self._wrong(name, f"a list of {', '.join(allowed)}", value)
        return tuple(values)

    def whole_numbers(self, name: str, least: int, greatest: int) -> tuple[int, ...]:
        """Return a list of whole numbers within bounds."""
        return tuple(whole(value, self._prefix + name, least, greatest) for value in self.list(name))

    def nothing_else(self) -> None:
        """Raise `Malformed` when a field is left that nobody asked for."""
        if self._left:
            name = next(iter(self._left))
            raise Malformed(f"{self._prefix}{shown(name)[1:-1]} is not a field known here")

    def _wrong(self, name: str, wanted: str, value: object) -> Malformed:
        return Malformed(f"{self._prefix}{name}: {wanted} is wanted, not {shown(value)}")


def whole(value: object, where: str, least: int, greatest: int | None = None) -> int:
    """Return *value* if it is a whole number within bounds, or raise `Malformed`."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Malformed(f"{where}: a whole number is wanted, not {shown(value)}")
    if value < least or (greatest is not None and value > greatest):
        bounds = f"{least} or more" if greatest is None else f"{least} to {greatest}"
        raise Malformed(f"{where}: {bounds} is wanted, not {shown(value)}")
    return value


def shown(value: object) -> str:
    """Return *value* as a message may repeat it: short, on one line, printable."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int) and value.bit_length() > SHOWN:
        return "a huge number"
    text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…{text[0]}"

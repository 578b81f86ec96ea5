"""A record's bytes as lines: JSON objects, one after another, the first fault named and nothing read past it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from companion.game import Line, Malformed
from companion.record.faults import RecordFault

LIMIT = 65_536
"""Bytes of a line, its end not counted."""


def read_lines(stream: BinaryIO) -> Iterator[tuple[int, Line]]:
    """Yield (number, object) of each line of *stream*, or raise `RecordFault` at the first that is none.

    Never holds more than one line; lines are numbered from 1.
    """
    number = 0
    while raw := stream.readline(LIMIT + 2):
        number += 1
        try:
            line = object_from(raw.removesuffix(b"\n"))
        except Malformed as fault:
            raise RecordFault(number, None, fault.reason) from None
        except _DoubledField as fault:
            raise RecordFault(number, fault.do if number > 1 else None, f"field {fault.name!r} is there twice") from None
        yield number, line
    if number == 0:
        raise RecordFault(1, None, "the record is empty")


def object_from(raw: bytes) -> Line:
    """Return the JSON object in *raw*, strictly: UTF-8, no NaN, no field twice."""
    if len(raw) > LIMIT:
        raise Malformed(f"the line is longer than {LIMIT} bytes")
    if not raw.strip():
        raise Malformed("the line is empty")
    value = _parsed(raw)
    if not isinstance(value, _Object):
        raise Malformed("the line is no JSON object")
    if value.doubled:
        raise _DoubledField(value.doubled, value.get("do"))
    return dict(value)


class _DoubledField(Exception):
    """A field is there twice in an object; *do* is the command of the line where that can be told."""

    def __init__(self, name: str, do: object) -> None:
        super().__init__(name)
        self.name, self.do = name, do if isinstance(do, str) else None


class _Object(dict[str, Any]):
    """An object as read; *doubled* names a field that it, or an object inside it, has twice."""

    doubled: str | None = None


def _parsed(raw: bytes) -> object:
    try:
        value = json.loads(raw.decode(), object_pairs_hook=_object, parse_constant=_constant)
        if b"\\u" in raw:
            _check_characters(value)
    except UnicodeDecodeError as fault:
        raise Malformed(f"the line is no UTF-8 text (byte {fault.start + 1})") from None
    except json.JSONDecodeError as fault:
        raise Malformed(f"the line is no JSON: {fault.msg} (column {fault.colno})") from None
    except RecursionError:
        raise Malformed("the line is nested too deeply") from None
    except ValueError as fault:
        raise Malformed(f"the line is no JSON that can be read: {_first_clause(fault)}") from None
    return value


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    made = _Object(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        made.doubled = next(name for name in names if names.count(name) > 1)
    for _, value in pairs:
        made.doubled = made.doubled or _doubled_inside(value)
    return made


def _doubled_inside(value: object) -> str | None:
    if isinstance(value, list):
        return next((found for part in value if (found := _doubled_inside(part))), None)
    return value.doubled if isinstance(value, _Object) else None


def _constant(word: str) -> object:
    raise ValueError(f"{word} is no number of JSON")


def _check_characters(value: object) -> None:
    """Refuse halves of characters, which JSON can spell and UTF-8 cannot."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("half a character (a lone surrogate)") from None


def _first_clause(fault: ValueError) -> str:
    return str(fault).split(";")[0]

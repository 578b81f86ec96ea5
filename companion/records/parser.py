"""A record's bytes as lines: JSON objects, one after another, the first fault named and nothing read past it."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import Any, BinaryIO, Protocol

from companion.kernel.errors import Malformed
from companion.kernel.i18n import Said, said
from companion.kernel.text_file import WithoutMark
from companion.kernel.validation import DEEPEST, Line, check_depth, finite, shown
from companion.records.errors import RecordError

LIMIT = 65_536
"""Bytes of a line, its end not counted."""
LONGEST_NUMBER = 40
"""Digits of a number that are looked at: the largest field ends far below."""


class LineSource(Protocol):
    """What gives the lines of a file, one after another."""

    def readline(self, most: int, /) -> bytes:
        """Return the next line, or as many as *most* bytes of it."""


def read_lines(stream: LineSource) -> Iterator[tuple[int, Line]]:
    """Yield (number, object) of each line of *stream*, or raise `RecordError` at the first that is none.

    Never holds more than one line; lines are numbered from 1.
    """
    number = 0
    while raw := stream.readline(LIMIT + 2):
        number += 1
        try:
            line = object_from(raw.removesuffix(b"\n"))
        except FlawedObject as fault:
            raise RecordError(number, fault.do if number > 1 else None, fault.reason) from None
        except Malformed as fault:
            raise RecordError(number, None, fault.reason) from None
        yield number, line
    if number == 0:
        raise RecordError(1, None, said("the record is empty"))


def read_file(stream: BinaryIO) -> Iterator[tuple[int, Line]]:
    """Yield what `read_lines` does of a file that somebody may have edited: a byte order mark is passed over."""
    try:
        yield from read_lines(WithoutMark(stream))
    except Malformed as fault:
        raise RecordError(1, None, fault.reason) from None


def object_from(raw: bytes, most: int = LIMIT) -> Line:
    """Return the JSON object in *raw*, strictly: UTF-8, no NaN, no field twice, *most* bytes.

    Raises `Malformed`; its kind `FlawedObject` where the command can be told.
    """
    if len(raw) > most:
        raise Malformed(said("the line is longer than %(most)s bytes", most=most))
    if not raw.strip():
        raise Malformed(said("the line is empty"))
    if raw.startswith(BOM_UTF8):
        raise Malformed(said("the line begins with a byte order mark (BOM)"))
    value = _parsed(raw)
    if not isinstance(value, _Object):
        raise Malformed(said("the line isn't a JSON object"))
    if value.doubled is not None:
        raise FlawedObject(said("field %(name)s appears twice", name=shown(value.doubled)), value.get("do"))
    if b"\\u" in raw:
        _check_characters(value)
    if raw.count(b"{") + raw.count(b"[") > DEEPEST:
        _check_depth(value)
    return dict(value)


class FlawedObject(Malformed):
    """A JSON object, but none for a record; *do* is the command of the line where that can be told."""

    def __init__(self, reason: Said, do: object) -> None:
        super().__init__(reason)
        self.do = do if isinstance(do, str) else None


class _Object(dict[str, Any]):
    """An object as read; *doubled* names a field that it, or an object inside it, has twice."""

    doubled: str | None = None


def _parsed(raw: bytes) -> object:
    try:
        return json.loads(
            raw.decode(), object_pairs_hook=_object, parse_constant=_constant, parse_int=_whole, parse_float=_number
        )
    except UnicodeDecodeError as fault:
        raise Malformed(said("the line isn't UTF-8 text (byte %(at)s)", at=fault.start + 1)) from None
    except json.JSONDecodeError as fault:
        raise Malformed(said("the line isn't JSON: %(why)s (column %(at)s)", why=fault.msg, at=fault.colno)) from None
    except RecursionError:
        raise Malformed(said("the line is nested too deeply")) from None
    except _NoNumber as fault:
        raise Malformed(said("the line isn't JSON: %(word)s isn't a number", word=str(fault))) from None


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    made = _Object()
    for name, value in pairs:
        if made.doubled is None:
            made.doubled = name if name in made else _doubled_inside(value)
        made[name] = value
    return made


def _doubled_inside(value: object) -> str | None:
    if isinstance(value, list):
        return next((found for part in value if (found := _doubled_inside(part)) is not None), None)
    return value.doubled if isinstance(value, _Object) else None


class _NoNumber(Exception):
    """A word that other languages take for a number."""


def _constant(word: str) -> object:
    raise _NoNumber(word)


def _number(digits: str) -> float:
    try:
        return finite(digits)
    except ValueError:
        raise _NoNumber(digits[:LONGEST_NUMBER]) from None


def _whole(digits: str) -> int:
    """Return a whole number; of one that no field could hold its head, which no field can hold either."""
    return int(digits[:LONGEST_NUMBER])


def _check_depth(value: _Object) -> None:
    try:
        check_depth(value)
    except ValueError:
        raise FlawedObject(said("the line is nested too deeply"), value.get("do")) from None


def _check_characters(value: _Object) -> None:
    """Refuse halves of characters, which JSON can spell and UTF-8 cannot."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise FlawedObject(said("the line is nested too deeply"), value.get("do")) from None
    except UnicodeEncodeError:
        raise FlawedObject(said("half a character (a lone surrogate)"), value.get("do")) from None

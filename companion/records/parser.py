"""Parse a record, line by line, into JSON objects. Parsing stops at the first invalid line."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import Any, BinaryIO, Protocol

from companion.kernel.errors import Malformed
from companion.kernel.fields import DEEPEST, Line, check_depth, finite, shown
from companion.kernel.i18n import Said, said
from companion.kernel.names import one_line
from companion.kernel.text_file import WithoutMark

LONGEST_REASON = 300


class RecordError(Exception):
    """A record is invalid at *line*, counted from 1. *do* is the `do` of that line, None if there is none.

    *reason* is one printable line, even if the record contains unprintable names.
    """

    def __init__(self, line: int, do: str | None, reason: str) -> None:
        self.line, self.do, self.reason = line, do, _one_line(reason)
        super().__init__(f"line {line}: {self.reason}")

    def __reduce__(self) -> tuple[Any, ...]:
        return RecordError, (self.line, self.do, self.reason)


def _one_line(text: str) -> str:
    if one_line(text) == text and len(text) <= LONGEST_REASON:
        return text  # unchanged, so that it can be translated
    printable = one_line(text[:LONGEST_REASON])
    return printable if len(text) <= LONGEST_REASON else f"{printable}…"


LIMIT = 65_536
"""The maximum length of a line in bytes, without its line ending."""
LONGEST_NUMBER = 40
"""The maximum number of digits of a number that are parsed. No field allows a number this long."""


class LineSource(Protocol):
    """A source of lines, such as a binary file."""

    def readline(self, most: int, /) -> bytes:
        """Return the next line, or its first *most* bytes."""


def read_lines(stream: LineSource) -> Iterator[tuple[int, Line]]:
    """Yield (number, object) for each line of *stream*, and raise `RecordError` at the first invalid line.

    Only one line is in memory at a time. Lines are numbered from 1.
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
    """Like `read_lines`, but skip a byte order mark, which an editor may have added."""
    try:
        yield from read_lines(WithoutMark(stream))
    except Malformed as fault:
        raise RecordError(1, None, fault.reason) from None


def object_from(raw: bytes, most: int = LIMIT) -> Line:
    """Return the JSON object in *raw*.

    *raw* must be UTF-8 of at most *most* bytes, without NaN and without duplicate fields. Raises `Malformed`, or its
    subclass `FlawedObject` if the command is known.
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
    """A JSON object that is not valid in a record. *do* is its command, if known."""

    def __init__(self, reason: Said, do: object) -> None:
        super().__init__(reason)
        self.do = do if isinstance(do, str) else None


class _Object(dict[str, Any]):
    """A parsed object. *doubled* is the name of a field that occurs twice in it, or in an object inside it."""

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
    """A number that Python's parser accepts and a record must not contain: NaN, Infinity, or too large for a float."""


def _constant(word: str) -> object:
    raise _NoNumber(word)


def _number(digits: str) -> float:
    try:
        return finite(digits)
    except ValueError:
        raise _NoNumber(digits[:LONGEST_NUMBER]) from None


def _whole(digits: str) -> int:
    """Parse a whole number. Digits after `LONGEST_NUMBER` are cut off: the rest is still too large for any field."""
    return int(digits[:LONGEST_NUMBER])


def _check_depth(value: _Object) -> None:
    try:
        check_depth(value)
    except ValueError:
        raise FlawedObject(said("the line is nested too deeply"), value.get("do")) from None


def _check_characters(value: _Object) -> None:
    """Raise an error for lone surrogates, which JSON can express and UTF-8 cannot."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise FlawedObject(said("the line is nested too deeply"), value.get("do")) from None
    except UnicodeEncodeError:
        raise FlawedObject(said("half a character (a lone surrogate)"), value.get("do")) from None

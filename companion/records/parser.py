"""Parse a record, line by line, into JSON objects. Parsing stops at the first invalid line.

A line may have fields in addition to its command (its `Envelope`), and all games share some fields of the header.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO, Protocol

from companion.kernel.errors import Malformed
from companion.kernel.fields import DEEPEST, Fields, Line, check_depth, finite, shown, whole
from companion.kernel.moments import in_utc_ms
from companion.kernel.names import one_line
from companion.kernel.said import Said, said
from companion.kernel.text_file import WithoutMark

RECORD, VERSION = "table-record", 1
VIAS = ("tablet", "phone", "ring", "button", "virtual", "companion", "import")

LATEST_START_MS = 253_370_764_800_000
"""The end of the year 9998. A later start could end after the year 9999, which dates in Python do not allow."""
ENDS = ("finished", "abandoned", "open")
"""The possible states of an exported game."""
ORIGIN = ("id", "started", "ended")
_IDENTITY = re.compile(r"[0-9a-fA-F]{32}")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:Z|\+00:00)", re.ASCII)
LATEST_MS = 2**53 - 1
"""The largest integer that every JSON parser represents exactly."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """The fields of a line that do not affect the game.

    *at* is its time in milliseconds since the start, *via* the device that it came from, and *note* a remark.
    """

    at: int | None = None
    via: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """The game that a record was exported from.

    *id* is the game's identifier, the same in every ledger. *started* is in milliseconds of the wall clock. *ended* is
    one of `ENDS`. Fields are None if the record was written by hand or by a simulation.
    """

    id: str = ""
    started: int | None = None
    ended: str = ""

    def line(self) -> dict[str, str]:
        """Return these values as fields of a header.

        >>> Origin("0" * 32, 0, "open").line()["started"]
        '1970-01-01T00:00:00.000Z'
        """
        found = {"id": self.id, "started": "" if self.started is None else moment(self.started), "ended": self.ended}
        return {name: value for name, value in found.items() if value}


def ended_as(status: str) -> str:
    """Return the `ended` field of a header for the status of a game."""
    return status if status in ENDS else "open"


def moment(wall_ms: int) -> str:
    """Return a time of the wall clock as ISO 8601 in UTC, with milliseconds."""
    return in_utc_ms(wall_ms)


def origin_of(header: Line) -> Origin:
    """Return the origin in a *header*, or raise `Malformed` for an invalid field."""
    fields = Fields({name: header[name] for name in ORIGIN if name in header})
    identity, started = "", None
    if fields.has("id"):
        identity = str(fields.wanted("id", said("32 hexadecimal digits"), _is_identity)).lower()
    if fields.has("started"):
        started = _ms(fields.wanted("started", said("a time in UTC like 2026-11-25T19:30:00Z"), _is_moment))
    return Origin(identity, started, fields.word("ended", ENDS) if fields.has("ended") else "")


def _is_identity(value: object) -> bool:
    return isinstance(value, str) and _IDENTITY.fullmatch(value) is not None


def _is_moment(value: object) -> bool:
    try:
        return isinstance(value, str) and 0 <= _ms(value) <= LATEST_START_MS
    except ValueError:
        return False


def _ms(text: str) -> int:
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise ValueError(text)
    seconds = datetime.fromisoformat(f"{found[1]}+00:00").timestamp()
    return round(seconds) * 1000 + int((found[2] or "").ljust(3, "0")[:3])


def opened(line: Line) -> tuple[Envelope, dict[str, Any]]:
    """Return the envelope of a line and its remaining fields, or raise `Malformed`."""
    left = dict(line)
    left.pop("lots", None)  # the lots drawn before this line; only `companion verify` uses them
    fields = Fields({name: left.pop(name) for name in ("at", "via", "note") if name in left})
    at = whole(fields.take("at"), "at", 0, LATEST_MS) if fields.has("at") else None
    via = fields.word("via", VIAS) if fields.has("via") else None
    note = fields.text("note", empty=True) if fields.has("note") else None
    return Envelope(at, via, note), left


def reason_of(line: Line) -> str | None:
    """Return the note of an `undo` line, which has no other fields, or raise `Malformed`."""
    envelope, left = opened(line)
    fields = Fields(left)
    fields.take("do")
    fields.nothing_else()
    return envelope.note


def game_of(header: Line) -> tuple[str, dict[str, Any]]:
    """Return the game's name and its own header fields, or raise `Malformed`."""
    _, left = opened(header)
    left.pop("sealed", None)  # about the lots, not about the game; only `companion verify` uses it
    origin_of(header)
    for name in ORIGIN:
        left.pop(name, None)
    fields = Fields({name: left.pop(name) for name in ("record", "version", "game") if name in left})
    fields.word("record", (RECORD,))
    version = whole(fields.take("version"), "version", 1)
    if version > VERSION:
        raise Malformed(
            said(
                "version: this record has version %(version)s; the newest known here is %(newest)s",
                version=shown(version),
                newest=VERSION,
            )
        )
    return fields.text("game"), left


LONGEST_REASON = 300


class RecordError(Exception):
    """A record is invalid at *line*, counted from 1. *do* is the `do` of that line, or None if there is none.

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

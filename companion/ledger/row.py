"""A row of the ledger as a value, and its checksum.

Each checksum covers the checksum before it, so that the rows of a game form a chain. The rows that belong to no game
form one more chain.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b, sha256
from itertools import product
from typing import Any, NamedTuple

from companion.kernel.errors import Malformed
from companion.kernel.fields import DEEPEST, Line, check_depth, finite, no_number
from companion.kernel.said import said


class RowKind(StrEnum):
    """The kind of a row.

    - `GAME`: the header of a game.
    - `LINE`: a command with its events, also an `undo`.
    - `RING`: a raw event of a ring.
    - `JUDGEMENT`: the colour recognised in a raw event, when it arrived (`first`) or later (`again`).
    - `PASSAGE`: the result of a raw event that made no line.
    - `ANSWER`: a person's answer to the question about a raw event.
    - `CLOCK`: a change of the clock, such as the start of a step. Outside games: the preferred time limits of a table.
    - `MOMENT`: everything else (paused, resumed, left, beat ...).
    - `CALIBRATION`: a whole calibration of a ring, outside games.
    - `COPY`: a copy of the game's box, outside games.
    """

    GAME = "game"
    LINE = "line"
    RING = "ring"
    JUDGEMENT = "judgement"
    PASSAGE = "passage"
    ANSWER = "answer"
    CLOCK = "clock"
    MOMENT = "moment"
    CALIBRATION = "calibration"
    COPY = "copy"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the ledger.

    *word* is a subdivision of *kind*. *at_ms* is the game's clock, *step_ms* the clock of the current step and
    *wall_ms* the wall clock, all just before the row. *ring* is the number of the raw ring row that caused it, and
    *undoes* the number of the line that it undoes. *source* (device, boot, seq) identifies a ring's event permanently.
    """

    id: int
    game: int | None
    kind: str
    word: str
    who: str
    via: str
    at_ms: int
    step_ms: int
    wall_ms: int
    body: Line
    ring: int | None = None
    undoes: int | None = None
    source: tuple[str, str, int] | None = None

    def fields(self) -> tuple[Any, ...]:
        """Return the row as the columns of the table, in their order."""
        device, boot, seq = self.source or (None, None, None)
        # Written in ASCII with escapes, because a name may contain a lone surrogate, which no database accepts.
        body = _JSON.encode(self.body)
        return (
            *(self.id, self.game, self.kind, self.word, self.who, self.via),
            *(self.at_ms, self.step_ms, self.wall_ms, body, self.ring, self.undoes, device, boot, seq),
        )


def with_seal_alone(row: Row) -> Row:
    """Return *row*; if it contains a seed, the seed is replaced by its seal (its SHA-256)."""
    seed = row.body.get("seed") if row.kind == RowKind.MOMENT and row.word == "sealed" else None
    if not isinstance(seed, str) or not _HEX.fullmatch(seed):
        return row
    return replace(row, body={"seal": sha256(bytes.fromhex(seed)).hexdigest()})


_HEX = re.compile(r"([0-9a-f]{2})+")
_JSON = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
COLUMNS = "id, game, kind, word, who, via, at_ms, step_ms, wall_ms, body, ring, undoes, device, boot, seq"


LATEST_WALL_MS = 253_402_127_999_999  # 29 December 9999, which is a valid date in every time zone


def row_of(fields: tuple[Any, ...]) -> Row:
    """Return the row with these columns (see `Row.fields`), or raise `Malformed`, which names row and column.

    SQLite accepts any type in any column, so a flipped bit on the disk is first detected here.
    """
    number, game, kind, word, who, via, at_ms, step_ms, wall_ms, body, ring, undoes, device, boot, seq = fields
    if tuple(map(type, fields)) not in _SOUND or not _plain(fields):
        _check(fields)
    source = None if device is None else (device, boot, seq)
    stamps = (at_ms, step_ms, wall_ms)
    return Row(number, game, kind, word, who, via, *stamps, _object(number, body), ring, undoes, source)


def _plain(fields: tuple[Any, ...]) -> bool:
    """Return True if all strings are ASCII and all times are in range. This fast check accepts nearly every row."""
    at_ms, step_ms, wall_ms = fields[6:9]
    if not (0 <= at_ms <= LATEST_WALL_MS and 0 <= step_ms <= LATEST_WALL_MS and 0 <= wall_ms <= LATEST_WALL_MS):
        return False
    return "".join(fields[2:6]).isascii() and fields[9].isascii() and (fields[12] or "").isascii()


def _check(fields: tuple[Any, ...]) -> None:
    for name, fits, value in zip(_NAMES, _FITS, fields, strict=True):
        if not fits(value):
            raise damaged(fields[0], said("%(column)s holds the wrong kind of value", column=name))
    if fields[12:].count(None) not in (0, 3):
        raise damaged(fields[0], said("%(column)s holds the wrong kind of value", column="device"))


def damaged(row: int, why: str) -> Malformed:
    """Return the exception for a row that cannot be read. *row* is its number, and *why* the reason."""
    return Malformed(said("row %(row)s of the ledger can't be read: %(why)s", row=row, why=why))


def _time(value: object) -> bool:
    return isinstance(value, int) and 0 <= value <= LATEST_WALL_MS


def _text(value: object) -> bool:
    """Return whether *value* is a string that was valid UTF-8 on disk. Invalid bytes are read as lone surrogates."""
    if not isinstance(value, str):
        return False
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)


def _text_or_none(value: object) -> bool:
    return value is None or _text(value)


def _whole_or_none(value: object) -> bool:
    return value is None or isinstance(value, int)


_NAMES = tuple(COLUMNS.split(", "))
_FITS: tuple[Callable[[object], bool], ...] = (
    *(_whole_or_none, _whole_or_none, _text, _text, _text, _text),
    *(_time, _time, _time, _text, _whole_or_none, _whole_or_none),
    *(_text_or_none, _text_or_none, _whole_or_none),
)
_SOUND = frozenset(
    (int, game, str, str, str, str, int, int, int, str, ring, undoes, *source)
    for game, ring, undoes in product((int, type(None)), repeat=3)
    for source in ((str, str, int), (type(None),) * 3)
)


def _object(row: int, body: str) -> Line:
    """Return the JSON object in *body*, or raise `Malformed`."""
    try:
        found = _DECODER.decode(body)
        if body.count("{") + body.count("[") > DEEPEST:
            check_depth(found)
    except (ValueError, RecursionError) as fault:
        raise damaged(row, said("body isn't JSON (%(why)s)", why=str(fault))) from None
    if not isinstance(found, dict):
        raise damaged(row, said("body isn't a JSON object"))
    return WithHalves(found) if _HALVES.search(body) else found


_HALVES = re.compile(r"\\ud[89a-f]", re.IGNORECASE)


class WithHalves(dict[str, Any]):
    """A body that may contain lone surrogates, which JSON can express but no page can display."""


_DECODER = json.JSONDecoder(parse_constant=no_number, parse_float=finite)


DIGEST_SIZE = 16
FIRST_DIGEST = bytes(DIGEST_SIZE)
"""The checksum that the first row of a chain uses in place of a previous row's checksum."""
BODY_COLUMN = 9

# JSON in ASCII without blanks has the same bytes in every version of Python. In a damaged file a text column may hold
# bytes.
_ASCII_JSON = json.JSONEncoder(separators=(",", ":"), default=lambda value: {"bytes": bytes(value).hex()}).encode


def name_digest(game: int, place: int, text: object) -> bytes:
    """Return the checksum of a name.

    Names are not part of a chain, so a name and its checksum can be changed together.
    """
    return blake2b(_ASCII_JSON((game, place, text)).encode(), digest_size=DIGEST_SIZE).digest()


def digest_of(before: object, fields: tuple[Any, ...]) -> bytes:
    """Return the checksum of a row with the columns *fields*. *before* is the checksum of the row before it.

    It is BLAKE2b over the previous checksum, the columns without the body as a JSON array, and the bytes of the body.
    *fields* are in the order in which the file stores them. The checksum is computed without a key, so it does not
    prove who wrote the row.
    """
    link = before if isinstance(before, bytes) and len(before) == DIGEST_SIZE else FIRST_DIGEST
    digest, body = blake2b(link, digest_size=DIGEST_SIZE), fields[BODY_COLUMN]
    if isinstance(body, str):
        digest.update(
            (_ASCII_JSON(fields[:BODY_COLUMN] + fields[BODY_COLUMN + 1 :]) + body).encode(errors="surrogateescape")
        )
    else:
        digest.update(_ASCII_JSON(fields).encode())
    return digest.digest()


class RowContent(NamedTuple):
    """An event as the columns of a row."""

    kind: RowKind
    word: str
    body: Line
    ring: int | None = None
    undoes: int | None = None
    source: tuple[str, str, int] | None = None

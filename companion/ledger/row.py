"""A row of the ledger as a value."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from itertools import product
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import DEEPEST, Line, check_depth, finite, no_number


class RowKind(StrEnum):
    """What a row tells.

    `GAME` a header; `LINE` a command with its events (`undo` included);
    `RING` a raw event of a ring; `JUDGEMENT` what colour it was taken for, when
    it came (`first`) or later (`again`); `PASSAGE` what became of such an event
    when it made no line; `ANSWER` what a person said about it; `CLOCK` what was
    done to the clock, and where each step began; `MOMENT` everything else
    (paused, resumed, left, beat ...). Outside any game: `CALIBRATION` one that
    was made, whole; `COPY` a copy of a game; `CLOCK` the pace a table likes.
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
    """One row: *word* says what kind of its kind, clocks stand as they did just before it.

    *at_ms* is the game's clock, *step_ms* the step's, *wall_ms* the wall
    clock's. *ring* is the raw row it comes from, *undoes* the line it takes
    back, *source* (device, boot, seq) names a ring's event for good.
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
        # Escapes, since a name may hold half a surrogate pair, which no database takes.
        body = _JSON.encode(self.body)
        return (
            *(self.id, self.game, self.kind, self.word, self.who, self.via),
            *(self.at_ms, self.step_ms, self.wall_ms, body, self.ring, self.undoes, device, boot, seq),
        )


def with_seal_alone(row: Row) -> Row:
    """Return *row* with the seal of a seed (its SHA-256) instead of the seed, and any other row as it is."""
    seed = row.body.get("seed") if row.kind == RowKind.MOMENT and row.word == "sealed" else None
    if not isinstance(seed, str) or not _HEX.fullmatch(seed):
        return row
    return replace(row, body={"seal": sha256(bytes.fromhex(seed)).hexdigest()})


_HEX = re.compile(r"([0-9a-f]{2})+")
_JSON = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
COLUMNS = "id, game, kind, word, who, via, at_ms, step_ms, wall_ms, body, ring, undoes, device, boot, seq"


LATEST_WALL_MS = 253_402_127_999_999  # 29 December 9999: in every zone before calendars end


def row_of(fields: tuple[Any, ...]) -> Row:
    """Return the row that `Row.fields` gave these columns, or raise `Malformed` naming it and the column at fault.

    SQLite holds anything in any column: a byte that has tipped over on a card is found here.
    """
    number, game, kind, word, who, via, at_ms, step_ms, wall_ms, body, ring, undoes, device, boot, seq = fields
    if tuple(map(type, fields)) not in _SOUND or not _plain(fields):
        _check(fields)
    source = None if device is None else (device, boot, seq)
    stamps = (at_ms, step_ms, wall_ms)
    return Row(number, game, kind, word, who, via, *stamps, _object(number, body), ring, undoes, source)


def _plain(fields: tuple[Any, ...]) -> bool:
    """Tell at a glance that texts and times of the right types are sound: nearly every row, and tables are long."""
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
    """Return what is raised for the row of that number, with *why* it cannot be read."""
    return Malformed(said("row %(row)s of the ledger can't be read: %(why)s", row=row, why=why))


def _time(value: object) -> bool:
    return isinstance(value, int) and 0 <= value <= LATEST_WALL_MS


def _text(value: object) -> bool:
    """Tell whether *value* is a text that was UTF-8 on the disk; what was not comes as halves of characters."""
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
    """Return the JSON object that *body* holds."""
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
    """A body that may hold half of a character, which can be spelt in JSON and written on no page."""


_DECODER = json.JSONDecoder(parse_constant=no_number, parse_float=finite)

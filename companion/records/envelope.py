"""The fields that a line may have in addition to its command, and the header fields of all games."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, Line, shown, whole
from companion.kernel.i18n import said
from companion.kernel.moments import in_utc_ms

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

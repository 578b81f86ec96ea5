"""What every line may carry beside its command, and the head that all games' records share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Fields, Line, shown, whole

RECORD, VERSION = "table-record", 1
VIAS = ("tablet", "phone", "ring", "button", "virtual", "companion", "import")

LATEST_MS = 2**53 - 1
"""What every reader of JSON can hold without rounding."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """When a line was made (milliseconds since the start), by what, and why; none changes the result."""

    at: int | None = None
    via: str | None = None
    note: str | None = None


def opened(line: Line) -> tuple[Envelope, dict[str, Any]]:
    """Return the envelope of a line and what is left of it, or raise `Malformed`."""
    left = dict(line)
    left.pop("lots", None)  # what was drawn by lot before it: `companion verify` reads it
    fields = Fields({name: left.pop(name) for name in ("at", "via", "note") if name in left})
    at = whole(fields.take("at"), "at", 0, LATEST_MS) if fields.has("at") else None
    via = fields.word("via", VIAS) if fields.has("via") else None
    note = fields.text("note", empty=True) if fields.has("note") else None
    return Envelope(at, via, note), left


def reason_of(line: Line) -> str | None:
    """Return the note of an `undo` line, which has no field of its own, or raise `Malformed`."""
    envelope, left = opened(line)
    fields = Fields(left)
    fields.take("do")
    fields.nothing_else()
    return envelope.note


def game_of(header: Line) -> tuple[str, dict[str, Any]]:
    """Return the game's name and the fields that are the game's own, or raise `Malformed`."""
    _, left = opened(header)
    left.pop("sealed", None)  # tells of lots, and nothing of the game: `companion verify` reads it
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

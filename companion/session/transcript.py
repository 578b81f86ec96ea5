"""The record of a game as it grows, in memory too: for the evening on which a card cannot even be read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from companion.kernel.validation import Line
from companion.session.events import Entry, LineDone, LineUndone

UNDO = {"do": "undo"}


class Transcript:
    """A record, a line of text each: a long evening takes less than a megabyte."""

    def __init__(self, game_id: int, header: Line) -> None:
        self.game_id = game_id
        self._lines = [_text(header)]

    def record(self) -> Iterator[Line]:
        """Return the record, header first."""
        return map(json.loads, tuple(self._lines))

    def add(self, entries: Iterable[Entry]) -> None:
        """Go on with what *entries* tell."""
        self._lines.extend(map(_text, lines_of(entries)))


def lines_of(entries: Iterable[Entry]) -> Iterator[Line]:
    """Return the lines of *entries* as a record holds them."""
    for entry in entries:
        event = entry.event
        if isinstance(event, LineDone | LineUndone):
            made: dict[str, Any] = {**(event.line if isinstance(event, LineDone) else UNDO)}
            made |= {"at": entry.at_ms, "via": entry.via}
            if event.note is not None:
                made["note"] = event.note
            yield made


def _text(line: Line) -> str:
    return json.dumps(line, separators=(",", ":"))

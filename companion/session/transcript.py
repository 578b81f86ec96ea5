"""The record of a game as it grows, in memory too: for the evening on which a card cannot even be read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from companion.events.table_events import Entry, LineDone, LineUndone
from companion.kernel.validation import Line

UNDO = {"do": "undo"}


class Transcript:
    """A record as it is told: a long evening takes about a megabyte."""

    def __init__(self, game_id: int, header: Line) -> None:
        self.game_id = game_id
        self._lines = [header]

    def record(self) -> Iterator[Line]:
        """Return the record, header first, as JSON that is nobody else's."""
        return map(_own, tuple(self._lines))

    def standing(self) -> list[Line]:
        """Return the header and the lines that count, in the order in which they came."""
        kept: list[Line] = []
        for line in self._lines:
            if line.get("do") == UNDO["do"]:
                kept.pop()
            else:
                kept.append(line)
        return kept

    def add(self, entries: Iterable[Entry]) -> None:
        """Go on with what *entries* tell."""
        for entry in entries:
            if isinstance(entry.event, LineDone | LineUndone):
                self._lines.append(line_of(entry, entry.event))


def line_of(entry: Entry, event: LineDone | LineUndone) -> Line:
    """Return the line of *entry* as a record holds it."""
    line = event.line if isinstance(event, LineDone) else UNDO
    noted = {} if event.note is None else {"note": event.note}
    return {**line, "at": entry.at_ms, "via": entry.via, **noted}


def _own(line: Line) -> Line:
    own: Line = json.loads(json.dumps(line))
    return own

"""The record of a game as it grows, in memory too: for the evening on which a card cannot even be read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from companion.kernel.validation import Line
from companion.ledger import Kind, Row


class Transcript:
    """A record, a line of text each: a long evening takes less than a megabyte."""

    def __init__(self, game_id: int, header: Line) -> None:
        self.game_id = game_id
        self._lines = [_text(header)]

    def record(self) -> Iterator[Line]:
        """Return the record, header first."""
        return map(json.loads, tuple(self._lines))

    def add(self, rows: Iterable[Row]) -> None:
        """Go on with what *rows* tell."""
        self._lines.extend(_text(record_line(row)) for row in rows if row.kind == Kind.LINE)


def record_line(row: Row) -> Line:
    """Return the line of *row* as a record holds it."""
    line: dict[str, Any] = {**row.body["line"], "at": row.at_ms, "via": row.via}
    if "note" in row.body:
        line["note"] = row.body["note"]
    return line


def _text(line: Line) -> str:
    return json.dumps(line, separators=(",", ":"))

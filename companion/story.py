"""The record of the live game in memory, for the evening on which the storage cannot even be read any more."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from companion.game import Line
from companion.ledger import Kind, Row
from companion.shelf import record_line


class Story:
    """A record, a line of text each: a long evening takes less than a megabyte."""

    def __init__(self, game_id: int | None = None, record: Iterable[Line] = ()) -> None:
        self.game_id = game_id
        self._lines = [_text(line) for line in record]

    def record(self) -> Iterator[Line]:
        """Return the record, header first."""
        return map(json.loads, tuple(self._lines))

    def add(self, rows: Sequence[Row]) -> None:
        """Go on with what *rows* tell."""
        self._lines.extend(_text(record_line(row)) for row in rows if row.kind == Kind.LINE)


def _text(line: Line) -> str:
    return json.dumps(line, separators=(",", ":"))

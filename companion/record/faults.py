"""The one way in which a table record can be wrong."""

from __future__ import annotations


class RecordFault(Exception):
    """A record stops here: *line* counts from 1, *do* is the command there (None for what is no command)."""

    def __init__(self, line: int, do: str | None, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line, self.do, self.reason = line, do, reason

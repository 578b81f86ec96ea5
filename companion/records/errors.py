"""The exception for an invalid table record."""

from __future__ import annotations

from typing import Any

from companion.kernel.names import one_line

LONGEST_REASON = 300


class RecordError(Exception):
    """A record is invalid at *line*, counted from 1. *do* is the `do` of that line, None if there is none.

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

"""Takes a whole record into the ledger, line by line through the same engine as a live table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.draft import Draft
from companion.game import Line, Malformed, Refused
from companion.sight import ImportFault, Who

_LATEST_MS = 1 << 53


def taken_in(lines: Iterable[Line], who: Who, begin: Callable[[Line], Draft]) -> Draft:
    """Return the transaction that holds the whole record, or raise `ImportFault` at the first line that is wrong.

    The companion adds nothing by itself: what it did at the table stands in
    the record already.
    """
    draft: Draft | None = None
    for index, line in enumerate(lines, 1):
        try:
            if draft is None:
                draft = begin(_object(line))
            else:
                _add(draft, _object(line), who)
        except (Malformed, Refused) as fault:
            raise ImportFault(index, line, fault.reason) from fault
    if draft is None:
        raise ImportFault(1, None, "The record is empty.")
    draft.close()
    return draft


def _add(draft: Draft, line: Line, who: Who) -> None:
    at, via, note = _aside(line)
    if at is not None:
        draft.at(at)
    by = Who(who.name, via or who.via)
    if line.get("do") != "undo":
        return draft.line(line, by)
    if set(line) - {"do", "at", "via", "note"}:
        raise Malformed("`undo` has no fields.")
    return draft.undo_one(by, note or "")


def _aside(line: Line) -> tuple[int | None, str | None, str | None]:
    """Return what any line may carry beside its command: `at`, `via`, `note`."""
    at, via, note = line.get("at"), line.get("via"), line.get("note")
    if "at" in line and (type(at) is not int or not 0 <= at < _LATEST_MS):
        raise Malformed("`at` must be whole milliseconds since the start.")
    if not all(isinstance(line.get(name, ""), str) for name in ("via", "note")):
        raise Malformed("`via` and `note` must be text.")
    return at, via, note


def _object(line: Any) -> Line:
    if not isinstance(line, Mapping):
        raise Malformed("A line of a record must be a JSON object.")
    return line

"""Rows for changes of the clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from companion.events.row_content import RowContent
from companion.events.table_events import (
    ClockChange,
    ClockChanged,
    ClockGoing,
    ClockHeld,
    Extended,
    PaceSet,
    RevealBegun,
    SeatReady,
    StepStarted,
)
from companion.kernel.fields import Fields
from companion.ledger import Row, RowKind
from companion.records.envelope import LATEST_MS


def written(event: ClockChanged) -> RowContent:
    """Return *event* as the contents of a row."""
    word, body = _change(event.change)
    return RowContent(RowKind.CLOCK, word, body if event.version is None else {**body, "version": event.version})


def _change(change: ClockChange) -> tuple[str, dict[str, Any]]:
    match change:
        case StepStarted(step, seats, mark, limit_ms):
            return "started", {"step": step, "seats": seats, "mark": mark, "limit_ms": limit_ms}
        case SeatReady(seat):
            return "ready", {"seat": seat}
        case RevealBegun():
            return "reveal", {}
        case Extended(ms):
            return "extended", {"ms": ms}
        case ClockHeld(why):
            return "held", {"why": why}
        case ClockGoing():
            return "going", {}
        case PaceSet(pace):
            return "pace", {"pace": pace}
        case _:
            assert_never(change)


def _started(fields: Fields) -> StepStarted:
    step, seats = fields.text("step"), fields.texts("seats")
    return StepStarted(step, seats, fields.whole_numbers("mark", 0, LATEST_MS), fields.whole("limit_ms", 0))


def _pace(fields: Fields) -> PaceSet:
    return PaceSet(Fields(fields.take("pace"), "pace").rest())


def _clock(change: Callable[[Fields], ClockChange]) -> Callable[[Row, Fields], ClockChanged]:
    def read(row: Row, fields: Fields) -> ClockChanged:
        version = fields.whole("version", 0) if fields.has("version") else None
        return ClockChanged(change(fields), version)

    return read


WORDS: Mapping[str, Callable[[Row, Fields], ClockChanged]] = {
    "started": _clock(_started),
    "ready": _clock(lambda fields: SeatReady(fields.text("seat"))),
    "reveal": _clock(lambda fields: RevealBegun()),
    "extended": _clock(lambda fields: Extended(fields.whole("ms", 1, LATEST_MS))),
    "held": _clock(lambda fields: ClockHeld(fields.text("why"))),
    "going": _clock(lambda fields: ClockGoing()),
    "pace": _clock(_pace),
}

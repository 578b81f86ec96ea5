"""Rows for the clock, and for moments: paused, player left, stations counted, seed sealed, lot drawn ..."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from companion.events.table_events import (
    Abandoned,
    ClockChange,
    ClockChanged,
    ClockGoing,
    ClockHeld,
    Extended,
    Fate,
    LeftAgreed,
    LeftCounted,
    LeftOpen,
    LotDrawn,
    Moment,
    PaceSet,
    PlayedWith,
    RevealBegun,
    SealEvent,
    SeatLeft,
    SeatReady,
    SeatReturned,
    SeedSealed,
    StepStarted,
    WordsAdded,
)
from companion.kernel.fields import Fields, whole
from companion.ledger import Row, RowKind
from companion.ledger.row import RowContent
from companion.model.sealed import lot_from, lot_line, seal_from, seed_from, words_from
from companion.records.parser import LATEST_MS

MOST = 999
AGREED, COUNTED, LEFT_OPEN = "agreed", "counted", "left open"


def written(event: Fate | Abandoned | SeatLeft | SeatReturned | PlayedWith) -> RowContent:
    """Return *event* as the contents of a row."""
    match event:
        case Fate():
            return RowContent(RowKind.MOMENT, event, {})
        case Abandoned(reason):
            return RowContent(RowKind.MOMENT, "abandoned", {"reason": reason})
        case SeatLeft(seat):
            return RowContent(RowKind.MOMENT, "left", {"seat": seat})
        case SeatReturned(seat):
            return RowContent(RowKind.MOMENT, "returned", {"seat": seat})
        case PlayedWith(copy):
            return RowContent(RowKind.MOMENT, "copy", {"name": copy})
        case _:
            assert_never(event)


def counted(event: LeftAgreed | LeftCounted | LeftOpen) -> RowContent:
    """Return *event* as the contents of a row."""
    match event:
        case LeftAgreed(left, stations):
            return RowContent(RowKind.MOMENT, AGREED, {"left": left, "stations": dict(stations)})
        case LeftCounted(left, stations):
            return RowContent(RowKind.MOMENT, COUNTED, {"left": left, "stations": dict(stations)})
        case LeftOpen(left):
            return RowContent(RowKind.MOMENT, LEFT_OPEN, {"left": left})
        case _:
            assert_never(event)


def _left(fields: Fields) -> int:
    return fields.whole("left", 1)


def _stations(fields: Fields) -> Mapping[str, int]:
    counts = Fields(fields.take("stations"), "stations").rest()
    return {name: whole(count, f"stations.{name}", 0, MOST) for name, count in counts.items()}


def _turn(row: Row, fields: Fields) -> Fate:
    return Fate(row.word)


WORDS: Mapping[str, Callable[[Row, Fields], Moment]] = {
    **dict.fromkeys(Fate, _turn),
    "abandoned": lambda row, fields: Abandoned(fields.text("reason")),
    "left": lambda row, fields: SeatLeft(fields.text("seat")),
    "returned": lambda row, fields: SeatReturned(fields.text("seat")),
    "copy": lambda row, fields: PlayedWith(fields.text("name")),
    AGREED: lambda row, fields: LeftAgreed(_left(fields), _stations(fields)),
    COUNTED: lambda row, fields: LeftCounted(_left(fields), _stations(fields)),
    LEFT_OPEN: lambda row, fields: LeftOpen(_left(fields)),
}


def sealed(event: SealEvent) -> RowContent:
    """Return *event* as the contents of a row."""
    match event:
        case SeedSealed(seed, seal):
            return RowContent(RowKind.MOMENT, "sealed", {"seed": seed} if seed else {"seal": seal})
        case WordsAdded(words):
            return RowContent(RowKind.MOMENT, "words", {"words": words})
        case LotDrawn(lot):
            return RowContent(RowKind.MOMENT, "lot", lot_line(lot))
        case _:
            assert_never(event)


def _sealed(fields: Fields) -> SeedSealed:
    return SeedSealed(seed_from(fields)) if fields.has("seed") else SeedSealed("", seal_from(fields))


SEALS: Mapping[str, Callable[[Row, Fields], SealEvent]] = {
    "sealed": lambda row, fields: _sealed(fields),
    "words": lambda row, fields: WordsAdded(words_from(fields.take("words"))),
    "lot": lambda row, fields: LotDrawn(lot_from(fields)),
}


def clock_written(event: ClockChanged) -> RowContent:
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


CLOCK_WORDS: Mapping[str, Callable[[Row, Fields], ClockChanged]] = {
    "started": _clock(_started),
    "ready": _clock(lambda fields: SeatReady(fields.text("seat"))),
    "reveal": _clock(lambda fields: RevealBegun()),
    "extended": _clock(lambda fields: Extended(fields.whole("ms", 1, LATEST_MS))),
    "held": _clock(lambda fields: ClockHeld(fields.text("why"))),
    "going": _clock(lambda fields: ClockGoing()),
    "pace": _clock(_pace),
}

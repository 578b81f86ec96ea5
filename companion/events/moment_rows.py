"""Rows for events of a game other than its lines: paused, player left, stations counted, seed sealed, lot drawn ..."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import assert_never

from companion.events.table_events import (
    Abandoned,
    Fate,
    LeftAgreed,
    LeftCounted,
    LeftOpen,
    LotDrawn,
    Moment,
    PlayedWith,
    SealEvent,
    SeatLeft,
    SeatReturned,
    SeedSealed,
    WordsAdded,
)
from companion.kernel.fields import Fields, whole
from companion.ledger import Row, RowKind
from companion.ledger.row import RowContent
from companion.model.sealed import lot_from, lot_line, seal_from, seed_from, words_from

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

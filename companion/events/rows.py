"""Convert events with their times to rows of the ledger, and back. An invalid row is detected here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, assert_never

from companion.events import clock_rows, line_rows, moment_rows, ring_rows
from companion.events import table_events as events
from companion.events.row_content import RowContent
from companion.events.table_events import (
    Aside,
    CalibrationSaved,
    CopySaved,
    CopyUsed,
    Event,
    EventEntry,
    LineDone,
    PaceSaved,
)
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields
from companion.kernel.i18n import said
from companion.kernel.names import readable
from companion.ledger import Row, RowKind, damaged
from companion.ledger.row import WithHalves
from companion.model.boxes import Copy, named
from companion.model.game import AnyGame

# Rows that belong to no game: copies, calibrations, and the preferred pace of a table. The other kinds of rows have
# modules of their own; these four are short enough to be here.

KEPT, USED = "kept", "used"


def _aside(event: Aside) -> RowContent:
    """Return *event* as the contents of a row."""
    match event:
        case CopySaved(copy):
            body = {"name": copy.name, "game": copy.game, "board": copy.board, "colours": dict(copy.colours)}
            return RowContent(RowKind.COPY, KEPT, body)
        case CopyUsed(name):
            return RowContent(RowKind.COPY, USED, {"name": name})
        case CalibrationSaved():
            return RowContent(RowKind.CALIBRATION, KEPT, event.line)
        case PaceSaved(game, pace):
            return RowContent(RowKind.CLOCK, KEPT, {"game": game, "pace": pace})
        case _:
            assert_never(event)


def _copy(row: Row, fields: Fields) -> CopySaved:
    name, game = fields.text("name"), fields.text("game")
    taken = fields.take("board")
    board = None if taken is None else Fields(taken, "board").rest()
    colours = Fields(fields.take("colours"), "colours").rest()
    texts = Fields(colours, "colours")
    return CopySaved(Copy(name, game, board, {each: texts.text(each) for each in colours}))


def _used(row: Row, fields: Fields) -> CopyUsed:
    return CopyUsed(fields.text("name"))


def _calibration(row: Row, fields: Fields) -> CalibrationSaved:
    return CalibrationSaved(named(row.body), fields.rest())


def _pace(row: Row, fields: Fields) -> PaceSaved:
    game = fields.text("game")
    return PaceSaved(game, Fields(fields.take("pace"), "pace").rest())


COPIES: Mapping[str, Callable[[Row, Fields], CopySaved | CopyUsed]] = {KEPT: _copy, USED: _used}
CALIBRATIONS: Mapping[str, Callable[[Row, Fields], CalibrationSaved]] = {KEPT: _calibration}
PACES: Mapping[str, Callable[[Row, Fields], PaceSaved]] = {KEPT: _pace}

Reader = Callable[[Row, Fields], Event]


def packed(entry: EventEntry, game: AnyGame | None = None) -> Row:
    """Return *entry* as a row. *game* converts the events of a line to JSON."""
    kind, word, body, ring, undoes, source = _written(entry.event, game)
    stamps = (entry.who, entry.via, entry.at_ms, entry.step_ms, entry.wall_ms)
    return Row(entry.id, entry.game, kind, word, *stamps, body, ring, undoes, source)


def unpacked(row: Row) -> EventEntry:
    """Return the event of *row*, or raise `Malformed`, which names the row and the wrong field."""
    row = _as_text(row)
    fields = Fields(row.body)
    try:
        _check_game(row)
        event = _reader(row)(row, fields)
        fields.nothing_else()
    except Malformed as fault:
        raise damaged(row.id, fault.reason) from None
    return EventEntry(row.id, row.game, row.who, row.via, row.at_ms, row.step_ms, row.wall_ms, event)


def _as_text(row: Row) -> Row:
    """Return *row* with the unprintable characters in `who` escaped.

    The body is escaped too if it may contain such characters: in rows of kind `game`, and for lone surrogates.
    """
    if row.kind == "game" or isinstance(row.body, WithHalves):
        return replace(row, who=readable(row.who), body=_escaped(row.body))
    who = readable(row.who)
    return row if who == row.who else replace(row, who=who)


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return readable(value)
    if isinstance(value, list):
        return [_escaped(each) for each in value]
    if isinstance(value, dict):
        return {readable(name): _escaped(each) for name, each in value.items()}
    return value  # numbers, booleans and null contain no text


def understood(entry: EventEntry, game: AnyGame) -> EventEntry:
    """Return *entry* if the present rules of *game* can parse its line; else raise `Malformed`."""
    if isinstance(entry.event, LineDone):
        try:
            game.parse(entry.event.line)
        except Malformed as fault:
            raise damaged(entry.id, fault.reason) from None
    return entry


def _written(event: Event, game: AnyGame | None) -> RowContent:
    match event:
        case events.LineDone() | events.LineUndone() | events.Begun():
            return line_rows.written(event, game)
        case events.RingEventReceived() | events.Judged():
            return ring_rows.written(event)
        case events.PassageAsked() | events.PassageSettled() | events.Answered():
            return ring_rows.settled(event)
        case events.ClockChanged():
            return clock_rows.written(event)
        case events.CopySaved() | events.CopyUsed() | events.CalibrationSaved() | events.PaceSaved():
            return _aside(event)
        case events.LeftAgreed() | events.LeftCounted() | events.LeftOpen():
            return moment_rows.counted(event)
        case events.SeedSealed() | events.WordsAdded() | events.LotDrawn():
            return moment_rows.sealed(event)
        case events.Fate() | events.Abandoned() | events.SeatLeft() | events.SeatReturned() | events.PlayedWith():
            return moment_rows.written(event)
        case _:
            assert_never(event)


def _check_game(row: Row) -> None:
    """Raise `Malformed` if the row needs a game and has none, or has a game although it must not."""
    aside = row.kind in ("calibration", "copy") or (row.kind, row.word) == ("clock", KEPT)
    if aside != (row.game is None) and row.kind not in (
        "ring",
        "judgement",
    ):  # rings also send events while there is no game
        raise Malformed(said("it belongs to a game and shouldn't") if aside else said("it belongs to no game"))


def _reader(row: Row) -> Reader:
    if row.kind not in _KINDS:
        raise Malformed(said("there's no kind of row called %(kind)s", kind=repr(row.kind)))
    found = _KINDS[row.kind]
    if not isinstance(found, Mapping):
        return found
    if row.word not in found:
        raise Malformed(said("a row of kind %(kind)s has no word %(word)s", word=repr(row.word), kind=row.kind))
    return found[row.word]


_KINDS: Mapping[str, Reader | Mapping[str, Reader]] = {
    "game": line_rows.HEADERS,
    "line": line_rows.read,
    "ring": ring_rows.ring_event,
    "judgement": ring_rows.JUDGEMENTS,
    "passage": ring_rows.PASSAGES,
    "answer": ring_rows.ANSWERS,
    "clock": {**clock_rows.WORDS, **PACES},
    "moment": {**moment_rows.WORDS, **moment_rows.SEALS},
    "calibration": CALIBRATIONS,
    "copy": COPIES,
}

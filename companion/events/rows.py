"""Convert events with their times to rows of the ledger, and back. An invalid row is detected here.

Rows of a ring and of moments have modules of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, assert_never

from companion.events import moment_rows, ring_rows
from companion.events import table_events as events
from companion.events.ring_rows import shares
from companion.events.table_events import (
    Aside,
    Begun,
    CalibrationSaved,
    ClockChange,
    ClockChanged,
    ClockGoing,
    ClockHeld,
    CopySaved,
    CopyUsed,
    Event,
    EventEntry,
    Extended,
    LineDone,
    LineUndone,
    PaceSaved,
    PaceSet,
    RevealBegun,
    SeatReady,
    StepStarted,
    Stored,
)
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, Line
from companion.kernel.names import readable
from companion.kernel.said import said
from companion.ledger import Row, RowKind, damaged
from companion.ledger.row import RowContent, WithHalves
from companion.model.boxes import Copy, named
from companion.model.game import AnyGame
from companion.records import game_of, opened
from companion.records.parser import LATEST_MS
from companion.ring.draw_policy import RingPassage

# Rows that belong to no game: copies, calibrations, and the preferred pace of a table.

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
    """Return *entry* if the present rules of *game* can parse its line; otherwise raise `Malformed`."""
    if isinstance(entry.event, LineDone):
        try:
            game.parse(entry.event.line)
        except Malformed as fault:
            raise damaged(entry.id, fault.reason) from None
    return entry


def _written(event: Event, game: AnyGame | None) -> RowContent:
    match event:
        case events.LineDone() | events.LineUndone() | events.Begun():
            return _line_written(event, game)
        case events.RingEventReceived() | events.Judged():
            return ring_rows.written(event)
        case events.PassageAsked() | events.PassageSettled() | events.Answered():
            return ring_rows.settled(event)
        case events.ClockChanged():
            return _clock_written(event)
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


# Rows for a game's header and its lines.

UNDO = "undo"


def _line_written(event: Begun | LineDone | LineUndone, game: AnyGame | None) -> RowContent:
    """Return *event* as the contents of a row."""
    body: dict[str, Any]
    match event:
        case Begun():
            word = "imported" if event.imported else "opened"
            return RowContent(RowKind.GAME, word, {"header": dict(event.header), "rules": event.rules})
        case LineDone():
            body = {"line": event.line, "events": _events(event, game)}
            if event.note is not None:
                body["note"] = event.note
            return RowContent(RowKind.LINE, event.line["do"], body, event.ring)
        case LineUndone():
            body = {"line": {"do": UNDO}}
            if event.note is not None:
                body["note"] = event.note
            if event.asks is not None:
                body["asks"] = _asked(event.asks)
            return RowContent(RowKind.LINE, UNDO, body, undoes=event.undoes)
        case _:
            assert_never(event)


def _line_read(row: Row, fields: Fields) -> LineDone | LineUndone:
    """Return the line in *row*, with its events as stored, or raise `Malformed`."""
    found: Line = fields.take("line")
    line = Fields(found, "line")
    line.word("do", (row.word,))
    note = fields.text("note", empty=True) if fields.has("note") else None
    if row.word != UNDO:
        return LineDone(found, _stored(row, fields), note, row.ring)
    line.nothing_else()
    if row.undoes is None:
        raise Malformed(said("it doesn't say what it undoes"))
    asks = _asks(Fields(fields.take("asks"), "asks")) if fields.has("asks") else None
    return LineUndone(row.undoes, note, asks)


def _begun(row: Row, fields: Fields) -> Begun:
    rules = fields.text("rules")
    fields.take("id", "")  # only rows waiting in memory contain this field; rows from the disk do not
    header = Fields(fields.take("header"), "header").rest()
    opened(header)
    game_of(header)
    for player in Fields(header, "header").list("players"):
        seat = Fields(player, "players")
        seat.text("colour")
        seat.text("name")
    return Begun(header, rules, row.word == "imported")


GAMES: Mapping[str, Callable[[Row, Fields], Begun]] = {"opened": _begun, "imported": _begun}


def _events(done: LineDone, game: AnyGame | None) -> list[Line]:
    if isinstance(done.events, Stored):
        return list(done.events.lines)
    assert game is not None
    return list(map(game.pack, done.events))


def _stored(row: Row, fields: Fields) -> Stored:
    if row.undoes is not None:
        raise Malformed(said("it undoes a line but isn't an undo"))
    events = fields.list("events")
    for event in events:
        Fields(event, "events")
    return Stored(tuple(events))


def _asked(passage: RingPassage) -> Line:
    asked = {"id": passage.id, "pair": passage.pair, "ranking": [list(each) for each in passage.ranking]}
    return {**asked, "rejected": passage.rejected} if passage.rejected else asked


def _asks(asks: Fields) -> RingPassage:
    number, pair = asks.whole("id", 1), asks.flag("pair")
    ranking = tuple((colour, float(share)) for colour, share in shares(asks, "ranking"))
    rejected = asks.text("rejected", "") if asks.has("rejected") else ""  # older rows do not have this field
    asks.nothing_else()
    return RingPassage(number, pair, 0, None, ranking, rejected=rejected)


# Rows for changes of the clock.


def _clock_written(event: ClockChanged) -> RowContent:
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


def _pace_set(fields: Fields) -> PaceSet:
    return PaceSet(Fields(fields.take("pace"), "pace").rest())


def _clock(change: Callable[[Fields], ClockChange]) -> Callable[[Row, Fields], ClockChanged]:
    def read(row: Row, fields: Fields) -> ClockChanged:
        version = fields.whole("version", 0) if fields.has("version") else None
        return ClockChanged(change(fields), version)

    return read


CLOCKS: Mapping[str, Callable[[Row, Fields], ClockChanged]] = {
    "started": _clock(_started),
    "ready": _clock(lambda fields: SeatReady(fields.text("seat"))),
    "reveal": _clock(lambda fields: RevealBegun()),
    "extended": _clock(lambda fields: Extended(fields.whole("ms", 1, LATEST_MS))),
    "held": _clock(lambda fields: ClockHeld(fields.text("why"))),
    "going": _clock(lambda fields: ClockGoing()),
    "pace": _clock(_pace_set),
}


_KINDS: Mapping[str, Reader | Mapping[str, Reader]] = {
    "game": GAMES,
    "line": _line_read,
    "ring": ring_rows.ring_event,
    "judgement": ring_rows.JUDGEMENTS,
    "passage": ring_rows.PASSAGES,
    "answer": ring_rows.ANSWERS,
    "clock": {**CLOCKS, **PACES},
    "moment": {**moment_rows.WORDS, **moment_rows.SEALS},
    "calibration": CALIBRATIONS,
    "copy": COPIES,
}

"""Rows for a game's header and its lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from companion.events.ring_rows import shares
from companion.events.row_content import RowContent
from companion.events.table_events import Begun, LineDone, LineUndone, Stored
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, Line
from companion.kernel.i18n import said
from companion.ledger import Row, RowKind
from companion.model.game import AnyGame
from companion.records import game_of, opened
from companion.ring.draw_policy import RingPassage

UNDO = "undo"


def written(event: Begun | LineDone | LineUndone, game: AnyGame | None) -> RowContent:
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


def read(row: Row, fields: Fields) -> LineDone | LineUndone:
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


HEADERS: Mapping[str, Callable[[Row, Fields], Begun]] = {"opened": _begun, "imported": _begun}


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

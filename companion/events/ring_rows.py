"""Rows for the events of a ring, for the colours recognised, and for the table's answers about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from companion.events.table_events import Answered, Judged, PassageAsked, PassageSettled, RingEventReceived
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, Line
from companion.kernel.said import Said, from_json, said, stored_fields
from companion.ledger import Row, RowKind
from companion.ledger.row import RowContent
from companion.model.snapshot import Asked, Question
from companion.ports.ring import Judgement, RingEvent
from companion.ports.ring import RingEventKind as RingKind
from companion.ring.draw_policy import Became

FIRST, AGAIN = "first", "again"


def written(event: RingEventReceived | Judged) -> RowContent:
    """Return *event* as the contents of a row."""
    match event:
        case RingEventReceived(received):
            return RowContent(RowKind.RING, str(received.kind), body_of(received), source=received.source)
        case Judged():
            return RowContent(
                RowKind.JUDGEMENT, AGAIN if event.again else FIRST, judgement_body(event.judgement), event.ring
            )
        case _:
            assert_never(event)


def settled(event: PassageAsked | PassageSettled | Answered) -> RowContent:
    """Return *event* as the contents of a row."""
    match event:
        case PassageAsked(question):
            return RowContent(RowKind.PASSAGE, "asked", {"question": _question(question)}, question.id)
        case PassageSettled():
            body = {"text": event.text, **stored_fields(event.text)}
            return RowContent(RowKind.PASSAGE, event.became, body, event.ring)
        case Answered():
            return RowContent(RowKind.ANSWER, "answered", {"chosen": event.chosen}, event.ring)
        case _:
            assert_never(event)


def ring_event(row: Row, fields: Fields) -> RingEventReceived:
    """Return the ring event in *row*, or raise `Malformed`. Older ledgers store the judgement in the same row."""
    if row.source is None:
        raise Malformed(said("it doesn't say which ring it's from"))
    if row.word not in list(RingKind):
        raise Malformed(said("a row of kind %(kind)s has no word %(word)s", word=repr(row.word), kind=row.kind))
    at_us, token, raw = fields.whole("at_us", 0), fields.whole("token", 0), fields.texts("raw")
    detail = Fields(fields.take("detail"), "detail").rest()
    body = fields.take("judgement", None)
    judgement = None if body is None else judgement_of(body)
    return RingEventReceived(RingEvent(*row.source, at_us, RingKind(row.word), token, raw, judgement, detail))


def shares(fields: Fields, name: str) -> tuple[tuple[str, Any], ...]:
    """Return the field *name* as a list of pairs (word, number), or raise `Malformed`."""
    pairs = fields.list(name)
    for pair in pairs:
        if not isinstance(pair, list | tuple) or list(map(type, pair)) not in ([str, float], [str, int]):
            raise Malformed(said("%(name)s must be pairs of a word and a number", name=name))
    return tuple((word, number) for word, number in pairs)


def _judged(row: Row, fields: Fields) -> Judged:
    about, judgement = _about(row), judgement_of(row.body)
    for name in ("colour", "ranking", "why", "unknown", "calibration"):
        fields.take(name)
    return Judged(about, judgement, row.word == AGAIN)


def _question(question: Question) -> Line:
    asked = {
        "kind": question.kind,
        "offered": question.offered,
        "detail": question.detail,
        **stored_fields(question.detail),
    }
    return {**asked, "fault": question.fault} if question.fault else asked


def _asked(row: Row, fields: Fields) -> PassageAsked:
    about = _about(row)
    asked = Fields(fields.take("question"), "question")
    kind = Asked(asked.word("kind", Asked))
    detail = asked.text("detail")
    offered = shares(asked, "offered")
    fault = asked.text("fault") if asked.has("fault") else ""
    question = Question(about, kind, offered, _sentence(asked, detail), fault)
    asked.nothing_else()
    return PassageAsked(question)


def _settled(row: Row, fields: Fields) -> PassageSettled:
    about, text = _about(row), fields.text("text")
    return PassageSettled(about, Became(row.word), _sentence(fields, text))


def _answered(row: Row, fields: Fields) -> Answered:
    return Answered(_about(row), fields.text("chosen"))


def _sentence(fields: Fields, english: str) -> Said:
    """Return the translatable sentence of a row, or *english* if the row is older and has no pattern."""
    if not fields.has("said"):
        return Said(english)
    try:
        return from_json(fields.take("said"))
    except ValueError as fault:
        raise Malformed(said("said: %(why)s", why=str(fault))) from None


def _about(row: Row) -> int:
    if row.ring is None:
        raise Malformed(said("it doesn't say which ring row it's about"))
    return row.ring


JUDGEMENTS: Mapping[str, Callable[[Row, Fields], Judged]] = {FIRST: _judged, AGAIN: _judged}
PASSAGES: Mapping[str, Callable[[Row, Fields], PassageAsked | PassageSettled]] = {
    "asked": _asked,
    **dict.fromkeys(Became, _settled),
}
ANSWERS: Mapping[str, Callable[[Row, Fields], Answered]] = {"answered": _answered}


def body_of(event: RingEvent) -> Line:
    """Return *event* as JSON without its judgement. The judgement is stored in a row of its own."""
    return {"at_us": event.at_us, "token": event.token, "raw": list(event.raw), "detail": dict(event.detail)}


def judgement_body(judgement: Judgement) -> Line:
    """Return *judgement* as JSON."""
    return {
        "colour": judgement.colour,
        "ranking": list(map(list, judgement.ranking)),
        "why": judgement.why,
        "unknown": judgement.unknown,
        "calibration": judgement.calibration,
    }


def judgement_of(body: Line) -> Judgement:
    """Return the judgement from the JSON of `judgement_body`, or from an older raw row (colour and ranking only).

    Raises `Malformed` for anything else.
    """
    try:
        ranking = tuple((str(colour), float(share)) for colour, share in body["ranking"])
        colour = None if body["colour"] is None else str(body["colour"])
        why, unknown = str(body.get("why", "")), float(body.get("unknown", 0.0))
        return Judgement(colour, ranking, why, unknown, str(body.get("calibration", "")))
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise Malformed(said("This isn't a judgement of a passage: %(fault)s.", fault=repr(fault))) from None

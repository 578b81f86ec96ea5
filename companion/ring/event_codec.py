"""Convert ring events and judgements to the bodies of rows and back, and find the faults among the events."""

from __future__ import annotations

from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.kernel.i18n import Said, said
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from companion.ring.faults import fault_named

_NAMES = {
    RingEventKind.BACK: "went-back",
    RingEventKind.POKE: "poke",
    RingEventKind.STUCK: "stuck",
    RingEventKind.LIFT: "lifted",
    RingEventKind.BOOT: "device-restarted",
}


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


def worth_a_look(event: RingEvent, drawing: bool) -> tuple[str, Said] | None:
    """Return the name of the fault in *event* and a sentence for the table, or None if there is no fault.

    Some faults matter only while somebody is *drawing*. Putting the ring down again and calibration are never faults.
    """
    kind, detail = event.kind, event.detail
    name = str(detail.get("fault", "fault")) if kind is RingEventKind.FAULT else _NAMES.get(kind)
    if name is None or detail.get("lifted") is False or detail.get("calibrating"):
        return None
    fault = fault_named(name)
    return None if fault.drawing and not drawing else (name, fault.text)

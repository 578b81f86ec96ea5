"""A judgement as a row of its own: what colour a passage was taken for, when it came or later, and by what."""

from __future__ import annotations

from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Line
from companion.ports.ring import Judgement


def judgement_body(judgement: Judgement) -> Line:
    """Return *judgement* as JSON, whole."""
    return {
        "colour": judgement.colour,
        "ranking": list(map(list, judgement.ranking)),
        "why": judgement.why,
        "unknown": judgement.unknown,
        "calibration": judgement.calibration,
    }


def judgement_of(body: Line) -> Judgement:
    """Return the judgement that `judgement_body` gave, or an older raw row (colour and ranking only) held.

    Raises `Malformed` for anything else.
    """
    try:
        ranking = tuple((str(colour), float(share)) for colour, share in body["ranking"])
        colour = None if body["colour"] is None else str(body["colour"])
        why, unknown = str(body.get("why", "")), float(body.get("unknown", 0.0))
        return Judgement(colour, ranking, why, unknown, str(body.get("calibration", "")))
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise Malformed(said("This isn't a judgement of a passage: %(fault)s.", fault=repr(fault))) from None

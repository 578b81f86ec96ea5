"""What looks wrong in a calibration being made: a cube of another colour among its passes, two colours alike."""

from __future__ import annotations

from dataclasses import replace

from companion.ports.calibration import Near
from firmware_bridge.calibration import messages
from firmware_bridge.colour import CalibratedJudge, Calibration, Pass, closeness
from firmware_bridge.colour.quality import REFUSED_BELOW, WARNED_BELOW

TELLING = 3  # passes from which a colour can be told at all
CERTAIN = (
    0.999  # probability of a colour never shown: a right cube must hardly ever be doubted, a wrong one lies far off
)


def doubt(known: Calibration, new: Pass) -> str:
    """Say what is odd about a *new* pass, given those before it; empty for nothing.

    A colour of which too little is known yet can only be told from those that
    are known.
    """
    counts = {colour: sum(each.colour == colour for each in known.passes) for colour in known.colours}
    telling = tuple(each for each in known.passes if counts[each.colour] >= TELLING)
    if not telling:
        return ""
    seen = CalibratedJudge(replace(known, passes=telling)).judge(known.reading(new), {})
    if seen.colour is not None and seen.colour != new.colour:
        return messages.looks_like(seen.colour)
    if counts.get(new.colour, 0) >= TELLING and seen.unknown > CERTAIN:
        return messages.unlike(new.colour)
    return ""


def close_pairs(calibration: Calibration) -> tuple[Near, ...]:
    """Return the pairs of colours that are worth a warning, the closest first, each with what to do about it."""
    return tuple(
        near(one, other, distance) for one, other, distance in closeness(calibration) if distance < WARNED_BELOW
    )


def near(one: str, other: str, distance: float) -> Near:
    """Return how near two colours are (Mahalanobis distance), with what to do about it."""
    refused = distance < REFUSED_BELOW
    advice: str
    if refused:
        advice = messages.too_close(one, other, distance, REFUSED_BELOW)
    else:
        advice = messages.close(one, other) if distance < WARNED_BELOW else ""
    return Near(one, other, distance, refused, advice)

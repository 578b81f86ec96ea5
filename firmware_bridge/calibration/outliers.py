"""Finds errors while a calibration is made: a cube among the passes of another colour, or two similar colours."""

from __future__ import annotations

from dataclasses import replace

from companion.ports.calibration import Near
from firmware_bridge.calibration import messages
from firmware_bridge.colour import CalibratedJudge, Calibration, Pass, closeness
from firmware_bridge.colour.quality import REFUSED_BELOW, WARNED_BELOW

TELLING = 3  # how many passes are needed to recognise a colour
CERTAIN = 0.999  # probability of an unknown colour; so high because a correct cube should hardly ever be doubted


def doubt(known: Calibration, new: Pass) -> str:
    """Return a sentence if the *new* pass looks wrong compared with the earlier ones, otherwise an empty string.

    Only colours with enough earlier passes are compared.
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
    """Return the pairs of colours that are too similar, each with advice, the closest pair first."""
    return tuple(
        near(one, other, distance) for one, other, distance in closeness(calibration) if distance < WARNED_BELOW
    )


def near(one: str, other: str, distance: float) -> Near:
    """Return a pair of colours with their Mahalanobis distance and advice."""
    refused = distance < REFUSED_BELOW
    advice: str
    if refused:
        advice = messages.too_close(one, other, distance, REFUSED_BELOW)
    else:
        advice = messages.close(one, other) if distance < WARNED_BELOW else ""
    return Near(one, other, distance, refused, advice)

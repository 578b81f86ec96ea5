"""From likenesses to a judgement: a colour when one alone explains the passage, else the reason why not."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp

from companion.ringport import Judgement
from firmware_bridge.colour.likeness import Likeness

UNKNOWN = 25.0  # squared Mahalanobis distance at which a colour is as likely as one that was never shown
SURE = 0.98  # the least probability of a colour that is taken for granted
ELSEWHERE = 0.5  # stations that every colour counts as having below the ring beyond those it has: none is ruled out


def decided(
    found: Mapping[str, Likeness], under: Mapping[str, int], calibration: str = "", strange: float = UNKNOWN
) -> Judgement:
    """Return what a passage is taken for that is so like each colour.

    What lies *under* the ring orders the colours to be offered when in doubt;
    it neither makes a colour sure nor hides one that should not be there.
    *strange* is the squared distance at which a colour that was never shown is
    as likely as the nearest.
    """
    if not found:
        return Judgement(None, why="unread", calibration=calibration)
    shares, unknown = _shares(found, strange)
    best = max(shares, key=lambda colour: shares[colour])
    second = max((share for colour, share in shares.items() if colour != best), default=0.0)
    sure = best if shares[best] >= SURE else None
    why = "" if sure else "unknown" if unknown >= second else "ambiguous"
    return Judgement(sure, _ranked(shares, sure, under, unknown), why, round(unknown, 4), calibration)


def _shares(found: Mapping[str, Likeness], strange: float) -> tuple[dict[str, float], float]:
    """Return each colour's probability and that of an unknown one, all as likely before anything was seen."""
    nearest = max(found.values(), key=lambda each: each.log)
    logs = {colour: each.log - nearest.log for colour, each in found.items()}
    beyond = (nearest.distance - strange) / 2
    top = max(0.0, beyond)
    weights = {colour: exp(value - top) for colour, value in logs.items()}
    total = sum(weights.values()) + exp(beyond - top)
    return {colour: weight / total for colour, weight in weights.items()}, exp(beyond - top) / total


def _ranked(
    shares: Mapping[str, float], sure: str | None, under: Mapping[str, int], unknown: float
) -> tuple[tuple[str, float], ...]:
    """Return the colours, likeliest first, with what lies below taken into account where there is doubt."""
    expected = {
        colour: share * (under.get(colour, 0) + ELSEWHERE if under and not sure else 1.0)
        for colour, share in shares.items()
    }
    scale = (1 - unknown) / (sum(expected.values()) or 1.0)
    ranking = sorted(
        ((colour, round(share * scale, 4)) for colour, share in expected.items()), key=lambda each: -each[1]
    )
    return tuple(ranking)

"""Measures the quality of a calibration: judges each pass by the others, finds similar colours, charts all passes."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import sqrt

from firmware_bridge.colour.calibration import USUAL_METHOD, Calibration
from firmware_bridge.colour.fit import Learned, learned, relearned
from firmware_bridge.colour.judges import CalibratedJudge, apart, likenesses, passes_of, zero_of
from firmware_bridge.colour.likelihood import decided
from firmware_bridge.colour.methods import judge_of
from firmware_bridge.colour.normalise import own_zero, seen
from firmware_bridge.colour.sample import Reading

REFUSED_BELOW = 4.0  # Mahalanobis distance of two colours; 2.3 % of each are then nearer to the other one
WARNED_BELOW = 6.0


def leave_one_out(calibration: Calibration) -> dict[str, dict[str, int]]:
    """Judge each pass by all the others.

    Return the counts of (colour shown, colour read); unsure ones count as `unknown`.

    The calibration's own method is used.
    """
    if calibration.method != USUAL_METHOD:
        return _left_out(calibration)
    passes = passes_of(calibration, zero_of(calibration))
    whole = learned(passes)
    found: dict[str, dict[str, int]] = {colour: {} for colour in passes}
    for colour, mine in passes.items():
        for n, one in enumerate(mine):
            others = relearned(whole, colour, [*mine[:n], *mine[n + 1 :]])
            read = decided(likenesses(one, others), {}).colour or "unknown"
            found[colour][read] = found[colour].get(read, 0) + 1
    return found


def _left_out(calibration: Calibration) -> dict[str, dict[str, int]]:
    """Judge each pass by a new judge made from the other passes. This is slow for a method that learns."""
    found: dict[str, dict[str, int]] = {colour: {} for colour in calibration.colours}
    for n, one in enumerate(calibration.passes):
        others = replace(calibration, passes=(*calibration.passes[:n], *calibration.passes[n + 1 :]))
        read = judge_of(others).judge(calibration.reading(one), {}).colour or "unknown"
        found[one.colour][read] = found[one.colour].get(read, 0) + 1
    return found


def closeness(calibration: Calibration) -> list[tuple[str, str, float]]:
    """Return all pairs of colours with their Mahalanobis distances, the closest pair first.

    The distances do not depend on the calibration's method.
    """
    known = CalibratedJudge(calibration).learned
    pairs = [(one, other, _distance(known, one, other)) for one, other in combinations(known.colours, 2)]
    return sorted(pairs, key=lambda pair: pair[2])


def _distance(known: Learned, one: str, other: str) -> float:
    """Return the distance of two colours: the smaller of their distances from each other's distribution."""
    ways = ((one, other), (other, one))
    return sqrt(min(apart(known.colours[a], known.colours[b], known.spread) for a, b in ways))


def dot(reading: Reading) -> tuple[float, float, float]:
    """Return the position of *reading* in a chart: red minus green, yellow minus blue (-1 to 1), and lightness (0 to
    1).

    For perfect white the first two are 0. Additional light without a colour changes only the lightness.
    """
    r, g, b, c = seen(reading, own_zero(reading)).channels
    return r - g, (r + g) / 2 - b, c

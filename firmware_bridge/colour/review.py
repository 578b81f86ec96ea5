"""How good a calibration is: each pass judged by the others, colours that lie too close, and a picture of it all."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import sqrt

from firmware_bridge.colour.calibrated import Calibrated, _centre
from firmware_bridge.colour.calibration import Calibration
from firmware_bridge.colour.nearest import distance, reflectance
from firmware_bridge.colour.reading import Reading

REFUSED_BELOW = 4.0  # Mahalanobis distance of two colours: 2.3 % of each would be taken for the other
WARNED_BELOW = 6.0


def leave_one_out(calibration: Calibration) -> dict[str, dict[str, int]]:
    """Return what each pass is read as by all the others: colour shown, colour read (`unknown`: unsure), how often."""
    found: dict[str, dict[str, int]] = {colour: {} for colour in calibration.colours}
    for n, each in enumerate(calibration.passes):
        others = replace(calibration, passes=calibration.passes[:n] + calibration.passes[n + 1 :])
        read = Calibrated(others).judge(calibration.reading(each), {}).colour or "unknown"
        found[each.colour][read] = found[each.colour].get(read, 0) + 1
    return found


def closeness(calibration: Calibration) -> list[tuple[str, str, float]]:
    """Return every pair of colours with its Mahalanobis distance, the closest first."""
    centres = {colour: _centre(calibration, colour) for colour in calibration.colours}
    pairs = [(one, other, sqrt(distance(centres[one], centres[other]))) for one, other in combinations(centres, 2)]
    return sorted(pairs, key=lambda pair: pair[2])


def dot(reading: Reading) -> tuple[float, float, float]:
    """Return where *reading* lies in a picture: redder than green, yellower than blue (-1 to 1), and light (0 to 1).

    Of perfect white the first two are 0; light that falls on everything alike
    moves a dot nowhere but in its lightness.
    """
    r, g, b, c = reflectance(reading)
    return r - g, (r + g) / 2 - b, c

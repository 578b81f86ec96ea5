"""How good a calibration is: each pass judged by the others, colours that lie too close, and a picture of it all."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

from firmware_bridge.colour.calibration import Calibration
from firmware_bridge.colour.classify import decided
from firmware_bridge.colour.fit import Learned, learned, relearned
from firmware_bridge.colour.judges import CalibratedJudge, apart, likenesses, passes_of, zero_of
from firmware_bridge.colour.normalise import own_zero, seen
from firmware_bridge.colour.sample import Reading

REFUSED_BELOW = 4.0  # Mahalanobis distance of two colours: half way between them 2.3 % of each are beyond
WARNED_BELOW = 6.0


def leave_one_out(calibration: Calibration) -> dict[str, dict[str, int]]:
    """Return what each pass is read as by all the others: colour shown, colour read (`unknown`: unsure), how often."""
    passes = passes_of(calibration, zero_of(calibration))
    whole = learned(passes)
    found: dict[str, dict[str, int]] = {colour: {} for colour in passes}
    for colour, mine in passes.items():
        for n, one in enumerate(mine):
            others = relearned(whole, colour, [*mine[:n], *mine[n + 1 :]])
            read = decided(likenesses(one, others), {}).colour or "unknown"
            found[colour][read] = found[colour].get(read, 0) + 1
    return found


def closeness(calibration: Calibration) -> list[tuple[str, str, float]]:
    """Return every pair of colours with its Mahalanobis distance, the closest first."""
    known = CalibratedJudge(calibration).learned
    pairs = [(one, other, _distance(known, one, other)) for one, other in combinations(known.colours, 2)]
    return sorted(pairs, key=lambda pair: pair[2])


def _distance(known: Learned, one: str, other: str) -> float:
    """How far the centre of each colour lies in the other's cloud: the shorter of the two ways."""
    ways = ((one, other), (other, one))
    return sqrt(min(apart(known.colours[a], known.colours[b], known.spread) for a, b in ways))


def dot(reading: Reading) -> tuple[float, float, float]:
    """Return where *reading* lies in a picture: redder than green, yellower than blue (-1 to 1), and light (0 to 1).

    Of perfect white the first two are 0; light that falls on everything alike
    moves a dot nowhere but in its lightness.
    """
    r, g, b, c = seen(reading, own_zero(reading)).channels
    return r - g, (r + g) / 2 - b, c

"""Computes the likelihood of a colour for a passage, with allowance for pose, gloss and paint.

A cube of colour p that is slightly tilted reflects J p. Gloss s of the lamp's colour is added, and
each cube's paint deviates by n. So the sensor sees J p (1 + n) + s. Nothing else is assumed. J, s
and n have the same distribution for all colours, so ten passes of each are enough to learn it.
Neither pose nor gloss can change one hue into another.
"""

from __future__ import annotations

from math import exp, log

from companion.kernel.values import dataclass
from firmware_bridge.colour.channels import Channels
from firmware_bridge.colour.normalise import Seen

STEPS = 4  # of the search for the likeliest pose, which is found to well within a hundredth
LEAP = 1.5  # the longest step, in standard deviations of the pose
DARKEST = 0.004  # reflectance; the paint of darker channels varies like that of this one


@dataclass(frozen=True)
class Spread:
    """How far passes of one colour differ, as standard deviations.

    *pose* is that of ln J, *gloss* that of the added reflectance (1 is perfect white), *paint* that
    of a channel's reflectance, as a share of it.
    """

    pose: float = 0.2
    gloss: float = 0.03
    paint: float = 0.05


@dataclass(frozen=True)
class Likeness:
    """*log* is the log of the probability density, up to a constant. *distance* is the squared Mahalanobis distance."""

    log: float
    distance: float


def likeness(seen: Seen, colour: Channels, spread: Spread) -> Likeness:
    """Return the likelihood of *colour* for *seen*, integrated over pose and gloss (Laplace's method).

    Each step evaluates a pose *z* standard deviations from the mean, eliminates gloss with the
    matrix inversion lemma, and uses the first two derivatives of half the distance for the next
    step. It is one loop without calls for speed: every colour is evaluated while a table waits.
    """
    low = seen.shift / 2
    gloss = spread.gloss**2 + seen.sway + low * low
    z = leap = 0.0
    for _ in range(STEPS + 1):
        z -= leap
        pose = exp(spread.pose * z)
        paint = pose * spread.paint
        weights, squares, pull, lean, toward, own, volume = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0
        for channel, noise, p in zip(seen.channels, seen.noise, colour, strict=True):
            shade = paint * (p if p > DARKEST else DARKEST)
            variance = shade * shade + noise
            miss = channel - low - pose * p
            off, share = miss / variance, p / variance
            weights += 1 / variance
            squares += off * miss
            pull += off
            lean += share
            toward += off * p
            own += p * share
            volume *= variance
        common = 1 / gloss + weights
        steep = spread.pose * pose
        bend = 1 + steep * steep * (own - lean * lean / common)
        leap = min(max((z - steep * (toward - pull * lean / common)) / bend, -LEAP), LEAP)
    distance = squares - pull * pull / common + z * z
    return Likeness(-(distance + log(volume * gloss * common * bend)) / 2, distance)

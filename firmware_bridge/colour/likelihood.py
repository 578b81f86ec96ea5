"""Computes how likely a colour is for a passage, allowing for the cube's pose, gloss and paint.

A cube of colour p in a pose J (slightly tilted) reflects J p. Gloss adds s of the lamp's colour, and the paint of each
cube deviates by n. So the sensor sees J p (1 + n) + s. The model assumes nothing else. J, s and n have the same
distributions for all colours, so ten passes of each colour are enough to learn them. Neither pose nor gloss can change
one hue into another.
"""

from __future__ import annotations

from math import exp, log

from companion.kernel.values import dataclass
from firmware_bridge.colour.channels import Channels
from firmware_bridge.colour.normalise import Seen

STEPS = 4  # of the search for the likeliest pose; the error is then well below a hundredth
LEAP = 1.5  # the longest step, in standard deviations of the pose
DARKEST = 0.004  # reflectance; the paint of a darker channel varies like that of a channel with this value


@dataclass(frozen=True)
class Spread:
    """How much the passes of one colour differ, as standard deviations.

    *pose* is the standard deviation of ln J. *gloss* is that of the added reflectance (1 is perfect white). *paint* is
    that of a channel's reflectance, relative to the reflectance.
    """

    pose: float = 0.2
    gloss: float = 0.03
    paint: float = 0.05


@dataclass(frozen=True)
class Likeness:
    """How well a colour explains a passage.

    *log* is the log of the probability density, up to a constant. *distance* is the squared Mahalanobis distance.
    """

    log: float
    distance: float


def likeness(seen: Seen, colour: Channels, spread: Spread) -> Likeness:
    """Return the likelihood of *colour* for *seen*, integrated over pose and gloss (Laplace's method).

    Each step evaluates a pose *z* standard deviations from the mean, eliminates gloss with the
    matrix inversion lemma, and uses the first two derivatives of half the distance for the next
    step. For speed it is one loop without function calls: every colour is evaluated while the players wait.
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

"""How like a colour a passage is: pose, gloss and paint are allowed for as far as they spread.

A cube of colour p that lies a little askew throws back J p, with gloss on top
that is as white as the lamp, and each cube has a shade of its own: what is
seen is J p (1 + n) + s. Nothing else is assumed. J, s and n are the same
trouble for all colours, so ten passes of each teach it well; and neither pose
nor gloss can turn one hue into another.
"""

from __future__ import annotations

from math import exp, log

from companion.kernel.values import dataclass
from firmware_bridge.colour.channels import Channels
from firmware_bridge.colour.normalise import Seen

STEPS = 4  # of the search for the likeliest pose: it is found to well within a hundredth
LEAP = 1.5  # the longest step, in standard deviations of the pose
DARKEST = 0.004  # reflectance: the paint of a darker channel still varies like that of this one


@dataclass(frozen=True)
class Spread:
    """How far passes of one colour differ, as standard deviations.

    *pose* of ln J, *gloss* of what is added (1 is perfect white), *paint* of a
    channel's reflectance, as a share of it.
    """

    pose: float = 0.2
    gloss: float = 0.03
    paint: float = 0.05


@dataclass(frozen=True)
class Likeness:
    """The *log* of the probability density, but for a constant, and the squared Mahalanobis *distance*."""

    log: float
    distance: float


def likeness(seen: Seen, colour: Channels, spread: Spread) -> Likeness:
    """Return how like *colour* what was *seen* is, over all poses and gloss (Laplace's method around the likeliest).

    Each step weighs a pose *z* standard deviations off, gloss taken out by
    the matrix inversion lemma: slope and bend of half the distance lead to the
    next one. It is one loop without calls, as a table waits for all colours.
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

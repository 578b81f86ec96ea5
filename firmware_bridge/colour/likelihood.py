"""Computes how likely a colour is for a passage, allowing for the cube's pose, gloss and paint, and decides.

A cube of colour p in a pose J (slightly tilted) reflects J p. Gloss adds s of the lamp's colour, and the paint of each
cube deviates by n. So the sensor sees J p (1 + n) + s. The model assumes nothing else. J, s and n have the same
distributions for all colours, so ten passes of each colour are enough to learn them. Neither pose nor gloss can change
one hue into another.

If no colour is sure, the decision gives the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from operator import attrgetter

from companion.kernel.values import dataclass
from companion.ports.ring import Judgement
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


UNKNOWN = 27.0  # squared Mahalanobis distance at which an unknown colour is as likely as the nearest known one
RARE = 0.1  # how likely a cube of a named but uncalibrated colour is, relative to a calibrated one
SURE = 0.98  # the probability from which on a colour counts as sure
ELSEWHERE = 0.5  # stations added to each colour's count below the ring, so that no colour is ruled out


def decided(
    found: Mapping[str, Likeness],
    under: Mapping[str, int],
    calibration: str = "",
    strange: float = UNKNOWN,
    others: Sequence[Likeness] = (),
) -> Judgement:
    """Judge a passage by the likelihood of each colour for it.

    The stations *under* the ring affect only the order of the colours in case of doubt. They never make a colour sure,
    and they never hide a colour that should not be there. *strange* is the squared distance at which an unknown colour
    is as likely as the nearest known one. *others* are the likelihoods of possible colours that were not calibrated. If
    one of them explains the passage better, the colour is unknown.
    """
    if not found:
        return Judgement(None, why="unread", calibration=calibration)
    shares = _shares(found)
    unknown = _unknown(found, strange, others)
    first, *rest = sorted(shares, key=shares.__getitem__, reverse=True)
    sure = first if shares[first] * (1 - unknown) >= SURE else None
    second = shares[rest[0]] * (1 - unknown) if rest else 0.0
    why = "" if sure else "unknown" if unknown >= second else "ambiguous"
    return Judgement(sure, _ranked(shares, sure, under), why, round(unknown, 4), calibration)


def _shares(found: Mapping[str, Likeness]) -> dict[str, float]:
    """Return the probability of each colour, assuming that the cube has one of these colours, with equal priors."""
    top = max([each.log for each in found.values()])
    weights = {colour: exp(each.log - top) for colour, each in found.items()}
    total = sum(weights.values())
    return {colour: weight / total for colour, weight in weights.items()}


def _unknown(found: Mapping[str, Likeness], strange: float, others: Sequence[Likeness]) -> float:
    """Return the probability that the cube has no known colour, but one of *others* or an unknown colour.

    It is computed relative to the likeliest colour, because a density by itself may be too small for a float.
    """
    nearest = max(found.values(), key=attrgetter("log"))
    anything = nearest.log + (nearest.distance - strange) / 2
    top = max([nearest.log, anything, *(each.log for each in others)])
    known = sum([exp(each.log - top) for each in found.values()])
    none = exp(anything - top) + RARE * sum([exp(each.log - top) for each in others])
    return none / (none + known)


def _ranked(shares: Mapping[str, float], sure: str | None, under: Mapping[str, int]) -> tuple[tuple[str, float], ...]:
    """Return the colours with their probabilities, likeliest first.

    In case of doubt, the stations below are used as priors.
    """
    doubt = bool(under) and sure is None
    expected = {
        colour: share * (under.get(colour, 0) + ELSEWHERE if doubt else 1.0) for colour, share in shares.items()
    }
    total = sum(expected.values())
    order = sorted(expected, key=expected.__getitem__, reverse=True)
    return tuple([(colour, round(expected[colour] / total, 4)) for colour in order])

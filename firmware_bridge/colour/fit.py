"""Learns the reflectance of each colour from passes, and how much pose, gloss and paint vary at this ring with these
cubes.

It uses expectation maximisation. Each round estimates every cube's pose and gloss from the present colours and spread,
and then estimates colours and spread from the cubes' pose and gloss. The spread is learned from all colours together.
It starts from a default, which counts like `OPINION` passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from companion.kernel.values import dataclass
from firmware_bridge.colour.channels import Channels
from firmware_bridge.colour.likelihood import DARKEST, Spread
from firmware_bridge.colour.normalise import Seen

TURNS = 12
RETURNS = 4  # rounds of estimation; enough if the spread is known
USUAL = Spread()
OPINION = 20.0  # how many passes the default spread counts as
WIDEST = 1.0  # a limit, so that absurd readings do not cause overflows
SHADES = 4.0  # the assumed number of different cubes among a colour's passes

Passes = Mapping[str, Sequence[Seen]]


@dataclass(frozen=True)
class Learned:
    """The result of learning: the reflectance of each colour, and the expected spread of the next pass."""

    colours: Mapping[str, Channels]
    spread: Spread


@dataclass(frozen=True)
class _Estimate:
    """The estimated pose (less 1) and gloss of one cube, with their variances and covariance."""

    pose: float
    gloss: float
    pose_variance: float
    gloss_variance: float
    together: float


def learned(passes: Passes) -> Learned:
    """Learn from *passes*. Each colour must have at least one pass."""
    colours = {colour: _mean([one.channels for one in seen]) for colour, seen in passes.items()}
    spread = USUAL
    for _ in range(TURNS):
        estimates = {
            colour: [_estimate(one, colours[colour], spread) for one in seen] for colour, seen in passes.items()
        }
        colours = {colour: _colour(passes[colour], estimates[colour], colours[colour], spread) for colour in passes}
        spread = _spread(passes, estimates, colours, spread)
    return Learned(colours, _expected(spread, min(map(len, passes.values()))))


def relearned(known: Learned, colour: str, seen: Sequence[Seen]) -> Learned:
    """Return *known* with *colour* learned again from *seen*. The spread stays the same."""
    mine = _mean([one.channels for one in seen])
    for _ in range(RETURNS):
        mine = _colour(seen, [_estimate(one, mine, known.spread) for one in seen], mine, known.spread)
    return Learned({**known.colours, colour: mine}, known.spread)


def _mean(rows: Sequence[Channels]) -> Channels:
    r, g, b, c = (max(sum(column) / len(rows), DARKEST) for column in zip(*rows, strict=True))
    return r, g, b, c


def _weights(one: Seen, colour: Channels, spread: Spread) -> list[float]:
    return [1 / ((spread.paint * max(p, DARKEST)) ** 2 + noise) for p, noise in zip(colour, one.noise, strict=True)]


def _estimate(one: Seen, colour: Channels, spread: Spread) -> _Estimate:
    """Estimate the pose and gloss of one cube by weighted least squares, with their default distributions as priors."""
    weights = _weights(one, colour, spread)
    off = [channel - p for channel, p in zip(one.channels, colour, strict=True)]
    a = sum(w * p * p for w, p in zip(weights, colour, strict=True)) + 1 / spread.pose**2
    b = sum(w * p for w, p in zip(weights, colour, strict=True))
    d = sum(weights) + 1 / (spread.gloss**2 + one.sway)
    toward = sum(w * p * o for w, p, o in zip(weights, colour, off, strict=True))
    pull = sum(w * o for w, o in zip(weights, off, strict=True))
    whole = a * d - b * b
    return _Estimate((d * toward - b * pull) / whole, (a * pull - b * toward) / whole, d / whole, a / whole, -b / whole)


def _colour(seen: Sequence[Seen], estimates: Sequence[_Estimate], colour: Channels, spread: Spread) -> Channels:
    """Return the reflectance that best explains the passes in *seen*, given the pose and gloss of each cube."""
    top, bottom = [0.0] * 4, [0.0] * 4
    for one, estimate in zip(seen, estimates, strict=True):
        for k, weight in enumerate(_weights(one, colour, spread)):
            top[k] += weight * ((1 + estimate.pose) * (one.channels[k] - estimate.gloss) - estimate.together)
            bottom[k] += weight * ((1 + estimate.pose) ** 2 + estimate.pose_variance)
    r, g, b, c = (max(t / u, DARKEST) for t, u in zip(top, bottom, strict=True))
    return r, g, b, c


def _spread(
    passes: Passes, estimates: Mapping[str, Sequence[_Estimate]], colours: Mapping[str, Channels], before: Spread
) -> Spread:
    every = [
        (one, estimate, colours[c])
        for c, seen in passes.items()
        for one, estimate in zip(seen, estimates[c], strict=True)
    ]
    pose = sum(estimate.pose**2 + estimate.pose_variance for _, estimate, _ in every)
    gloss = sum(max(estimate.gloss**2 + estimate.gloss_variance - one.sway, 0.0) for one, estimate, _ in every)
    paint = sum(_paint(one, estimate, colour, before.paint) for one, estimate, colour in every)
    return Spread(
        *(
            min(sqrt((found + OPINION * usual**2) / (len(every) + OPINION)), WIDEST)
            for found, usual in ((pose, USUAL.pose), (gloss, USUAL.gloss), (paint, USUAL.paint))
        )
    )


def _paint(one: Seen, estimate: _Estimate, colour: Channels, paint: float) -> float:
    """Return the mean square of the channels' paint deviation, which is the part that pose, gloss and noise do not
    explain.

    A channel that contains only noise gives no information, so it returns the earlier estimate.
    """
    total = 0.0
    for channel, noise, p in zip(one.channels, one.noise, colour, strict=True):
        left = channel - (1 + estimate.pose) * p - estimate.gloss
        doubt = p * p * estimate.pose_variance + estimate.gloss_variance + 2 * p * estimate.together
        shade = max(p, DARKEST) * paint
        share = shade * paint / (shade * shade + noise)
        total += share * share * (left * left + doubt) + paint * paint * noise / (shade * shade + noise)
    return total / 4


def _expected(spread: Spread, passes: int) -> Spread:
    """Return the expected spread of the next pass.

    It is wider if there are few passes, because the learned colour itself is then uncertain.
    """
    more = sqrt(1 + 1 / passes)
    return Spread(spread.pose * more, spread.gloss * more, spread.paint * sqrt(1 + 1 / SHADES))

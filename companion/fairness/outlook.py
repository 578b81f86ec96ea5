"""How many draws are still to be made until a bias of some size would show."""

from __future__ import annotations

from math import ceil, log

from companion.fairness.evidence import Cell, Evidence, log_weight, mean_and_variance
from companion.fairness.sequence import ALPHA, SPREAD

NOTICEABLE = 1.25
"""The bias that one would like to see: a cube that comes five times where it should come four."""
_USUAL = Evidence(made={(2, 8, 1): 1})
"""What a draw is like while there has been none: two of one's own among eight."""


def still_needed(evidence: Evidence, odds: float = NOTICEABLE, alpha: float = ALPHA) -> int:
    """Return how many draws more, of the kind made so far, until odds of *odds* would show in about half of all rings.

    The e-process gains on average what the odds differ from even ones, and pays ln(1 + n i s^2) / 2 for having had all
    other odds in mind too (n draws that tell i each, s its spread): Laplace's approximation.
    """
    like = evidence if evidence.draws else _USUAL
    theta = log(odds)
    gain = sum(count * _gain(cell, theta) for cell, count in like.made.items()) / like.draws
    told = like.information(theta) / like.draws
    needed = 1.0
    for _ in range(50):
        spread = log(1 + needed * told * SPREAD**2) / 2
        needed = (log(1 / alpha) + spread + (theta / SPREAD) ** 2 / 2) / gain
    return max(0, ceil(needed) - evidence.draws)


def _gain(cell: Cell, theta: float) -> float:
    """Return how much one draw adds to ln of the likelihood ratio on average, when ln w is *theta*."""
    return theta * mean_and_variance(cell, theta)[0] - log_weight(cell, theta)

"""Estimate how many more draws are needed to detect a bias of a given size."""

from __future__ import annotations

from math import ceil, log

from companion.fairness.evidence import Cell, Evidence, log_weight, mean_and_variance
from companion.fairness.sequence import ALPHA, SPREAD

NOTICEABLE = 1.25
"""The bias to detect: a cube comes out five times for every four times expected."""
_USUAL = Evidence(made={(2, 8, 1): 1})
"""A typical draw of one cube: two of the eight cubes are the player's own. It is used while there are no draws."""


def still_needed(evidence: Evidence, odds: float = NOTICEABLE, alpha: float = ALPHA) -> int:
    """Return how many more draws are needed to detect *odds* in about half of all rings that have these odds.

    Future draws are assumed to be like the draws so far. On average each draw adds the gain (see `_gain`) to ln of the
    e-process. From the sum, ln(1 + n i s^2) / 2 is subtracted, because the e-process also considers all other odds.
    Here n is the number of draws, i the information of each draw, and s the prior's standard deviation. This is
    Laplace's approximation.
    """
    like = evidence if evidence.draws else _USUAL
    theta = log(odds)
    gain = sum(count * _gain(cell, theta) for cell, count in like.made.items()) / like.draws
    information = like.information(theta) / like.draws
    needed = 1.0
    for _ in range(50):
        spread = log(1 + needed * information * SPREAD**2) / 2
        needed = (log(1 / alpha) + spread + (theta / SPREAD) ** 2 / 2) / gain
    return max(0, ceil(needed) - evidence.draws)


def _gain(cell: Cell, theta: float) -> float:
    """Return the mean growth of the log-likelihood ratio per draw if ln w is *theta*."""
    return theta * mean_and_variance(cell, theta)[0] - log_weight(cell, theta)

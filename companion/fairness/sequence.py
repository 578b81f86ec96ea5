"""Odds that may be looked at after every draw: a mixture e-process and its confidence sequence.

The e-process is the weighted mean of the likelihood ratios of many odds against even odds. If the odds are even, its
mean is 1 at any stopping time, so at most one in 20 fair rings ever reaches 20 (Ville's inequality). The confidence
sequence consists of the odds whose own ratio is at least 1/20 of that mean. It covers the true odds at all draws at
once in 19 of 20 rings. A confidence interval for a single look does not, and is not shown anywhere.

Sources: Ramdas, Grunwald, Vovk, Shafer, "Game-theoretic statistics and safe anytime-valid inference", arXiv 2210.01948;
Waudby-Smith, Ramdas, "Confidence sequences for sampling without replacement", arXiv 2006.04347 (prior over posterior).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import exp, fsum, inf, log
from typing import Protocol

from companion.fairness.evidence import FARTHEST, Evidence

ALPHA = 0.05
"""The share of rings for which the confidence sequence may be wrong."""
SPREAD = 0.4
"""The prior standard deviation of ln odds: about two thirds of the prior are within 1.5 to one."""
_STEP, _WIDEST = 0.05, 60
_FINE = 1e-9
THETAS = tuple(_STEP * place for place in range(-_WIDEST, _WIDEST + 1))
"""The grid of ln w for the mean."""


@lru_cache(maxsize=8)
def log_prior(spread: float) -> tuple[float, ...]:
    """Return the logarithm of the weight of each of `THETAS`: a bell curve around even odds with the width *spread*.

    A discrete mean of martingales is a martingale, so the grid does not affect validity.
    """
    heights = tuple(exp(-((theta / spread) ** 2) / 2) for theta in THETAS)
    return tuple(log(height / fsum(heights)) for height in heights)


LOG_PRIOR = log_prior(SPREAD)


class Likelihood(Protocol):
    """Evidence about one log odds, with a concave log-likelihood."""

    def log_ratio(self, theta: float) -> float:
        """Return the log-likelihood ratio of odds e^*theta* against even odds."""

    def log_ratios(self, thetas: tuple[float, ...]) -> list[float]:
        """Return `log_ratio` for each of *thetas*."""

    def likeliest(self) -> float:
        """Return the maximum likelihood estimate of the log odds, which may be infinite."""


@dataclass(frozen=True)
class Bounds:
    """Bounds of the odds, valid at any time: *least* may be 0, *most* infinite."""

    least: float
    most: float

    def __contains__(self, odds: float) -> bool:
        """Return whether *odds* are within the bounds."""
        return self.least <= odds <= self.most


@dataclass(frozen=True)
class SequenceMoment:
    """The state after *draws* informative draws: ln of the e-value, the estimated odds, and their bounds."""

    draws: int
    log_e: float
    odds: float
    within: Bounds


def log_e_value(seen: Likelihood, spread: float = SPREAD) -> float:
    """Return ln of `e_value`, which cannot overflow."""
    logs = [prior + ratio for prior, ratio in zip(log_prior(spread), seen.log_ratios(THETAS), strict=True)]
    highest = max(logs)
    return highest + log(fsum(exp(each - highest) for each in logs))


def e_value(seen: Likelihood, spread: float = SPREAD) -> float:
    """Return the e-value against even odds: 1 means no evidence; at 20, even odds are hard to believe."""
    return exp(min(log_e_value(seen, spread), 700.0))


def bounds(seen: Likelihood, alpha: float = ALPHA, fine: float = _FINE, spread: float = SPREAD) -> Bounds:
    """Return the confidence sequence of the odds after everything *seen*, valid at all times at once."""
    return _bounds(seen, log_e_value(seen, spread) + log(alpha), fine)


def course(pieces: Iterable[Evidence]) -> tuple[SequenceMoment, ...]:
    """Return the state after each of *pieces* of the draws, oldest first."""
    found, partial = [], Evidence()
    for piece in pieces:
        partial = partial.also(piece)
        log_e = log_e_value(partial)
        odds = exp(min(max(partial.likeliest(), -FARTHEST), FARTHEST))
        found.append(SequenceMoment(partial.draws, log_e, odds, _bounds(partial, log_e + log(ALPHA), _FINE * 1e5)))
    return tuple(found)


def _bounds(seen: Likelihood, floor: float, fine: float) -> Bounds:
    best = min(max(seen.likeliest(), -FARTHEST), FARTHEST)
    low, high = (_crossing(seen, floor, best, end, fine) for end in (-FARTHEST, FARTHEST))
    return Bounds(0.0 if low == -FARTHEST else exp(low), inf if high == FARTHEST else exp(high))


def _crossing(seen: Likelihood, floor: float, inside: float, outside: float, fine: float) -> float:
    """Return the point where `log_ratio` falls below *floor*, or *outside* if it never does."""
    if seen.log_ratio(outside) >= floor:
        return outside
    while abs(outside - inside) > fine:
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if seen.log_ratio(middle) >= floor else (inside, middle)
    return inside

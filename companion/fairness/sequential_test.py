"""Estimate odds that may be looked at after every draw, with a mixture e-process and its confidence sequence.

The e-process is the weighted mean of the likelihood ratios of many odds against even odds. If the odds are even, its
expected value is at most 1 at any stopping time, so the e-process of a fair ring reaches 20 in at most one of 20 cases
(Ville's inequality). The confidence sequence consists of all odds that have a likelihood ratio of at least 1/20 of the
e-process. In 19 of 20 rings it contains the true odds after every draw. An ordinary confidence interval is valid for a
single look only; it is not shown anywhere.

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
"""The grid of ln w over which the mean is taken."""


@lru_cache(maxsize=8)
def log_prior(spread: float) -> tuple[float, ...]:
    """Return the logarithm of the weight of each of `THETAS`.

    The weights form a bell curve around even odds, with the standard deviation *spread*.

    A weighted sum of martingales is a martingale, so the results are valid for any grid.
    """
    heights = tuple(exp(-((theta / spread) ** 2) / 2) for theta in THETAS)
    return tuple(log(height / fsum(heights)) for height in heights)


LOG_PRIOR = log_prior(SPREAD)


class Likelihood(Protocol):
    """The interface of evidence about log odds; its log-likelihood is concave."""

    def log_ratio(self, theta: float) -> float:
        """Return the log-likelihood ratio of odds e^*theta* against even odds."""

    def log_ratios(self, thetas: tuple[float, ...]) -> list[float]:
        """Return `log_ratio` for each of *thetas*."""

    def likeliest(self) -> float:
        """Return the maximum likelihood estimate of the log odds, which may be infinite."""


@dataclass(frozen=True)
class Bounds:
    """Bounds of the odds. *least* may be 0, and *most* infinite."""

    least: float
    most: float

    def __contains__(self, odds: float) -> bool:
        """Return whether *odds* are within the bounds."""
        return self.least <= odds <= self.most


@dataclass(frozen=True)
class SequenceMoment:
    """The result after *draws* informative draws: ln of the e-value, the estimated odds, and their bounds."""

    draws: int
    log_e: float
    odds: float
    within: Bounds


def log_e_value(seen: Likelihood, spread: float = SPREAD) -> float:
    """Return ln of `e_value`. Unlike `e_value`, it cannot overflow."""
    logs = [prior + ratio for prior, ratio in zip(log_prior(spread), seen.log_ratios(THETAS), strict=True)]
    highest = max(logs)
    return highest + log(fsum(exp(each - highest) for each in logs))


def e_value(seen: Likelihood, spread: float = SPREAD) -> float:
    """Return the e-value against even odds: 1 means no evidence; 20 or more is strong evidence."""
    return exp(min(log_e_value(seen, spread), 700.0))


def bounds(seen: Likelihood, alpha: float = ALPHA, fine: float = _FINE, spread: float = SPREAD) -> Bounds:
    """Return the bounds of the odds after the evidence *seen*, from the confidence sequence."""
    return _bounds(seen, log_e_value(seen, spread) + log(alpha), fine)


def course(pieces: Iterable[Evidence]) -> tuple[SequenceMoment, ...]:
    """Return the result after each of *pieces*, which are groups of draws, oldest first."""
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

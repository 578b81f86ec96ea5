"""Odds that may be looked at after every draw: a mixture e-process, and the confidence sequence that goes with it.

The e-process is the average of the likelihood ratios of many odds against even ones. By even odds its mean stays 1
however one stops, so it reaches 20 at any time in at most one of 20 rings that favour nothing (Ville). The odds whose
own ratio is not 20 times below that average are the confidence sequence: all of it covers the truth, at every draw at
once, in 19 of 20 rings. An interval for one look does not, and is shown nowhere.

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
"""How many of all rings may be wronged."""
SPREAD = 0.4
"""How far from even the odds are that the average has in mind: about two thirds of them lie within 1.5 to one."""
_STEP, _WIDEST = 0.05, 60
_FINE = 1e-9
THETAS = tuple(_STEP * place for place in range(-_WIDEST, _WIDEST + 1))
"""ln w of all odds that the average has in mind."""


@lru_cache(maxsize=8)
def log_prior(spread: float) -> tuple[float, ...]:
    """Return how much of the average each of `THETAS` is, as its logarithm: a bell around even odds, *spread* wide.

    A discrete average of martingales is a martingale: the grid costs some speed and nothing of what is promised.
    """
    heights = tuple(exp(-((theta / spread) ** 2) / 2) for theta in THETAS)
    return tuple(log(height / fsum(heights)) for height in heights)


LOG_PRIOR = log_prior(SPREAD)


class Likelihood(Protocol):
    """What has been seen, as far as it tells of one logarithm of odds: its log-likelihood is concave."""

    def log_ratio(self, theta: float) -> float:
        """Return ln of how much likelier it is by odds of e^*theta* than by even ones."""

    def log_ratios(self, thetas: tuple[float, ...]) -> list[float]:
        """Return that for each of *thetas*."""

    def likeliest(self) -> float:
        """Return the logarithm of the odds that make it likeliest, which may be infinite."""


@dataclass(frozen=True)
class Bounds:
    """Between which odds the truth lies, valid whenever looked at: *least* may be 0, *most* infinite."""

    least: float
    most: float

    def __contains__(self, odds: float) -> bool:
        """Tell whether *odds* are among those that are still possible."""
        return self.least <= odds <= self.most


@dataclass(frozen=True)
class SequenceMoment:
    """How things stood after so many *draws* that tell: ln of the e-value, the likeliest odds, and their bounds."""

    draws: int
    log_e: float
    odds: float
    within: Bounds


def log_e_value(seen: Likelihood, spread: float = SPREAD) -> float:
    """Return ln of `e_value`, which does not run over."""
    logs = [prior + ratio for prior, ratio in zip(log_prior(spread), seen.log_ratios(THETAS), strict=True)]
    highest = max(logs)
    return highest + log(fsum(exp(each - highest) for each in logs))


def e_value(seen: Likelihood, spread: float = SPREAD) -> float:
    """Return the e-value against even odds: 1 says nothing, 20 that even odds are hard to believe."""
    return exp(min(log_e_value(seen, spread), 700.0))


def bounds(seen: Likelihood, alpha: float = ALPHA, fine: float = _FINE, spread: float = SPREAD) -> Bounds:
    """Return the confidence sequence of the odds after all that was *seen*, which holds at all times at once."""
    return _bounds(seen, log_e_value(seen, spread) + log(alpha), fine)


def course(pieces: Iterable[Evidence]) -> tuple[SequenceMoment, ...]:
    """Return how things stood after each of *pieces* of the draws, oldest first."""
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
    """Return where `log_ratio` falls below *floor* on the way out, or *outside* where it never does."""
    if seen.log_ratio(outside) >= floor:
        return outside
    while abs(outside - inside) > fine:
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if seen.log_ratio(middle) >= floor else (inside, middle)
    return inside

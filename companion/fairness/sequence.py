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

from companion.fairness.evidence import FARTHEST, Cell, Evidence, log_weight

ALPHA = 0.05
"""How many of all rings may be wronged."""
SPREAD = 0.4
"""How far from even the odds are that the average has in mind: about two thirds of them lie within 1.5 to one."""
_STEP, _WIDEST = 0.05, 60
_FINE = 1e-9
THETAS = tuple(_STEP * place for place in range(-_WIDEST, _WIDEST + 1))
"""ln w of all odds that the average has in mind."""
_HEIGHTS = tuple(exp(-((theta / SPREAD) ** 2) / 2) for theta in THETAS)
LOG_PRIOR = tuple(log(height / fsum(_HEIGHTS)) for height in _HEIGHTS)
"""How much of the average each of them is, as its logarithm.

A discrete average of martingales is a martingale: the grid costs some speed and nothing of what is promised.
"""


@dataclass(frozen=True)
class Bounds:
    """Between which odds the truth lies, valid whenever looked at: *least* may be 0, *most* infinite."""

    least: float
    most: float

    def __contains__(self, odds: float) -> bool:
        """Tell whether *odds* are among those that are still possible."""
        return self.least <= odds <= self.most


@dataclass(frozen=True)
class Moment:
    """How things stood after so many *draws* that tell: ln of the e-value, the likeliest odds, and their bounds."""

    draws: int
    log_e: float
    odds: float
    within: Bounds


def log_e_value(evidence: Evidence) -> float:
    """Return ln of `e_value`, which does not run over."""
    weighed = [0.0] * len(THETAS)
    for cell, count in evidence.made.items():
        weighed = [so_far + count * weight for so_far, weight in zip(weighed, _weights(cell), strict=True)]
    return _log_mean(evidence.hits * theta - weight for theta, weight in zip(THETAS, weighed, strict=True))


def e_value(evidence: Evidence) -> float:
    """Return the e-value against even odds: 1 says nothing, 20 that even odds are hard to believe."""
    return exp(min(log_e_value(evidence), 700.0))


def bounds(evidence: Evidence, alpha: float = ALPHA, fine: float = _FINE) -> Bounds:
    """Return the confidence sequence of the odds w after these draws, which holds at all times at once."""
    return _bounds(evidence, log_e_value(evidence) + log(alpha), fine)


def course(pieces: Iterable[Evidence]) -> tuple[Moment, ...]:
    """Return how things stood after each of *pieces* of the draws, oldest first."""
    found, so_far = [], Evidence()
    for piece in pieces:
        so_far = so_far.also(piece)
        log_e = log_e_value(so_far)
        odds = exp(min(max(so_far.likeliest(), -FARTHEST), FARTHEST))
        found.append(Moment(so_far.draws, log_e, odds, _bounds(so_far, log_e + log(ALPHA), _FINE * 1e5)))
    return tuple(found)


def _bounds(evidence: Evidence, floor: float, fine: float) -> Bounds:
    best = min(max(evidence.likeliest(), -FARTHEST), FARTHEST)
    low, high = (_crossing(evidence, floor, best, end, fine) for end in (-FARTHEST, FARTHEST))
    return Bounds(0.0 if low == -FARTHEST else exp(low), inf if high == FARTHEST else exp(high))


@lru_cache(maxsize=1024)
def _weights(cell: Cell) -> tuple[float, ...]:
    return tuple(log_weight(cell, theta) for theta in THETAS)


def _log_mean(ratios: Iterable[float]) -> float:
    logs = [prior + ratio for prior, ratio in zip(LOG_PRIOR, ratios, strict=True)]
    highest = max(logs)
    return highest + log(fsum(exp(each - highest) for each in logs))


def _crossing(evidence: Evidence, floor: float, inside: float, outside: float, fine: float) -> float:
    """Return where `log_ratio` falls below *floor* on the way out, or *outside* where it never does."""
    if evidence.log_ratio(outside) >= floor:
        return outside
    while abs(outside - inside) > fine:
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if evidence.log_ratio(middle) >= floor else (inside, middle)
    return inside

"""Odds that may be looked at after every draw: a mixture e-process, and the confidence sequence that goes with it.

The e-process is the average of the likelihood ratios of many odds against even ones. By even odds its mean stays 1
however one stops, so it reaches 20 at any time in at most one of 20 rings that favour nothing (Ville). The odds whose
own ratio is not 20 times below that average are the confidence sequence: all of it covers the truth, at every draw at
once, in 19 of 20 rings. An interval for one look does not, and is shown nowhere.

Sources: Ramdas, Grunwald, Vovk, Shafer, "Game-theoretic statistics and safe anytime-valid inference", arXiv 2210.01948;
Waudby-Smith, Ramdas, "Confidence sequences for sampling without replacement", arXiv 2006.04347 (prior over posterior).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import exp, fsum, inf, log

from companion.fairness.evidence import FARTHEST, Evidence, Pull, log_weight

ALPHA = 0.05
"""How many of all rings may be wronged."""
SPREAD = 0.4
"""How far from even the odds are that the average has in mind: about two thirds of them lie within 1.5 to one."""
_STEP, _WIDEST = 0.05, 60
_FINE = 1e-9
_THETAS = tuple(_STEP * place for place in range(-_WIDEST, _WIDEST + 1))
_HEIGHTS = tuple(exp(-((theta / SPREAD) ** 2) / 2) for theta in _THETAS)
_LOG_PRIOR = tuple(log(height / fsum(_HEIGHTS)) for height in _HEIGHTS)
"""A discrete average of martingales is a martingale: the grid costs some speed and nothing of what is promised."""


@dataclass(frozen=True)
class Bounds:
    """Between which odds the truth lies, valid whenever looked at: *least* may be 0, *most* infinite."""

    least: float
    most: float


def log_e_value(evidence: Evidence) -> float:
    """Return ln of `e_value`, which does not run over."""
    return _log_mean(tuple(evidence.log_ratio(theta) for theta in _THETAS))


def e_value(evidence: Evidence) -> float:
    """Return the e-value against even odds: 1 says nothing, 20 that even odds are hard to believe."""
    return exp(min(log_e_value(evidence), 700.0))


def bounds(evidence: Evidence, alpha: float = ALPHA) -> Bounds:
    """Return the confidence sequence of the odds w after these draws, which holds at all times at once."""
    floor = log_e_value(evidence) + log(alpha)
    best = min(max(evidence.likeliest(), -FARTHEST), FARTHEST)
    low, high = _crossing(evidence, floor, best, -FARTHEST), _crossing(evidence, floor, best, FARTHEST)
    return Bounds(0.0 if low == -FARTHEST else exp(low), inf if high == FARTHEST else exp(high))


def course(pulls: Iterable[Pull], points: int = 200) -> Iterator[tuple[int, float]]:
    """Yield how many draws that tell there were, and ln of the e-value then, at *points* places at most, the last too.

    It may be read at every draw; for a picture so many will do.
    """
    telling = [pull for pull in pulls if pull.tells]
    every = max(1, -(-len(telling) // points))
    weights: dict[tuple[int, int], tuple[float, ...]] = {}
    ratios = [0.0] * len(_THETAS)
    for start in range(0, len(telling), every):
        fresh = Evidence.of(telling[start : start + every])
        ratios = [ratio + fresh.hits * theta for ratio, theta in zip(ratios, _THETAS, strict=True)]
        for cell, count in fresh.made.items():
            if cell not in weights:
                weights[cell] = tuple(log_weight(*cell, theta) for theta in _THETAS)
            ratios = [ratio - count * weight for ratio, weight in zip(ratios, weights[cell], strict=True)]
        yield start + fresh.draws, _log_mean(ratios)


def _log_mean(ratios: Iterable[float]) -> float:
    logs = [prior + ratio for prior, ratio in zip(_LOG_PRIOR, ratios, strict=True)]
    highest = max(logs)
    return highest + log(fsum(exp(each - highest) for each in logs))


def _crossing(evidence: Evidence, floor: float, inside: float, outside: float) -> float:
    """Return where `log_ratio` falls below *floor* on the way out, or *outside* where it never does."""
    if evidence.log_ratio(outside) >= floor:
        return outside
    while abs(outside - inside) > _FINE:
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if evidence.log_ratio(middle) >= floor else (inside, middle)
    return inside

"""Simulates thousands of rings with known odds, and finds when each was judged wrongly and when it was detected."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from companion.fairness.evidence import chance
from companion.fairness.sequential_test import ALPHA, LOG_PRIOR, THETAS

PRIOR, GRID = np.exp(np.array(LOG_PRIOR)), np.array(THETAS)
USUAL, SETTLED = 1.959964, 30
"""A usual 95 % interval extends this many standard errors; it is used from this draw on, since it is worse before."""
AT_ONCE = 250
"""How many rings are computed together: few enough that all their odds stay in the processor's cache."""


@dataclass(frozen=True)
class Fates:
    """What happened to rings of the same *odds* within *draws* draws, and at which draw (*draws* + 1: never).

    *left_out*: the confidence sequence excluded the true odds; *usually_left_out*: an interval meant for a single test
    did; *stopped*: the e-value against even odds reached 20.
    """

    odds: float
    draws: int
    left_out: np.ndarray
    usually_left_out: np.ndarray
    stopped: np.ndarray

    def held(self, happened: np.ndarray) -> np.ndarray:
        """Return after each draw the share of rings for which the event in *happened* had not occurred yet."""
        numbers = np.bincount(happened, minlength=self.draws + 2)[1 : self.draws + 1]
        return 1 - np.cumsum(numbers) / len(happened)

    def stopped_by(self, share: float) -> float:
        """Return the number of draws after which this *share* of all rings was detected."""
        return float(np.quantile(self.stopped, share))


def many_rings(odds: float, rings: int, draws: int, cells: list[tuple[int, int]], seed: int) -> Fates:
    """Return the fates of *rings* rings with these *odds* within *draws* draws, whose contents come from *cells*."""
    parts = [
        _some_rings(odds, min(AT_ONCE, rings - first), draws, cells, np.random.default_rng([seed, first]))
        for first in range(0, rings, AT_ONCE)
    ]
    left_out, usually, stopped = (np.concatenate(each) for each in zip(*parts, strict=True))
    return Fates(odds, draws, left_out, usually, stopped)


def _some_rings(
    odds: float, rings: int, draws: int, cells: list[tuple[int, int]], lots: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    kinds = sorted(set(cells))
    where = np.array([kinds.index(cell) for cell in cells])
    truly, evenly = (np.array([chance(*cell, theta) for cell in kinds]) for theta in (log(odds), 0.0))
    # A row for each kind missed, then one for each kind hit: the likelihood of all odds relative to the true odds, and
    # the logarithm of that of the true odds relative to even odds.
    hit = np.array([[chance(*cell, theta) for theta in GRID] for cell in kinds])
    by_all = np.concatenate([(1 - hit) / (1 - truly)[:, None], hit / truly[:, None]])
    over_even = np.concatenate([np.log((1 - truly) / (1 - evenly)), np.log(truly / evenly)])
    ahead, true_ahead, score, told = np.tile(PRIOR, (rings, 1)), *(np.zeros(rings) for _ in range(3))
    left_out, usually, stopped = (np.full(rings, draws + 1) for _ in range(3))
    for number in range(1, draws + 1):
        kind = where[lots.integers(len(cells), size=rings)]
        came = lots.random(rings) < truly[kind]
        went = kind + len(kinds) * came
        ahead *= by_all[went]
        true_ahead += over_even[went]
        score += came - truly[kind]
        told += (truly * (1 - truly))[kind]
        mean = ahead.sum(axis=1)
        left_out[(left_out > draws) & (mean >= 1 / ALPHA)] = number
        stopped[(stopped > draws) & (np.log(mean) + true_ahead >= log(1 / ALPHA))] = number
        if number >= SETTLED:
            usually[(usually > draws) & (np.abs(score) > USUAL * np.sqrt(told))] = number
    return left_out, usually, stopped

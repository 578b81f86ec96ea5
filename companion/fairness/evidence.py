"""Estimate from draws whether some cubes are favoured.

The estimate maximises the conditional likelihood of each draw, given the cubes that were there before it.

If a kind is favoured by the odds *w* and *k* of *n* cubes are of this kind, the probability to draw one is w k / (w k +
n - k). This is a logistic regression with the offset ln(k / (n - k)), and its only parameter is the constant ln w. The
estimate remains valid when players stop at the first success. An estimate from total counts with a hypergeometric model
does not.

If several cubes come out at once (a handful from a bag, a throw through a tower), the number of hits has Fisher's
noncentral hypergeometric distribution. A single cube is a special case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import comb, exp, fsum, inf, lgamma, log, log1p, sqrt

FARTHEST = 30.0
"""The largest ln w that is considered; it corresponds to odds of about ten million million to one."""
_STEPS = 60
_CLOSE = 1e-12
_EXACT = 300  # up to this size binomials are exact; above it they are computed with logarithms of the gamma function
Cell = tuple[int, int, int]
"""Three numbers: cubes of the kind in question, all cubes, and cubes that came out at once."""


@dataclass(frozen=True, slots=True)
class Pull:
    """A draw as evidence about one kind of cube.

    There were *of* cubes, *own* of them of the kind in question. *out* cubes came out at once, and *hits* of
    these were of that kind.

    For a single cube, `hits` may be True or False.
    """

    own: int
    of: int
    hits: int
    out: int = 1

    def __post_init__(self) -> None:
        least, most = max(0, self.out - self.of + self.own), min(self.own, self.out)
        if not (0 <= self.own <= self.of and 1 <= self.out <= self.of and least <= self.hits <= most):
            raise ValueError(f"no such draw: {self.own} of {self.of}, hits: {self.hits} of {self.out}")

    @property
    def informative(self) -> bool:
        """Whether the result was uncertain before the draw. Only such draws say something about the odds."""
        return 0 < self.own < self.of and self.out < self.of

    @property
    def cell(self) -> Cell:
        """The draw without its result."""
        return self.own, self.of, self.out


@dataclass(frozen=True)
class Evidence:
    """The sum of many draws: the total number of hits, and how many draws there were from each `Cell`.

    The likelihood depends on these numbers only, so computing it does not take longer with more draws.
    """

    hits: int = 0
    made: Mapping[Cell, int] = field(default_factory=dict)

    @classmethod
    def of(cls, pulls: Iterable[Pull]) -> Evidence:
        """Return the evidence of *pulls*. Pulls with a certain result are left out."""
        telling = [pull for pull in pulls if pull.informative]
        return cls(sum(pull.hits for pull in telling), dict(Counter(pull.cell for pull in telling)))

    def also(self, other: Evidence) -> Evidence:
        """Return the sum of this evidence and *other*."""
        return Evidence(self.hits + other.hits, dict(Counter(self.made) + Counter(other.made)))

    @property
    def draws(self) -> int:
        """The number of draws that had an uncertain result."""
        return sum(self.made.values())

    @property
    def least(self) -> int:
        """The smallest possible number of hits."""
        return sum(count * max(0, out - of + own) for (own, of, out), count in self.made.items())

    @property
    def most(self) -> int:
        """The largest possible number of hits."""
        return sum(count * min(own, out) for (own, _, out), count in self.made.items())

    def expected(self, theta: float = 0.0) -> float:
        """Return the expected number of hits if ln w is *theta*."""
        return sum(count * mean_and_variance(cell, theta)[0] for cell, count in self.made.items())

    def information(self, theta: float = 0.0) -> float:
        """Return Fisher's information of the draws about ln w at *theta*."""
        return sum(count * mean_and_variance(cell, theta)[1] for cell, count in self.made.items())

    def log_ratio(self, theta: float) -> float:
        """Return the log-likelihood ratio of odds e^*theta* against even odds. It is a concave function of *theta*."""
        weighed = sum(count * log_weight(cell, theta) for cell, count in self.made.items())
        return self.hits * theta - weighed

    def log_ratios(self, thetas: tuple[float, ...]) -> list[float]:
        """Return `log_ratio` for each of *thetas*. A second call with the same *thetas* is fast."""
        weighed = [0.0] * len(thetas)
        for cell, count in self.made.items():
            weighed = [
                partial + count * weight for partial, weight in zip(weighed, _weights(cell, thetas), strict=True)
            ]
        return [self.hits * theta - weight for theta, weight in zip(thetas, weighed, strict=True)]

    def likeliest(self) -> float:
        """Return the maximum likelihood estimate of ln w.

        It is 0 without draws, and infinite if the number of hits is the smallest or the largest possible number.
        """
        if not self.made or self.hits in (self.least, self.most):
            return 0.0 if not self.made else inf if self.hits == self.most else -inf
        return top(lambda theta: self.hits - self.expected(theta), self.information)

    def standard_error(self) -> float:
        """Return the standard error of `likeliest`, or infinity.

        It is valid only if the results are looked at once, at a time that was planned before.
        """
        best = self.likeliest()
        information = self.information(best) if abs(best) < inf else 0.0
        return 1 / sqrt(information) if information else inf


def top(slope: Callable[[float], float], fall: Callable[[float], float]) -> float:
    """Return the position of the maximum of a concave log-likelihood.

    *slope* is its derivative, *fall* minus the second derivative. It uses Newton's method within shrinking bounds.
    """
    low, high, theta = -FARTHEST, FARTHEST, 0.0
    for _ in range(_STEPS):
        rise = slope(theta)
        low, high = (theta, high) if rise > 0 else (low, theta)
        following = theta + rise / max(fall(theta), _CLOSE)
        following = following if low < following < high else (low + high) / 2
        if abs(following - theta) < _CLOSE:
            return following
        theta = following
    return theta


def chance(own: int, of: int, theta: float) -> float:
    """Return the probability that one drawn cube is a hit.

    *own* of *of* cubes are of the kind in question and are favoured by the odds e^*theta*.
    """
    weight = own * exp(theta)
    return weight / (weight + of - own)


def mean_and_variance(cell: Cell, theta: float) -> tuple[float, float]:
    """Return the mean and the variance of the hits in a draw from *cell* if ln w is *theta*."""
    own, of, out = cell
    if out == 1:
        share = chance(own, of, theta)
        return share, share * (1 - share)
    terms = _terms(cell, theta)
    highest = max(height for _, height in terms)
    weights = [(hits, exp(height - highest)) for hits, height in terms]
    whole = fsum(weight for _, weight in weights)
    mean = fsum(hits * weight for hits, weight in weights) / whole
    return mean, fsum((hits - mean) ** 2 * weight for hits, weight in weights) / whole


def log_weight(cell: Cell, theta: float) -> float:
    """Return ln of the normalising constant of a draw from *cell* at odds e^*theta*, relative to even odds."""
    own, of, out = cell
    if out > 1:
        heights = [height for _, height in _terms(cell, theta)]
        highest = max(heights)
        return highest + log(fsum(exp(height - highest) for height in heights))
    if theta > 0:  # without this, e^theta could overflow
        return theta + log((own + (of - own) * exp(-theta)) / of)
    return log1p(own * (exp(theta) - 1) / of)


@lru_cache(maxsize=1024)
def _weights(cell: Cell, thetas: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(log_weight(cell, theta) for theta in thetas)


def _terms(cell: Cell, theta: float) -> list[tuple[int, float]]:
    """Return each possible number of hits with ln of its weight at odds e^*theta*."""
    return [(hits, even + hits * theta) for hits, even in _evenly(cell)]


@lru_cache(maxsize=4096)
def _evenly(cell: Cell) -> tuple[tuple[int, float], ...]:
    """Return each possible number of hits with ln of its probability at even odds (hypergeometric)."""
    own, of, out = cell
    numbers = range(max(0, out - of + own), min(own, out) + 1)
    return tuple((hits, _ways(own, hits) + _ways(of - own, out - hits) - _ways(of, out)) for hits in numbers)


def _ways(of: int, out: int) -> float:
    """Return ln of the number of ways to choose *out* from *of*."""
    if of <= _EXACT:
        return log(comb(of, out))
    return lgamma(of + 1) - lgamma(out + 1) - lgamma(of - out + 1)

"""What draws say of the odds of some cubes: the conditional likelihood of each draw, given what lay there.

A cube that is favoured by *w* among *n*, of which *k* are of its kind, is drawn with the chance w k / (w k + n - k): a
logistic regression with the offset ln(k / (n - k)) and no other term, whose constant is ln w. It stays valid when one
stops at the first success, which counts under a hypergeometric model do not.

Where several come out in one go (a handful from a bag, a throw through a tower), the number of hits among them has
Fisher's noncentral hypergeometric distribution, given how many came: one cube is the case of one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import comb, exp, fsum, inf, lgamma, log, log1p, sqrt

FARTHEST = 30.0
"""The largest ln w that is looked at: odds of ten million million to one."""
_STEPS = 60
_CLOSE = 1e-12
_EXACT = 300  # whole numbers of this size are reckoned with as they are; beyond, their logarithms are
Cell = tuple[int, int, int]
"""How many were of the kind asked about, of how many, and how many came out at once."""


@dataclass(frozen=True, slots=True)
class Pull:
    """*out* cubes that came out at once from among *of*, *own* of which were of the kind asked about: *hits* of them.

    For a single cube `hits` may be said as true or false.
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
    def tells(self) -> bool:
        """Whether it could have gone either way: any other says nothing of the odds."""
        return 0 < self.own < self.of and self.out < self.of

    @property
    def cell(self) -> Cell:
        """All of it but how it went."""
        return self.own, self.of, self.out


@dataclass(frozen=True)
class Evidence:
    """Draws, added up: how many hits there were, and how many draws were made from each cell.

    That is all which the likelihood needs, so its price does not grow with the evenings.
    """

    hits: int = 0
    made: Mapping[Cell, int] = field(default_factory=dict)

    @classmethod
    def of(cls, pulls: Iterable[Pull]) -> Evidence:
        """Return the evidence of *pulls*; those that could only go one way are left out."""
        telling = [pull for pull in pulls if pull.tells]
        return cls(sum(pull.hits for pull in telling), dict(Counter(pull.cell for pull in telling)))

    def also(self, other: Evidence) -> Evidence:
        """Return it with *other* added."""
        return Evidence(self.hits + other.hits, dict(Counter(self.made) + Counter(other.made)))

    @property
    def draws(self) -> int:
        """How many draws could have gone either way."""
        return sum(self.made.values())

    @property
    def least(self) -> int:
        """How few hits there could have been."""
        return sum(count * max(0, out - of + own) for (own, of, out), count in self.made.items())

    @property
    def most(self) -> int:
        """How many hits there could have been."""
        return sum(count * min(own, out) for (own, _, out), count in self.made.items())

    def expected(self, theta: float = 0.0) -> float:
        """Return how many hits such draws have on average when ln w is *theta*."""
        return sum(count * mean_and_variance(cell, theta)[0] for cell, count in self.made.items())

    def information(self, theta: float = 0.0) -> float:
        """Return how much the draws tell of ln w around *theta* (Fisher's information)."""
        return sum(count * mean_and_variance(cell, theta)[1] for cell, count in self.made.items())

    def log_ratio(self, theta: float) -> float:
        """Return ln of how much likelier the draws are by odds of e^*theta* than by even ones; concave in *theta*."""
        weighed = sum(count * log_weight(cell, theta) for cell, count in self.made.items())
        return self.hits * theta - weighed

    def log_ratios(self, thetas: tuple[float, ...]) -> list[float]:
        """Return `log_ratio` of each of *thetas*; asked again for the same ones it costs little."""
        weighed = [0.0] * len(thetas)
        for cell, count in self.made.items():
            weighed = [
                partial + count * weight for partial, weight in zip(weighed, _weights(cell, thetas), strict=True)
            ]
        return [self.hits * theta - weight for theta, weight in zip(thetas, weighed, strict=True)]

    def likeliest(self) -> float:
        """Return the ln w that makes the draws likeliest: minus or plus infinity when as few or as many hit as could.

        Nought without any draw.
        """
        if not self.made or self.hits in (self.least, self.most):
            return 0.0 if not self.made else inf if self.hits == self.most else -inf
        return top(lambda theta: self.hits - self.expected(theta), self.information)

    def standard_error(self) -> float:
        """Return the standard error of `likeliest` (infinite while it is): for one look, agreed on beforehand."""
        best = self.likeliest()
        told = self.information(best) if abs(best) < inf else 0.0
        return 1 / sqrt(told) if told else inf


def top(slope: Callable[[float], float], fall: Callable[[float], float]) -> float:
    """Return where a concave log-likelihood is highest: its *slope* is nought there, *fall* is how fast that falls.

    Newton's steps, kept between bounds that close in.
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
    """Return the chance of a hit when *own* of *of* cubes are favoured by e^*theta*, and one comes out."""
    weight = own * exp(theta)
    return weight / (weight + of - own)


def mean_and_variance(cell: Cell, theta: float) -> tuple[float, float]:
    """Return how many hits a draw from *cell* has on average when ln w is *theta*, and the variance of that."""
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
    """Return ln of the weight of all ways that *cell* may go by odds of e^*theta*, over that by even odds."""
    own, of, out = cell
    if out > 1:
        heights = [height for _, height in _terms(cell, theta)]
        highest = max(heights)
        return highest + log(fsum(exp(height - highest) for height in heights))
    if theta > 0:  # else e^theta would run over where the odds are long
        return theta + log((own + (of - own) * exp(-theta)) / of)
    return log1p(own * (exp(theta) - 1) / of)


@lru_cache(maxsize=1024)
def _weights(cell: Cell, thetas: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(log_weight(cell, theta) for theta in thetas)


def _terms(cell: Cell, theta: float) -> list[tuple[int, float]]:
    """Return each number of hits with ln of its weight by odds of e^*theta*."""
    return [(hits, even + hits * theta) for hits, even in _evenly(cell)]


@lru_cache(maxsize=4096)
def _evenly(cell: Cell) -> tuple[tuple[int, float], ...]:
    """Return each number of hits with ln of its chance by even odds: the hypergeometric distribution."""
    own, of, out = cell
    numbers = range(max(0, out - of + own), min(own, out) + 1)
    return tuple((hits, _ways(own, hits) + _ways(of - own, out - hits) - _ways(of, out)) for hits in numbers)


def _ways(of: int, out: int) -> float:
    """Return ln of how many ways there are to take *out* of *of*."""
    if of <= _EXACT:
        return log(comb(of, out))
    return lgamma(of + 1) - lgamma(out + 1) - lgamma(of - out + 1)

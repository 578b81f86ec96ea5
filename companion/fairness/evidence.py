"""What draws say of the odds of some cubes: the conditional likelihood of each draw, given what lay there.

A cube that is favoured by *w* among *n*, of which *k* are of its kind, is drawn with the chance w k / (w k + n - k): a
logistic regression with the offset ln(k / (n - k)) and no other term, whose constant is ln w. It stays valid when one
stops at the first success, which counts under a hypergeometric model do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import exp, inf, log, log1p, sqrt

FARTHEST = 30.0
"""The largest ln w that is looked at: odds of ten million million to one."""
_STEPS = 60
_CLOSE = 1e-12


@dataclass(frozen=True, slots=True)
class Pull:
    """One cube that came out from among *of* cubes, *own* of which were of the kind asked about; *hit*: it was one."""

    own: int
    of: int
    hit: bool

    def __post_init__(self) -> None:
        if not 0 <= self.own <= self.of or self.of < 1 or (self.hit and not self.own):
            raise ValueError(f"no such draw: {self.own} of {self.of}, hit: {self.hit}")

    @property
    def tells(self) -> bool:
        """Whether it could have gone either way: any other says nothing of the odds."""
        return 0 < self.own < self.of


@dataclass(frozen=True)
class Evidence:
    """Draws, added up: how many hit, and how many were made from each (own, of).

    That is all which the likelihood needs, so its price does not grow with the evenings.
    """

    hits: int = 0
    made: Mapping[tuple[int, int], int] = field(default_factory=dict)

    @classmethod
    def of(cls, pulls: Iterable[Pull]) -> Evidence:
        """Return the evidence of *pulls*; those that could only go one way are left out."""
        telling = [pull for pull in pulls if pull.tells]
        return cls(sum(pull.hit for pull in telling), dict(Counter((pull.own, pull.of) for pull in telling)))

    @property
    def draws(self) -> int:
        """How many draws could have gone either way."""
        return sum(self.made.values())

    def expected(self, theta: float = 0.0) -> float:
        """Return how many hits such draws have on average when ln w is *theta*."""
        return sum(count * chance(own, of, theta) for (own, of), count in self.made.items())

    def information(self, theta: float = 0.0) -> float:
        """Return how much the draws tell of ln w around *theta* (Fisher's information)."""
        chances = ((count, chance(own, of, theta)) for (own, of), count in self.made.items())
        return sum(count * share * (1 - share) for count, share in chances)

    def log_ratio(self, theta: float) -> float:
        """Return ln of how much likelier the draws are by odds of e^*theta* than by even ones; concave in *theta*."""
        weighed = sum(count * log_weight(own, of, theta) for (own, of), count in self.made.items())
        return self.hits * theta - weighed

    def likeliest(self) -> float:
        """Return the ln w that makes the draws likeliest: minus or plus infinity when none or all of them hit.

        Nought without any draw. The slope of `log_ratio` falls throughout, so Newton's steps are kept between bounds.
        """
        if not self.draws or self.hits in (0, self.draws):
            return 0.0 if not self.draws else inf if self.hits else -inf
        low, high, theta = -FARTHEST, FARTHEST, 0.0
        for _ in range(_STEPS):
            slope = self.hits - self.expected(theta)
            low, high = (theta, high) if slope > 0 else (low, theta)
            following = theta + slope / max(self.information(theta), _CLOSE)
            following = following if low < following < high else (low + high) / 2
            if abs(following - theta) < _CLOSE:
                return following
            theta = following
        return theta

    def standard_error(self) -> float:
        """Return the standard error of `likeliest` (infinite while it is): for one look, agreed on beforehand."""
        best = self.likeliest()
        told = self.information(best) if abs(best) < inf else 0.0
        return 1 / sqrt(told) if told else inf


def chance(own: int, of: int, theta: float) -> float:
    """Return the chance of a hit when *own* of *of* cubes are favoured by e^*theta*."""
    weight = own * exp(theta)
    return weight / (weight + of - own)


def log_weight(own: int, of: int, theta: float) -> float:
    """Return ln of the weight of all cubes by odds of e^*theta*, over that by even odds."""
    if theta > 0:  # else e^theta would run over where the odds are long
        return theta + log((own + (of - own) * exp(-theta)) / of)
    return log1p(own * (exp(theta) - 1) / of)

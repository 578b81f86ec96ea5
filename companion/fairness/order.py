"""Test whether a ring releases cubes in an order related to the filling.

Each cube has a place from -1/2 to 1/2, for example by how late it was filled in. A ring with the lean theta draws each
cube with the weight e^(theta place), so the cube at 1/2 is e^theta times as likely as the cube at -1/2. The result is
an estimate of these odds. This is a conditional logistic regression with one slope.

If theta is 0, all cubes are equally likely, and the expected likelihood ratio is 1 whatever the places are. Therefore
the test may be repeated after every pull.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import exp, fsum, inf, log

from companion.fairness.evidence import top

Places = tuple[float, ...]
"""The places of the cubes that may come out, from -1/2 to 1/2, in ascending order."""
_MIDDLE = 1e-9


@dataclass(frozen=True, slots=True)
class OrderChoice:
    """One cube came out from *place*, among cubes at *places*."""

    place: float
    places: Places

    @property
    def informative(self) -> bool:
        """Whether the result was uncertain: a cube at another place could have come out."""
        return self.places[0] < self.places[-1]


@dataclass(frozen=True)
class OrderSums:
    """The sum of many choices.

    *lean* is the sum of the chosen places. *made* counts how often each set of places occurred.
    """

    lean: float = 0.0
    made: Mapping[Places, int] = field(default_factory=dict)

    @classmethod
    def of(cls, choices: Iterable[OrderChoice]) -> OrderSums:
        """Return the sum of *choices*. Choices with a certain result are left out."""
        telling = [choice for choice in choices if choice.informative]
        return cls(fsum(choice.place for choice in telling), dict(Counter(choice.places for choice in telling)))

    @property
    def pulls(self) -> int:
        """The number of choices."""
        return sum(self.made.values())

    def log_ratio(self, theta: float) -> float:
        """Return the log-likelihood ratio of the lean *theta* against no lean."""
        return self.lean * theta - fsum(count * _log_weight(places, theta) for places, count in self.made.items())

    def log_ratios(self, thetas: tuple[float, ...]) -> list[float]:
        """Return `log_ratio` of each of *thetas*."""
        return [self.log_ratio(theta) for theta in thetas]

    def likeliest(self) -> float:
        """Return the maximum likelihood estimate of the lean.

        It is 0 without choices, and infinite if all cubes came from one end.
        """
        ends = [fsum(count * places[end] for places, count in self.made.items()) for end in (0, -1)]
        for end, far in zip(ends, (-inf, inf), strict=True):
            if self.made and abs(self.lean - end) < _MIDDLE:
                return far
        return top(self._slope, self._fall) if self.made else 0.0

    def _slope(self, theta: float) -> float:
        return self.lean - fsum(count * _moments(places, theta)[0] for places, count in self.made.items())

    def _fall(self, theta: float) -> float:
        return fsum(count * _moments(places, theta)[1] for places, count in self.made.items())


def ranked(values: Sequence[float]) -> Places:
    """Return a place for each of *values* by its rank, from -1/2 for the smallest to 1/2.

    Equal values share a place.
    """
    if len(values) < 2:
        return (0.0,) * len(values)
    below = [sum(other < value for other in values) for value in values]
    equal = [sum(other == value for other in values) - 1 for value in values]
    return tuple((low + same / 2) / (len(values) - 1) - 0.5 for low, same in zip(below, equal, strict=True))


@lru_cache(maxsize=65_536)
def _log_weight(places: Places, theta: float) -> float:
    return log(fsum(exp(theta * place) for place in places) / len(places))


def _moments(places: Places, theta: float) -> tuple[float, float]:
    """Return the mean and the variance of the chosen place at the lean *theta*."""
    weights = [exp(theta * place) for place in places]
    whole = fsum(weights)
    mean = fsum(weight * place for weight, place in zip(weights, places, strict=True)) / whole
    return mean, fsum(weight * (place - mean) ** 2 for weight, place in zip(weights, places, strict=True)) / whole

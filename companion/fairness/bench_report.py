"""Analyse a bench test: does the ring favour a kind of cube, and does shaking mix the cubes?

The second question is whether the ring releases cubes in an order related to the filling. Each cube has a place from
-1/2 to 1/2, for example by how late it was filled in. A ring with the lean theta draws each cube with the weight
e^(theta place), so the cube at 1/2 is e^theta times as likely as the cube at -1/2. The result is an estimate of these
odds. This is a conditional logistic regression with one slope. If theta is 0, all cubes are equally likely, and the
expected likelihood ratio is 1 whatever the places are. Therefore the test may be repeated after every pull.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from math import exp, fsum, inf, log

from companion.fairness.bench import Bench, BenchPull, BenchTest
from companion.fairness.evidence import Pull, top
from companion.fairness.multiple_testing import discoveries
from companion.fairness.report import FairnessFinding, finding
from companion.fairness.sequential_test import Bounds, bounds, e_value
from companion.fairness.tally import Tally

SPREAD = 1.0
"""The prior standard deviation of ln odds. It is wide, because in an unmixed heap the order may have a large effect."""


class Trace(StrEnum):
    """A trace of the filling order that may remain after shaking.

    *last*: the cubes that were filled in last come out first, or last. *neighbours*: neighbours come out one after the
    other.
    """

    LAST = "last"
    NEIGHBOURS = "neighbours"


@dataclass(frozen=True)
class Mixing:
    """How well the cubes were mixed after shaking for *least_s* to below *most_s* seconds, judged by one *trace*.

    *odds* are the odds of the cube filled in last against the first, or of the cube nearest to the previous one against
    the farthest. They are None without informative pulls. *place* is the mean position of the cubes that came out: 0
    for the cube filled in first or the farthest, 1 for the cube filled in last or the nearest, 0.5 if the cubes are
    well mixed.
    """

    trace: Trace
    least_s: float
    most_s: float
    pulls: int
    place: float | None
    odds: float | None
    within: Bounds
    e_value: float
    believed: bool = False


@dataclass(frozen=True)
class BenchReport:
    """All results of a bench test: the odds of each kind of cube, and how well the cubes were mixed.

    *skipped* counts the pulls that are not evidence. A finding is *believed* if it is significant after the correction
    for the number of findings.
    """

    bench: Bench
    pulls: int
    fillings: int
    skipped: Mapping[str, int]
    by_kind: Mapping[str, FairnessFinding]
    mixing: tuple[Mixing, ...]


def bench_report(test: BenchTest) -> BenchReport:
    """Return the analysis of *test*."""
    alone = [pull for pull in test.pulls if len(pull.out) == 1]
    kinds = {
        kind: finding(Tally(of_kind(test.bench, pull, kind) for pull in alone))
        for kind in dict.fromkeys(test.bench.cubes)
    }
    mixing = {(trace, shaken): _mixing(test.bench, alone, trace, shaken) for trace, shaken in _questions(test.bench)}
    believed = discoveries(
        {**{kind: each.e_value for kind, each in kinds.items()}, **{at: each.e_value for at, each in mixing.items()}}
    )
    skipped = Counter({"several at once": len(test.pulls) - len(alone), "struck out": test.struck})
    return BenchReport(
        *(test.bench, len(test.pulls), test.fillings, {why: count for why, count in skipped.items() if count}),
        {kind: replace(each, believed=kind in believed) for kind, each in kinds.items()},
        tuple(replace(each, believed=at in believed) for at, each in mixing.items()),
    )


def _questions(bench: Bench) -> Iterator[tuple[Trace, int]]:
    """Yield all questions about the order. Their number must not depend on the pulls."""
    return ((trace, shaken) for trace in Trace for shaken in range(len(bench.classes_s) + 1))


def of_kind(bench: Bench, pull: BenchPull, kind: str) -> Pull:
    """Return *pull*, in which one cube came out, as evidence on whether *kind* is favoured."""
    own = sum(bench.kind(number) == kind for number in pull.left)
    return Pull(own, len(pull.left), bench.kind(pull.out[0]) == kind)


def choice(bench: Bench, pull: BenchPull, trace: Trace) -> OrderChoice | None:
    """Return what *pull*, in which one cube came out, shows about whether *trace* still exists.

    Return None if the pull shows nothing.
    """
    among = pull.left if bench.by_lot else _alike(bench, pull)
    values = _values(pull, among, trace)
    if values is None:
        return None
    places = ranked(values)
    return OrderChoice(places[among.index(pull.out[0])], tuple(sorted(places)))


def _mixing(bench: Bench, pulls: list[BenchPull], trace: Trace, shaken: int) -> Mixing:
    limits = (0.0, *bench.classes_s, inf)
    asked = (choice(bench, pull, trace) for pull in pulls if bench.shaken(pull.shaken_s) == shaken)
    seen = OrderSums.of(each for each in asked if each is not None)
    return Mixing(
        *(trace, limits[shaken], limits[shaken + 1], seen.pulls),
        place=seen.lean / seen.pulls + 0.5 if seen.pulls else None,
        odds=_odds(seen) if seen.pulls else None,
        within=bounds(seen, spread=SPREAD),
        e_value=e_value(seen, SPREAD),
    )


def _odds(seen: OrderSums) -> float:
    likeliest = seen.likeliest()
    return exp(likeliest) if likeliest < inf else inf


def _alike(bench: Bench, pull: BenchPull) -> tuple[int, ...]:
    """Return the cubes of the same kind as the one that came out.

    If a person chose the filling order, a favoured kind may have been filled in first. Therefore only cubes of one kind
    are compared; the odds of the kind then have no effect. With a random order all cubes are compared.
    """
    kind = bench.kind(pull.out[0])
    return tuple(number for number in pull.left if bench.kind(number) == kind)


def _values(pull: BenchPull, among: tuple[int, ...], trace: Trace) -> list[float] | None:
    """Return for each cube in *among* the value by which the cubes are ranked.

    The result is None if the value depends on the previous cube and there is none.
    """
    if trace is Trace.LAST:
        return [float(pull.filled.index(number)) for number in among]
    if pull.before is None:
        return None
    there = pull.filled.index(pull.before)
    return [-float(abs(pull.filled.index(number) - there)) for number in among]


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

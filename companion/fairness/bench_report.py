"""What a bench test says of a ring: whether it favours a kind of cube, and whether shaking mixes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from math import exp, inf

from companion.fairness.bench import Bench, BenchPull, BenchTest
from companion.fairness.evidence import Pull
from companion.fairness.multiple import discoveries
from companion.fairness.order import OrderChoice, OrderSums, ranked
from companion.fairness.report import FairnessFinding, finding
from companion.fairness.sequence import Bounds, bounds, e_value
from companion.fairness.tally import Tally
from companion.kernel.values import dataclass

SPREAD = 1.0
"""How far from even the odds are that the average has in mind: a heap that was not mixed keeps much of its order."""


class Trace(StrEnum):
    """What may be left of a filling's order: the *last* in come out first (or last), *neighbours* come one by one."""

    LAST = "last"
    NEIGHBOURS = "neighbours"


@dataclass(frozen=True)
class Mixing:
    """How well cubes were mixed that were shaken from *least_s* to below *most_s* seconds, by one *trace* of order.

    *odds* are those of the last cube that was put in against the first, or of the nearest to the one that left before
    against the farthest: None without a pull that tells. *place* is where those stood that came, on average: 0 for the
    first in or the farthest, 1 for the last in or the nearest, 0.5 when all is mixed.
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
    """All answers of a bench test: by kind of cube, and how well it was mixed; *skipped* counts what is no evidence.

    Those are *believed* that stand up among all of them.
    """

    bench: Bench
    pulls: int
    fillings: int
    skipped: Mapping[str, int]
    by_kind: Mapping[str, FairnessFinding]
    mixing: tuple[Mixing, ...]


def bench_report(test: BenchTest) -> BenchReport:
    """Return what *test* says."""
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
    """Yield all that is asked of the order: as many questions whatever was pulled, as they must not depend on it."""
    return ((trace, shaken) for trace in Trace for shaken in range(len(bench.classes_s) + 1))


def of_kind(bench: Bench, pull: BenchPull, kind: str) -> Pull:
    """Return *pull*, of one cube, as an answer to whether *kind* is favoured."""
    own = sum(bench.kind(number) == kind for number in pull.left)
    return Pull(own, len(pull.left), bench.kind(pull.out[0]) == kind)


def choice(bench: Bench, pull: BenchPull, trace: Trace) -> OrderChoice | None:
    """Return *pull*, of one cube, as an answer to whether *trace* is left of an order; None where it tells nothing."""
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
    """Return the cubes of the kind that came.

    Where somebody chose the order, a kind that comes easily may have gone in first: then only cubes that are alike are
    compared, which holds whatever the odds of their kind. An order that was drawn by lot knows no kinds.
    """
    kind = bench.kind(pull.out[0])
    return tuple(number for number in pull.left if bench.kind(number) == kind)


def _values(pull: BenchPull, among: tuple[int, ...], trace: Trace) -> list[float] | None:
    """Return what each cube *among* those that may come is ranked by; None where nothing left before."""
    if trace is Trace.LAST:
        return [float(pull.filled.index(number)) for number in among]
    if pull.before is None:
        return None
    there = pull.filled.index(pull.before)
    return [-float(abs(pull.filled.index(number) - there)) for number in among]

"""Many simulated bench tests, evaluated after every pull: how often a bias is discovered, rightly or wrongly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random
from statistics import median

import numpy as np

from companion.app.cli.fairness_bench import BenchRing, simulated_lines
from companion.fairness import Evidence, Pull, discoveries
from companion.fairness.bench import Bench, BenchPull, BenchTest
from companion.fairness.bench_report import SPREAD, OrderSums, Places, Trace, choice, of_kind
from companion.fairness.sequential_test import LOG_PRIOR, THETAS, log_prior

BENCH = Bench(("red",) * 4 + ("blue",) * 4, simulated=True)
SHAKES_S = (1.0, 3.0, 6.0)
EACH = 6
RINGS: Mapping[str, BenchRing] = {
    "fair": BenchRing({}),
    "w = 1.5": BenchRing({"red": 1.5}),
    "badly shaken": BenchRing({}, order=3.0),
}
"""In the last ring a cube put in last is twenty times as likely to come out as the first one, if nobody shakes."""
GRID, BY_KIND, BY_ORDER = np.array(THETAS), np.array(LOG_PRIOR), np.array(log_prior(SPREAD))


def many_benches(ring: str, tests: int, pulls: int, seed: int) -> dict[str, object]:
    """Return the share of *tests* with a discovery of each sort within *pulls* pulls, and after how many (median)."""
    found = [_stood_up(RINGS[ring], pulls, Random(f"{seed}-{number}")) for number in range(tests)]
    told: dict[str, object] = {"bench": ring, "tests": tests, "pulls": pulls}
    for sort in ("kind", "short", "usual", "long"):
        after = [each[sort] for each in found if sort in each]
        told[sort] = round(len(after) / tests, 4)
        if len(after) > tests / 2:
            told[f"{sort}_median"] = median([each.get(sort, pulls + 1) for each in found])
    told["any"] = round(sum(map(bool, found)) / tests, 4)
    return told


def _stood_up(ring: BenchRing, pulls: int, lots: Random) -> dict[str, int]:
    """Return the pull of the first discovery of each sort."""
    first: dict[str, int] = {}
    for number, e_values in enumerate(_after_each_pull(ring, pulls, lots), 1):
        for sort, _asked in discoveries(e_values):
            first.setdefault(sort, number)
    return first


def _after_each_pull(ring: BenchRing, pulls: int, lots: Random) -> Iterator[dict[tuple[str, str], float]]:
    sorts = [(sort, trace) for trace in Trace for sort in ("short", "usual", "long")]
    ahead = {("kind", kind): BY_KIND.copy() for kind in BENCH.cubes} | {asked: BY_ORDER.copy() for asked in sorts}
    e_values = dict.fromkeys(ahead, 1.0)
    test = BenchTest(BENCH)
    for line in simulated_lines(ring, BENCH, pulls, EACH, SHAKES_S, lots):
        test = test.after(line)
        if "fill" in line:
            continue
        for asked, gain in _gains(test.pulls[-1]):
            ahead[asked] += gain
            e_values[asked] = float(np.exp(ahead[asked]).sum())
        yield e_values


def _gains(pull: BenchPull) -> Iterator[tuple[tuple[str, str], np.ndarray]]:
    for kind in dict.fromkeys(BENCH.cubes):
        asked = of_kind(BENCH, pull, kind)
        if asked.informative:
            yield ("kind", kind), _of_kind(asked)
    for trace in Trace:
        seen = choice(BENCH, pull, trace)
        if seen is not None and seen.informative:
            sort = ("short", "usual", "long")[BENCH.shaken(pull.shaken_s)]
            yield (sort, trace), seen.place * GRID - _weights(seen.places)


@lru_cache(maxsize=4096)
def _of_kind(pull: Pull) -> np.ndarray:
    return np.array(Evidence.of([pull]).log_ratios(THETAS))


@lru_cache(maxsize=4096)
def _weights(places: Places) -> np.ndarray:
    return -np.array(OrderSums(0.0, {places: 1}).log_ratios(THETAS))

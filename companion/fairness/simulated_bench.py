"""A simulated ring for bench tests, with known odds and known mixing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from random import Random

from companion.fairness.bench import Bench, BenchTest

MIXING_S = 2.0
"""After this many seconds of shaking, 1/e of the order remains. The value is invented: nobody has measured it."""


@dataclass(frozen=True)
class BenchRing:
    """A ring with *odds* for some kinds of cubes (others: 1), which may release the cubes put in last sooner.

    *order* is ln odds of the last cube against the first without shaking. Shaking reduces it.
    """

    odds: Mapping[str, float]
    order: float = 0.0

    def lets_out(self, bench: Bench, left: Sequence[int], shaken_s: float, lots: Random) -> int:
        """Return which of the cubes in *left*, in the order of the filling, comes out."""
        lean = self.order * exp(-shaken_s / MIXING_S)
        far = max(len(left) - 1, 1)
        weights = [
            self.odds.get(bench.kind(number), 1.0) * exp(lean * place / far) for place, number in enumerate(left)
        ]
        return lots.choices(left, weights)[0]


def simulated_lines(
    ring: BenchRing, bench: Bench, pulls: int, each: int, shakes_s: Sequence[float], lots: Random
) -> Iterator[Mapping[str, object]]:
    """Yield the lines of a test with *pulls* pulls. The ring is filled again after *each* pulls.

    *shakes_s* are the shaking times in seconds, used in turn.
    """
    test, line = BenchTest(bench), dict[str, object]()
    for number in range(pulls):
        if number % each == 0:
            line = {"fill": lots.sample(bench.numbers, len(bench.numbers))}
            test = test.after(line)
            yield line
        seconds = shakes_s[number % len(shakes_s)]
        line = {"pull": [ring.lets_out(bench, test.left, seconds, lots)], "shaken_s": seconds}
        test = test.after(line)
        yield line

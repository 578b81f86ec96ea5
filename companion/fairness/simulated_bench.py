"""A simulated ring at the bench, of which it is known what it favours and how much order shaking leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from random import Random

from companion.fairness.bench import Bench, BenchTest

MIXING_S = 2.0
"""After so many seconds of shaking, 1/e of an order is left: made up, as nobody has measured one."""


@dataclass(frozen=True)
class BenchRing:
    """A ring by *odds* for some kinds of cubes (others: 1), which lets those out sooner that were put in last.

    By *order* of ln odds of the last against the first where it was not shaken at all; shaking takes that away.
    """

    odds: Mapping[str, float]
    order: float = 0.0

    def lets_out(self, bench: Bench, left: Sequence[int], shaken_s: float, lots: Random) -> int:
        """Return which of the cubes that are *left*, in the order of the filling, comes out."""
        lean = self.order * exp(-shaken_s / MIXING_S)
        far = max(len(left) - 1, 1)
        weights = [
            self.odds.get(bench.kind(number), 1.0) * exp(lean * place / far) for place, number in enumerate(left)
        ]
        return lots.choices(left, weights)[0]


def simulated_lines(
    ring: BenchRing, bench: Bench, pulls: int, each: int, shakes_s: Sequence[float], lots: Random
) -> Iterator[Mapping[str, object]]:
    """Yield the lines of a test of *pulls*, filled anew after *each* so many, shaken for *shakes_s* by turns."""
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

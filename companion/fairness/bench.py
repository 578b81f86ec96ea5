"""A bench test of a ring: numbered cubes are filled in, in a known order, and pulled after a known time of shaking.

A bench test is not a game and is not stored in the ledger. It has its own record, with one line per event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

RECORD, VERSION = "bench-test", 1
MOST_CUBES, LONGEST_SHAKE_S = 200, 3600.0
CLASSES_S = (2.0, 5.0)
"""Limits in seconds. Shaking for less than the first is short, for at least the last long, and otherwise medium."""


class BadBench(ValueError):
    """A line of a record is invalid. The text is one sentence with the reason."""


@dataclass(frozen=True)
class Bench:
    """The setup of a test. *cubes* lists the kind of each cube; the cubes are numbered from 1.

    *classes_s* are the limits, in seconds, that divide pulls into classes of shaking time. *by_lot* means that the
    order of each filling was random. *begun* is a date and time in UTC, and *ring* is the ring's name.
    """

    cubes: tuple[str, ...]
    classes_s: tuple[float, ...] = CLASSES_S
    by_lot: bool = True
    ring: str = ""
    simulated: bool = False
    begun: str = ""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers on the cubes."""
        return tuple(range(1, len(self.cubes) + 1))

    def kind(self, number: int) -> str:
        """Return the kind of the cube with *number*."""
        return self.cubes[number - 1]

    def shaken(self, seconds: float) -> int:
        """Return the class, numbered from 0, of a pull after *seconds* of shaking."""
        return sum(seconds >= limit for limit in self.classes_s)

    def line(self) -> dict[str, object]:
        """Return the setup as the first line of a record."""
        return {
            "record": RECORD,
            "version": VERSION,
            "begun": self.begun,
            "ring": self.ring,
            "simulated": self.simulated,
            "cubes": [*self.cubes],
            "classes_s": [*self.classes_s],
            "by_lot": self.by_lot,
        }


@dataclass(frozen=True)
class BenchPull:
    """One pull: *out* came out after *shaken_s* seconds, usually one cube.

    *left* are the cubes in the ring before the pull, in filling order. *filled* is the whole filling. *before* is the
    cube that came out in the previous pull, or None in the first pull of a filling.
    """

    filled: tuple[int, ...]
    left: tuple[int, ...]
    before: int | None
    out: tuple[int, ...]
    shaken_s: float


@dataclass(frozen=True)
class BenchTest:
    """The state of a bench test: the cubes in the ring, all valid pulls, and how many pulls were deleted."""

    bench: Bench
    filled: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    pulls: tuple[BenchPull, ...] = ()
    since: int = 0
    fillings: int = 0
    struck: int = 0

    @property
    def of_this_filling(self) -> int:
        """The number of valid pulls since the ring was filled."""
        return len(self.pulls) - self.since

    def after(self, line: Mapping[str, Any]) -> BenchTest:
        """Return the state of the test after *line*, the next line of its record, or raise `BadBench`."""
        match dict(line):
            case {"fill": [*order]}:
                return self._filled(order)
            case {"pull": [*out], "shaken_s": int() | float() as seconds}:
                return self._pulled(out, float(seconds))
            case {"strike": True}:
                return self._struck()
            case _:
                raise BadBench("is neither a filling nor a pull")

    def _filled(self, order: Sequence[object]) -> BenchTest:
        numbers = tuple(each for each in order if isinstance(each, int))
        if sorted(numbers) != [*self.bench.numbers] or len(numbers) != len(order):
            raise BadBench(f"a filling names each cube from 1 to {len(self.bench.cubes)} once")
        fillings, since = self.fillings + 1, len(self.pulls)
        return replace(self, filled=numbers, left=numbers, fillings=fillings, since=since)

    def _pulled(self, out: Sequence[object], seconds: float) -> BenchTest:
        came = tuple(each for each in out if isinstance(each, int) and each in self.left)
        if len(came) != len(out) or len(set(came)) != len(came) or not came:
            there = " ".join(map(str, sorted(self.left))) or "none"
            raise BadBench(f"only a cube that is in the ring can come out ({there})")
        if not (isfinite(seconds) and 0 <= seconds <= LONGEST_SHAKE_S):
            raise BadBench(f"the seconds must be from 0 to {LONGEST_SHAKE_S:g}, not {seconds:g}")
        before = self.pulls[-1].out[-1] if self.of_this_filling else None
        pull = BenchPull(self.filled, self.left, before, came, seconds)
        return replace(self, left=tuple(each for each in self.left if each not in came), pulls=(*self.pulls, pull))

    def _struck(self) -> BenchTest:
        if not self.of_this_filling:
            raise BadBench("this filling has no pull to remove")
        return replace(self, left=self.pulls[-1].left, pulls=self.pulls[:-1], struck=self.struck + 1)


def bench_of(line: Mapping[str, Any]) -> Bench:
    """Return the setup in *line*, the first line of a record, or raise `BadBench`."""
    if line.get("record") != RECORD:
        raise BadBench("is not the record of a bench test")
    if line.get("version") != VERSION:
        raise BadBench(f"is of version {line.get('version')!r}, but this program reads only version {VERSION}")
    cubes, classes = line.get("cubes"), line.get("classes_s", [*CLASSES_S])
    if not isinstance(cubes, list) or not all(isinstance(each, str) and each for each in cubes):
        raise BadBench("names no cubes")
    if not 2 <= len(cubes) <= MOST_CUBES:
        raise BadBench(f"needs from 2 to {MOST_CUBES} cubes, not {len(cubes)}")
    if not isinstance(classes, list) or not all(isinstance(each, int | float) for each in classes):
        raise BadBench("has a classes_s that isn't a list of numbers")
    if classes != sorted(set(classes)):
        raise BadBench("has a classes_s whose numbers don't increase")
    said = (str(line.get(name, "")) for name in ("ring", "begun"))
    ring, begun = said
    by_lot, simulated = line.get("by_lot") is True, line.get("simulated") is True
    return Bench(tuple(cubes), tuple(map(float, classes)), by_lot, ring, simulated, begun)

"""The result of a check of a ring: measured values with limits, skipped checks, and figures for plots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil, isfinite

from firmware_bridge.colour.channels import Channels
from firmware_bridge.passages.passage import MeasuredPassage
from firmware_bridge.protocol.messages import Hello
from rungs.load import TIMES, WINDOW_S

AT_MOST, AT_LEAST, EXACTLY = "at most", "at least", "exactly"
RATES = {"ppm": 1e6}


@dataclass(frozen=True)
class ConformanceResult:
    """One checked property: the measured *value*, and a *limit*. *bound* says how to compare them.

    *stretch* is added to a time limit if this machine was busy.
    """

    name: str
    value: float
    limit: float
    unit: str = ""
    bound: str = AT_MOST
    stretch: float = 0.0

    @property
    def passed(self) -> bool:
        """True if the value is within the limit."""
        if self.bound == AT_MOST:
            return self.value <= self.limit + self.stretch
        return self.value >= self.limit if self.bound == AT_LEAST else self.value == self.limit

    def line(self) -> dict[str, object]:
        """Return the result as a JSON object."""
        value = round(self.value, 4) if isfinite(self.value) else None
        limit = round(self.limit + self.stretch, 4) if self.stretch else self.limit
        head = {"name": self.name, "passed": self.passed, "value": value, "limit": limit}
        more = {"stretch": round(self.stretch, 4)} if self.stretch else {}
        return {**head, "unit": self.unit, "bound": self.bound, **more}


def stretch(unit: str, stall_s: float) -> float:
    """Return by how much to extend a limit in *unit*, or 0 if the unit is not a time. Rates are measured over a second.

    The minimum of several measurements needs no extension. Its unit shows that it is one (`ms of the wait`).

    >>> stretch("ms", 0.02), stretch("ppm", 0.01), stretch("bytes", 0.02), stretch("ms of the wait", 0.02)
    (20.0, 10000.0, 0.0, 0.0)
    """
    return stall_s * TIMES[unit] if unit in TIMES else stall_s / WINDOW_S * RATES.get(unit, 0.0)


@dataclass(frozen=True)
class Skipped:
    """One property that could not be checked on this ring, and why."""

    name: str
    why: str


Found = Iterator[ConformanceResult | Skipped]


@dataclass
class Figures:
    """Values measured during the check, for the plots: in milliseconds, or in counts of one frame."""

    greetings_ms: list[float] = field(default_factory=list)
    trips_ms: list[float] = field(default_factory=list)
    beats_ms: list[float] = field(default_factory=list)
    orders_ms: list[float] = field(default_factory=list)
    white: list[Channels] = field(default_factory=list)
    black: list[Channels] = field(default_factory=list)
    dark: list[Channels] = field(default_factory=list)
    passages: list[MeasuredPassage] = field(default_factory=list)
    filters: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """The report of the whole check. *ring* is the ring's address. *hello* is None if the ring did not answer."""

    ring: str
    hello: Hello | None
    results: tuple[ConformanceResult, ...]
    skipped: tuple[Skipped, ...]
    figures: Figures
    stall_ms: float = 0.0

    @property
    def passed(self) -> bool:
        """True if no check failed."""
        return bool(self.results) and all(result.passed for result in self.results)

    def line(self) -> dict[str, object]:
        """Return the report as a JSON object."""
        skipped = [{"name": each.name, "why": each.why} for each in self.skipped]
        return {
            "ring": self.ring,
            "simulated": self.hello.simulated if self.hello else None,
            "results": [result.line() for result in self.results],
            "skipped": skipped,
            "stall_ms": round(self.stall_ms, 1),
        }


def quantile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least *share* of all *values* do not exceed.

    Return infinity if there are no values.

    >>> quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 500], 0.95)
    19
    """
    ordered = sorted(values)
    return ordered[max(ceil(share * len(ordered)) - 1, 0)] if ordered else float("inf")

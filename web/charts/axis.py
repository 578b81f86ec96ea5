"""Axes with ticks at round numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil, floor, isclose, log10

from web.http.i18n import decimals, grouped

Wording = Callable[[float], str]
STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
LOG_STEPS = ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,))


@dataclass(frozen=True)
class Tick:
    """A round number, its position along the axis from 0 to 1, and its text."""

    value: float
    at: float
    words: str


@dataclass(frozen=True)
class Axis:
    """One axis from *low* to *high*; *words* names its quantity and unit."""

    words: str
    low: float
    high: float
    ticks: tuple[Tick, ...]
    logarithmic: bool = False

    def at(self, value: float) -> float:
        """Return the position of *value*, from 0 at *low* to 1 at *high*, limited to the axis."""
        return min(max(_place(value, self.low, self.high, self.logarithmic), 0.0), 1.0)


def number(value: float) -> str:
    """Return *value* with up to two decimals."""
    for places in (0, 1):
        if isclose(value, round(value, places), abs_tol=1e-9):
            return decimals(value, places) if places else grouped(round(value))
    return decimals(value, 2)


def linear_axis(words: str, values: Iterable[float], most: int = 6, wording: Wording = number) -> Axis:
    """Return an axis with at most *most* ticks that contains all *values*. It begins and ends at a tick."""
    low, high = _extent(values)
    step = _step((high - low) / max(most - 2, 1))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    at = [n * step for n in range(first, last + 1)]
    return _axis(words, at, wording)


def whole_axis(words: str, values: Iterable[float], most: int = 6) -> Axis:
    """Return an axis of whole numbers from the smallest to the largest of *values*, without margins."""
    low, high = _extent(values)
    step = max(1, round(_step((high - low) / max(most - 1, 1))))
    first, last = floor(low), ceil(high)
    ticks = [n for n in range(first, last + 1) if n % step == 0 or n == first == last]
    return Axis(words, first, last, tuple(Tick(n, _place(n, first, last), number(n)) for n in ticks))


def log_axis(words: str, values: Iterable[float], most: int = 6, wording: Wording = number) -> Axis:
    """Return a logarithmic axis that contains all *values*, which must be above 0."""
    low, high = _extent(values)
    lowest, highest = floor(log10(low) + 1e-9), ceil(log10(high) - 1e-9)
    for steps in LOG_STEPS:
        round_ones = [10.0**power * step for power in range(lowest, highest + 1) for step in steps]
        first = max((n for n, value in enumerate(round_ones) if value <= low * (1 + 1e-9)), default=0)
        last = min((n for n, value in enumerate(round_ones) if value >= high * (1 - 1e-9)), default=len(round_ones) - 1)
        if last - first < most:
            break
    return _axis(words, round_ones[first : max(last, first + 1) + 1], wording, logarithmic=True)


def _axis(words: str, at: list[float], wording: Wording, logarithmic: bool = False) -> Axis:
    low, high = at[0], at[-1]
    return Axis(
        words,
        low,
        high,
        tuple(Tick(value, _place(value, low, high, logarithmic), wording(value)) for value in at),
        logarithmic,
    )


def _extent(values: Iterable[float]) -> tuple[float, float]:
    known = sorted(values)
    low, high = (known[0], known[-1]) if known else (0.0, 1.0)
    return (low, high) if high > low else (low, low + 1)


def _step(least: float) -> float:
    power = 10.0 ** floor(log10(least))
    return next(power * step for step in STEPS if power * step >= least * (1 - 1e-9))


def _place(value: float, low: float, high: float, logarithmic: bool = False) -> float:
    if logarithmic:
        low, high, value = log10(low), log10(high), log10(max(value, 1e-300))
    return (value - low) / (high - low)

"""Measured values with limits and units, and what a busy machine means for them."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isclose, isfinite

from rungs.load import TIMES
from rungs.settings import NUMBER


@dataclass(frozen=True)
class Measured:
    """One measured *value* with its limits *low* and *high*; None means no limit.

    *stalled* is how much a stall of the machine may have changed the value, in the same unit. If the value is
    the worst of several, *others* are the amounts by which other values are beyond the limit, and *late* is how
    much all stalls of the test together may have changed all values.

    >>> str(Measured("answer", 3.25, "ms", high=100))
    'answer: 3.25 ms <= 100'
    >>> Measured("answer", 120.0, "ms", high=100, stalled=50).verdict
    'not judged'
    >>> Measured("answer", 120.0, "ms", high=100, stalled=50, others=(15.0, 10.0), late=40).verdict
    'broken'
    """

    name: str
    value: float
    unit: str = ""
    low: float | None = None
    high: float | None = None
    stalled: float = 0.0
    others: tuple[float, ...] = ()
    late: float = 0.0

    @property
    def passed(self) -> bool:
        """True if the value is within its limits."""
        return (self.low is None or self.value >= self.low) and (self.high is None or self.value <= self.high)

    @property
    def beyond(self) -> float:
        """By how much the value is beyond its limit; negative if it is within."""
        below = -inf if self.low is None else self.low - self.value
        above = -inf if self.high is None else self.value - self.high
        return max(below, above)

    @property
    def excused(self) -> bool:
        """True if the value is beyond a limit, but stalls of the machine may have caused that."""
        explained = _at_most(self.beyond, self.stalled)
        together = not self.others or _at_most(self.beyond + sum(self.others), self.late)
        return not self.passed and self.stalled > 0 and explained and together

    def among(self) -> str:
        """Return how many values are beyond the limit, by how much, and what stalls explain, or "" for one value."""
        if self.passed or not self.others:
            return ""
        sums = f"{self.beyond + sum(self.others):.4g} {self.unit}".strip()
        late = f"; the machine was late by {self.late:.4g} {self.unit} in the whole test" if self.stalled else ""
        return f" ({len(self.others) + 1} values are beyond the limit, by {sums} together{late})"

    def window(self) -> float:
        """Return the length of the period, in the value's unit, in which a stall may have changed the value.

        This is the value, plus twice the amount by which it is below its lower limit. If an event is noticed late,
        the time to the next event is too short, and the stall was before that time. The machine may still have run
        during parts of the stall, so the stall may have lasted twice as long as the delay.

        >>> Measured("answer", 120.0, "ms", high=100).window(), Measured("gap", 58.0, "ms", low=80).window()
        (120.0, 102.0)
        """
        return self.value + 2 * max((self.low or 0.0) - self.value, 0.0)

    @property
    def verdict(self) -> str:
        """The verdict: `kept`, `broken` or `not judged`."""
        return "kept" if self.passed else "not judged" if self.excused else "broken"

    def __str__(self) -> str:
        """Return the name, the value and its limits as text that a script can split at the spaces."""
        return f"{self.name}: {self.short()}"

    def short(self) -> str:
        """Return the text without the name, such as `3.25 ms <= 100`."""
        return " ".join(part for part in (f"{self.value:g}", self.unit, bounds(self.low, self.high)) if part)

    def json(self) -> dict[str, object]:
        """Return the measurement as JSON. A value that isn't finite, such as that of a missing answer, becomes null."""
        value = round(self.value, 6) if isfinite(self.value) else None
        head: dict[str, object] = {"name": self.name, "value": value, "unit": self.unit, "low": self.low}
        stalled = round(self.stalled, 3)
        return {**head, "high": self.high, "pass": self.passed, "held": self.verdict != "broken", "stalled": stalled}


def _at_most(value: float, limit: float) -> bool:
    return value < limit or isclose(value, limit)


def bounds(low: float | None, high: float | None) -> str:
    """Return the limits as text.

    >>> bounds(None, 100), bounds(80, None), bounds(3, 3), bounds(25 / 3, 12.5), bounds(None, None)
    ('<= 100', '>= 80', '== 3', 'in 8.33333..12.5', '')
    """
    if low is None:
        return "" if high is None else f"<= {high:g}"
    if high is None:
        return f">= {low:g}"
    return f"== {low:g}" if low == high else f"in {low:g}..{high:g}"


def limits(
    at_most: float | None = None,
    at_least: float | None = None,
    exactly: float | None = None,
    between: tuple[float, float] | None = None,
) -> tuple[float | None, float | None]:
    """Return the lower and upper limit that the given argument sets. Raise ValueError if more than one is given.

    >>> limits(at_most=3), limits(exactly=2), limits(between=(1, 4)), limits()
    ((None, 3), (2, 2), (1, 4), (None, None))
    """
    given = [each for each in (at_most, at_least, exactly, between) if each is not None]
    if len(given) > 1:
        raise ValueError("A value has one limit: at_most, at_least, exactly or between.")
    for limit in given if between is None else between:
        NUMBER.check("A limit", limit)
    if between is not None:
        low, high = between
        if low > high:
            raise ValueError(f"between=(low, high) begins with the lower limit, not {between!r}.")
        return between
    return (exactly, exactly) if exactly is not None else (at_least, at_most)


def stalled_in(unit: str, seconds: float) -> float:
    """Return the *seconds* of a stall in *unit*, or 0 if it isn't a unit of time.

    >>> stalled_in("ms", 0.02), stalled_in("bytes", 0.02)
    (20.0, 0.0)
    """
    return seconds * TIMES.get(unit, 0.0)

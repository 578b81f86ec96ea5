"""Bars beside each other on one scale: sums, shares and means, with their doubt where there is one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from web.charts.axis import Axis, linear_axis


@dataclass(frozen=True)
class BarPart:
    """A stretch of a bar: how long, its words, and of which sort it is (the legend's order, from 0)."""

    value: float
    words: str
    sort: int = 0


@dataclass(frozen=True)
class Bar:
    """One row: its name, a player's *colour* and *letter* if it is one's, its parts, and what stands at its end.

    *low* and *high* bound the whole where it is only known so well.
    """

    name: str
    parts: tuple[BarPart, ...]
    words: str
    colour: str = ""
    letter: str = ""
    low: float | None = None
    high: float | None = None

    @property
    def whole(self) -> float:
        """Return the sum of its parts."""
        return sum(part.value for part in self.parts)


@dataclass(frozen=True)
class BarChart:
    """Rows on one axis: *words* say what is seen, *sorts* are the parts' names, *level* a value to compare with."""

    words: str
    axis: Axis
    bars: tuple[Bar, ...]
    sorts: tuple[str, ...] = ()
    level: float | None = None

    def share(self, value: float) -> float:
        """Return how far from the left end *value* lies, in hundredths."""
        return round(100 * self.axis.at(value), 2)


def bar_chart(
    words: str, unit: str, bars: Iterable[Bar], sorts: tuple[str, ...] = (), level: float | None = None
) -> BarChart:
    """Return *bars* on an axis from nought to the longest of them, in *unit*."""
    rows = tuple(bars)
    ends = [end for bar in rows for end in (bar.whole, bar.high or 0.0)]
    return BarChart(words, linear_axis(unit, [0.0, *ends, *([] if level is None else [level])]), rows, sorts, level)

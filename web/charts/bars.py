"""Bar charts: sums, shares and means on one scale, with their uncertainty if it is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from web.charts.axis import Axis, linear_axis


@dataclass(frozen=True)
class BarPart:
    """A part of a bar: its length, its text, and its sort (the index in the legend, from 0)."""

    value: float
    words: str
    sort: int = 0


@dataclass(frozen=True)
class Bar:
    """One row: its name, the *colour* and *letter* of its player if it has one, its parts, and the text at its end.

    *low* and *high* are bounds of the total if it is uncertain.
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
        """The length of the bar: the sum of its parts."""
        return sum(part.value for part in self.parts)


@dataclass(frozen=True)
class BarChart:
    """Rows on one axis.

    *words* describe the chart, *sorts* are the names of the parts, *level* is a reference value.
    """

    words: str
    axis: Axis
    bars: tuple[Bar, ...]
    sorts: tuple[str, ...] = ()
    level: float | None = None

    def share(self, value: float) -> float:
        """Return the distance of *value* from the left end in percent."""
        return round(100 * self.axis.at(value), 2)


def bar_chart(
    words: str, unit: str, bars: Iterable[Bar], sorts: tuple[str, ...] = (), level: float | None = None
) -> BarChart:
    """Return a chart of *bars* on an axis from 0 to the length of the longest bar, in *unit*."""
    rows = tuple(bars)
    ends = [end for bar in rows for end in (bar.whole, bar.high or 0.0)]
    return BarChart(words, linear_axis(unit, [0.0, *ends, *([] if level is None else [level])]), rows, sorts, level)

"""Bar charts: sums, shares and means on one scale, with their uncertainty if there is one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from web.charts.axis import Axis, linear_axis


@dataclass(frozen=True)
class BarPart:
    """A part of a bar: its length, its words, and its sort (index in the legend, from 0)."""

    value: float
    words: str
    sort: int = 0


@dataclass(frozen=True)
class Bar:
    """One row: its name, *colour* and *letter* if it belongs to a player, its parts, and the text at its end.

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
        """The sum of its parts."""
        return sum(part.value for part in self.parts)


@dataclass(frozen=True)
class BarChart:
    """Rows on one axis: *words* describe the chart, *sorts* are names of parts, *level* is a value to compare with."""

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
    """Return *bars* on an axis from 0 to the longest of them, in *unit*."""
    rows = tuple(bars)
    ends = [end for bar in rows for end in (bar.whole, bar.high or 0.0)]
    return BarChart(words, linear_axis(unit, [0.0, *ends, *([] if level is None else [level])]), rows, sorts, level)

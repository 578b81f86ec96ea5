"""Values with their confidence intervals, in rows on one scale, with a value to compare with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from web.charts.axis import Axis, log_axis


@dataclass(frozen=True)
class Interval:
    """One row: its name, *colour* and *letter* if it belongs to a player, and the text at its end.

    *value* is between *low* and *high*; None if nothing is known. *marked* rows are highlighted. *at* is the URL with
    details, *chosen*: the page shows these details already.
    """

    name: str
    value: float | None
    low: float
    high: float
    words: str
    colour: str = ""
    letter: str = ""
    marked: bool = False
    at: str = ""
    chosen: bool = False


@dataclass(frozen=True)
class IntervalChart:
    """Rows on one logarithmic axis: *words* describe the chart, *level* is a value to compare with."""

    words: str
    axis: Axis
    rows: tuple[Interval, ...]
    level: float

    def share(self, value: float) -> float:
        """Return the distance of *value* from the left end in percent, limited to the axis."""
        return round(100 * self.axis.at(value), 2)


def interval_chart(
    words: str, unit: str, rows: Iterable[Interval], level: float, widest: tuple[float, float]
) -> IntervalChart:
    """Return *rows* on an axis in *unit* that contains *level* and all bounds, limited to *widest*."""
    shown = tuple(rows)
    known = [end for row in shown if row.value is not None for end in (row.low, row.high)]
    ends = [min(max(end, widest[0]), widest[1]) for end in known]
    return IntervalChart(words, log_axis(unit, [level / 2, level * 2, *ends], most=5), shown, level)

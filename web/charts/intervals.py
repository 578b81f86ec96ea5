"""Values with how far they may be off, one below the other on one scale, and what they are compared with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from web.charts.axis import Axis, log_axis


@dataclass(frozen=True)
class Interval:
    """One row: its name, a player's *colour* and *letter* if it is one's, and what stands at its end.

    *value* lies between *low* and *high*; None where nothing is known. *marked* rows stand out, *at* is the address
    that tells more of one, *chosen*: that is told already.
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
    """Rows on one axis on which each factor takes equal room: *words* say what is seen, *level* is compared with."""

    words: str
    axis: Axis
    rows: tuple[Interval, ...]
    level: float

    def share(self, value: float) -> float:
        """Return how far from the left end *value* lies, in hundredths; what lies beyond is put at the end."""
        return round(100 * self.axis.at(value), 2)


def interval_chart(
    words: str, unit: str, rows: Iterable[Interval], level: float, widest: tuple[float, float]
) -> IntervalChart:
    """Return *rows* on an axis around *level* and all their bounds, in *unit*, cut off at the *widest*."""
    shown = tuple(rows)
    known = [end for row in shown if row.value is not None for end in (row.low, row.high)]
    ends = [min(max(end, widest[0]), widest[1]) for end in known]
    return IntervalChart(words, log_axis(unit, [level / 2, level * 2, *ends], most=5), shown, level)

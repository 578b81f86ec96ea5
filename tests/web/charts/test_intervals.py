"""Charts of intervals: one scale, equal factors have equal lengths, and unbounded ends are drawn at the edge."""

from __future__ import annotations

from math import inf

import pytest

from web.pages.fairness import Interval, interval_chart

WIDEST = (0.1, 10.0)


def test_twice_and_half_lie_equally_far_from_one() -> None:
    """Intervals: on a logarithmic scale, the level is halfway between half and twice its value."""
    chart = interval_chart("Odds", "odds", [Interval("Red", 1.0, 0.5, 2.0, "1")], 1.0, WIDEST)

    assert chart.share(2) - chart.share(1) == pytest.approx(chart.share(1) - chart.share(0.5), abs=0.02)


def test_what_is_not_bounded_ends_at_the_edge() -> None:
    """Intervals: bounds of zero or infinity are drawn at the ends of the widest scale."""
    chart = interval_chart("Odds", "odds", [Interval("Red", 3.0, 0.0, inf, "3")], 1.0, WIDEST)

    assert (chart.share(0.0), chart.share(inf)) == (0, 100)
    assert (chart.axis.low, chart.axis.high) == WIDEST

"""Bar charts: all rows have the same scale."""

from __future__ import annotations

from web.pages.statistics import Bar, BarPart, bar_chart


def test_all_bars_lie_on_one_scale() -> None:
    """Bars: twice the value has a bar twice as long, in every row."""
    chart = bar_chart(
        "Wins", "games", [Bar("Ana", (BarPart(4, "4"), BarPart(6, "6", 1)), "10"), Bar("Ben", (BarPart(5, "5"),), "5")]
    )

    assert chart.share(10) == 2 * chart.share(5)
    assert chart.share(chart.bars[0].whole) == 100


def test_a_doubt_has_room_on_the_scale() -> None:
    """Bars: the scale includes the upper bound of every row and the value for comparison."""
    chart = bar_chart("Wins", "games", [Bar("Ana", (BarPart(4, "4"),), "4", low=1, high=19)], level=7)

    assert chart.share(19) <= 100
    assert 0 < chart.share(7) < chart.share(19)

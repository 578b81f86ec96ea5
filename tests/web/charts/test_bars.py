"""Bar charts: one scale for all rows."""

from __future__ import annotations

from web.charts.bars import Bar, BarPart, bar_chart


def test_all_bars_lie_on_one_scale() -> None:
    """Bars: twice the value is twice the length, in whichever row it stands."""
    chart = bar_chart(
        "Wins", "games", [Bar("Ana", (BarPart(4, "4"), BarPart(6, "6", 1)), "10"), Bar("Ben", (BarPart(5, "5"),), "5")]
    )

    assert chart.share(10) == 2 * chart.share(5)
    assert chart.share(chart.bars[0].whole) == 100


def test_a_doubt_has_room_on_the_scale() -> None:
    """Bars: the scale reaches as far as the furthest value may lie, and the value compared with."""
    chart = bar_chart("Wins", "games", [Bar("Ana", (BarPart(4, "4"),), "4", low=1, high=19)], level=7)

    assert chart.share(19) <= 100
    assert 0 < chart.share(7) < chart.share(19)

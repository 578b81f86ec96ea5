"""Axes have round numbers at the right positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.charts.axis import linear_axis, log_axis, number, whole_axis


def test_an_axis_runs_from_round_number_to_round_number() -> None:
    """Axes: for 8 to 40 points, the axis goes from 0 to 40 in steps of 10."""
    axis = linear_axis("Points", [8, 23, 40])

    assert [tick.words for tick in axis.ticks] == ["0", "10", "20", "30", "40"]
    assert axis.at(0) == 0
    assert axis.at(10) == 0.25


def test_rounds_begin_at_the_first() -> None:
    """Axes: rounds are whole numbers, and the axis starts at the first round."""
    axis = whole_axis("Round", [1, 16], most=8)

    assert axis.at(1) == 0
    assert axis.at(16) == 1
    assert [tick.value for tick in axis.ticks] == [2, 4, 6, 8, 10, 12, 14, 16]


def test_on_a_logarithmic_axis_each_factor_takes_equal_room() -> None:
    """Axes: on a logarithmic axis, 1 to 10 is as long as 10 to 100."""
    axis = log_axis("Evidence", [1, 100])

    assert axis.at(10) == pytest.approx(0.5)
    assert {tick.words for tick in axis.ticks} >= {"1", "10", "100"}


@given(st.lists(st.floats(-1e6, 1e6), max_size=6))
def test_all_that_is_plotted_lies_on_a_linear_axis(values: list[float]) -> None:
    """Axes: for any values, every value is within the axis, which has two to eight ticks."""
    axis = linear_axis("Points", values)

    assert all(axis.low - 1e-6 <= value <= axis.high + 1e-6 for value in values)
    assert 2 <= len(axis.ticks) <= 8
    assert [tick.at for tick in axis.ticks] == sorted(tick.at for tick in axis.ticks)


@given(st.lists(st.floats(1e-6, 1e9), min_size=1, max_size=6))
def test_all_that_is_plotted_lies_on_a_logarithmic_axis(values: list[float]) -> None:
    """Axes: for any values, a logarithmic axis contains every value and has at least two ticks."""
    axis = log_axis("Evidence", values)

    assert all(axis.low * (1 - 1e-6) <= value <= axis.high * (1 + 1e-6) for value in values)
    assert len(axis.ticks) >= 2


@pytest.mark.parametrize(("value", "words"), [(3.0, "3"), (0.5, "0.5"), (1.25, "1.25"), (2 / 3, "0.67")])
def test_a_number_has_no_more_places_than_it_needs(value: float, words: str) -> None:
    """Axes: 3 is written without a decimal point, 1.25 with two decimals, and no number with three."""
    assert number(value) == words

"""Shares with their bounds."""

from __future__ import annotations

import pytest

from companion.statistics import share


def test_bounds_of_a_share() -> None:
    """Share: Wilson's interval, as tables have it for 3 of 10."""
    assert (share(3, 10).low, share(3, 10).high) == pytest.approx((0.1078, 0.6032), abs=1e-4)


def test_few_trials_say_little() -> None:
    """Share: nothing of nothing may be anything, and one win of one is far from certain."""
    assert (share(0, 0).low, share(0, 0).high) == (0, 1)
    assert share(1, 1).low == pytest.approx(0.2065, abs=1e-4)
    assert share(1, 1).high == 1

"""Proportions with confidence intervals."""

from __future__ import annotations

import pytest

from companion.statistics import share


def test_bounds_of_a_share() -> None:
    """Share: 3 of 10 has the same Wilson interval as published tables."""
    assert (share(3, 10).low, share(3, 10).high) == pytest.approx((0.1078, 0.6032), abs=1e-4)


def test_few_trials_say_little() -> None:
    """Share: 0 of 0 has the interval 0 to 1, and 1 of 1 has a wide interval."""
    assert (share(0, 0).low, share(0, 0).high) == (0, 1)
    assert share(1, 1).low == pytest.approx(0.2065, abs=1e-4)
    assert share(1, 1).high == 1

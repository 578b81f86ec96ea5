"""How much is tried: a little of everything in `make test`, a hundred times as much in `make test-long`."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet
from hypothesis import settings

HOUSE, LONG = "house", "long"
EXAMPLES, TIMES, FEW = 10, 100, 2
USUAL = 25
"""What a property's *few* is counted by: that many are tried as often as a property that asks for nothing."""


def examples(few: int) -> settings:
    """Return settings by which a property is tried with fewer examples than others, or more: USUAL is as many."""
    return settings(max_examples=max(1, few * settings().max_examples // USUAL))


def seeds(count: int) -> list[int | ParameterSet]:
    """Return *count* seeds to try something with: FEW of them always, the rest in the long run."""
    return [*range(min(FEW, count)), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(FEW, count))]

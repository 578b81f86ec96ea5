"""The number of examples: few in `make test`, a hundred times as many in `make test-long`."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet
from hypothesis import settings

HOUSE, LONG = "house", "long"
EXAMPLES, TIMES, FEW = 10, 100, 2
USUAL = 25
"""A property with `examples(USUAL)` gets as many examples as one without settings."""


def examples(few: int) -> settings:
    """Return settings for a property with *few* examples, relative to USUAL, which is the normal number."""
    return settings(max_examples=max(1, few * settings().max_examples // USUAL))


def seeds(count: int) -> list[int | ParameterSet]:
    """Return *count* seeds to try something with. The first FEW always run, the others only in `make test-long`."""
    return [*range(min(FEW, count)), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(FEW, count))]

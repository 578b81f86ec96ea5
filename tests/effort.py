"""How much is tried: a little of everything in `make test`, a hundred times as much in `make test-long`."""

from __future__ import annotations

from hypothesis import settings

HOUSE, LONG = "house", "long"
EXAMPLES, TIMES = 10, 100
USUAL = 25
"""What a property's *few* is counted by: that many are tried as often as a property that asks for nothing."""


def examples(few: int) -> settings:
    """Return settings by which a property is tried with fewer examples than others, or more: USUAL is as many."""
    return settings(max_examples=max(1, few * settings().max_examples // USUAL))

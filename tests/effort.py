"""How much is tried: a little of everything in `make test`, forty times as much in `make test-long`."""

from __future__ import annotations

from hypothesis import settings

HOUSE, LONG = "house", "long"
EXAMPLES, TIMES = 25, 40


def examples(few: int) -> settings:
    """Return settings by which a property is tried with *few* examples, or with many in the long run."""
    return settings(max_examples=few * settings().max_examples // EXAMPLES)

"""How much is tried: a little of everything in `make test`, forty times as much in `make test-long`."""

from __future__ import annotations

from hypothesis import settings

HOUSE, LONG = "house", "long"
TIMES = 40


def examples(few: int) -> settings:
    """Return settings by which a property is tried with *few* examples, or with many in the long run."""
    return settings(max_examples=few * (TIMES if settings.get_current_profile_name() == LONG else 1))

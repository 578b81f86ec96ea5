"""Switches as they are: a contact that opens or closes bounces for a moment."""

from __future__ import annotations

from random import Random

BOUNCES_US = (1_000, 3_000)
MOST_BOUNCES = 3
JOLT_US = 5_000  # how long a jolt holds its contact


def bounced(level: bool, at_us: int, lots: Random) -> list[tuple[int, bool]]:
    """Return how a contact comes to its *level*: at once, then away and back a few times within 1 to 3 ms."""
    lasts = lots.randint(*BOUNCES_US)
    times = sorted(lots.sample(range(1, lasts), 2 * lots.randint(1, MOST_BOUNCES)))
    return [(at_us, level), *((at_us + at, level == bool(n % 2)) for n, at in enumerate(times))]


def jolted(at_us: int, lots: Random) -> list[tuple[int, bool]]:
    """Return what one jolt does to a contact to ground that is open at rest."""
    return bounced(False, at_us, lots) + bounced(True, at_us + JOLT_US, lots)

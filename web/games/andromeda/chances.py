"""The chance of an attempt, for pages that may show it."""

from __future__ import annotations

from math import comb


def chance(stations: int, own: int, draws: int) -> float:
    """Return the chance that one of *own* is among *draws* of *stations*, drawn without replacement."""
    draws = min(draws, stations)
    return 1 - comb(stations - own, draws) / comb(stations, draws) if stations else 0.0


def percent(share: float) -> str:
    """Return a share in whole percent."""
    return f"{round(100 * share)} %"

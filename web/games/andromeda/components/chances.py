"""The chance of an attempt, for pages that may show it."""

from __future__ import annotations

from companion.games.andromeda.odds import success


def chance(stations: int, own: int, draws: int) -> float:
    """Return the chance that one of *own* is among *draws* of *stations*; 0 where nothing lies."""
    return success(stations, own, draws) if stations else 0.0

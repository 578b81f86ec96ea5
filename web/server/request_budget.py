"""How many requests a place may send: a store that fills by so many a second, so that none takes the table's time."""

from __future__ import annotations

from collections.abc import Callable

from companion.kernel.shown import shows
from companion.kernel.values import dataclass

PLACES = 1024
"""So many places are remembered; what is forgotten beyond them is a store that was used least lately."""


@dataclass(frozen=True)
class Pace:
    """So many requests *a_second* in the long run, and so many *at_once*."""

    a_second: float
    at_once: int


GUESTS = Pace(20.0, 300)  # a tablet asks for thirty files at first, later for a page or two a second
OWN = Pace(200.0, 3000)  # the devices of those who play; what runs on the machine itself needs no network to harm it


@shows("_stores", "_most")
class RequestBudget:
    """What each place has left by *pace*; for the thread of the loop only."""

    def __init__(self, pace: Pace, now: Callable[[], float], places: int = PLACES) -> None:
        self._pace = pace
        self._now = now
        self._most = places
        self._stores: dict[str, tuple[float, float]] = {}

    def take(self, place: str) -> bool:
        """Take one request of *place*; False where nothing is left."""
        now = self._now()
        left, at = self._stores.pop(place, (float(self._pace.at_once), now))
        left = min(float(self._pace.at_once), left + (now - at) * self._pace.a_second)
        # To the end: whoever has asked for nothing for longest is forgotten first.
        self._stores[place] = (max(0.0, left - 1), now) if left >= 1 else (left, now)
        if len(self._stores) > self._most:
            del self._stores[next(iter(self._stores))]
        return left >= 1

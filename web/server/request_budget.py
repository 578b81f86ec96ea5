"""Request budgets: a token bucket for each address, so that no device can overload the server."""

from __future__ import annotations

from collections.abc import Callable

from companion.kernel.shown import shows
from companion.kernel.values import dataclass

PLACES = 1024
"""Number of addresses with a bucket; the least recently used is dropped."""


@dataclass(frozen=True)
class Pace:
    """A rate limit: *a_second* requests per second on average, and up to *at_once* in a burst."""

    a_second: float
    at_once: int


GUESTS = Pace(20.0, 300)  # a tablet loads thirty files at first, later a page or two a second
OWN = Pace(200.0, 3000)  # devices of players; programs on this machine have no limit


@shows("_stores", "_most")
class RequestBudget:
    """A token bucket for each address, filled by *pace*. Use it in the event loop's thread only."""

    def __init__(self, pace: Pace, now: Callable[[], float], places: int = PLACES) -> None:
        self._pace = pace
        self._now = now
        self._most = places
        self._stores: dict[str, tuple[float, float]] = {}

    def take(self, place: str) -> bool:
        """Take one token from the bucket of *place*. Return False if the bucket is empty."""
        now = self._now()
        left, at = self._stores.pop(place, (float(self._pace.at_once), now))
        left = min(float(self._pace.at_once), left + (now - at) * self._pace.a_second)
        # Insert it at the end, so that the least recently used address is first.
        self._stores[place] = (max(0.0, left - 1), now) if left >= 1 else (left, now)
        if len(self._stores) > self._most:
            del self._stores[next(iter(self._stores))]
        return left >= 1

"""Limits for each address: requests per second, and bytes of request bodies in memory and their slowest upload."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from companion.kernel.shown import shows
from companion.kernel.values import dataclass

SLOWEST = 8000  # bytes a second: even poor Wi-Fi uploads the longest record
STALL_S = 10.0


@shows("_held")
class BodyBudget:
    """The bytes of request bodies in memory, at most *each* for one address and *together* in total."""

    def __init__(self, each: int, together: int) -> None:
        self._each = each
        self._together = together
        self._held: Counter[str] = Counter()

    def take(self, address: str, size: int) -> bool:
        """Reserve *size* more bytes for *address*. If that is over a limit, reserve nothing and return False."""
        if self._held[address] + size > self._each or self._held.total() + size > self._together:
            return False
        self._held[address] += size
        return True

    def give_back(self, address: str, size: int) -> None:
        """Release *size* bytes of *address*."""
        self._held[address] -= size
        if not self._held[address]:
            del self._held[address]


@shows("until")
class BodyDeadline:
    """The deadline for the next part of a body. Fast parts move it later, up to *stall_s* seconds from now."""

    def __init__(self, now: float, stall_s: float = STALL_S, slowest: int = SLOWEST) -> None:
        self._stall_s = stall_s
        self._slowest = slowest
        self.until = now + stall_s

    def came(self, size: int, now: float) -> float:
        """Count *size* bytes at time *now*, and return the deadline for the next part."""
        self.until = min(now + self._stall_s, self.until + size / self._slowest)
        return self.until


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

"""Limits for request bodies: bytes in memory for each address and in total, and the slowest upload."""

from __future__ import annotations

from collections import Counter

from companion.kernel.shown import shows

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

"""How much may be on its way into the house at once, and how slowly: shares of bytes, and a pace."""

from __future__ import annotations

from collections import Counter

from companion.kernel.shown import shows

SLOWEST = 8000  # bytes a second: poor Wi-Fi still brings the longest record
STALL_S = 10.0


@shows("_held")
class BodyBudget:
    """The bytes of bodies that are held, so many for *each* address and so many *together*."""

    def __init__(self, each: int, together: int) -> None:
        self._each = each
        self._together = together
        self._held: Counter[str] = Counter()

    def take(self, address: str, size: int) -> bool:
        """Hold *size* bytes more for *address*; False, and nothing is held, where its share or all is used up."""
        if self._held[address] + size > self._each or self._held.total() + size > self._together:
            return False
        self._held[address] += size
        return True

    def give_back(self, address: str, size: int) -> None:
        """Let go of *size* bytes of *address*."""
        self._held[address] -= size
        if not self._held[address]:
            del self._held[address]


@shows("until")
class BodyDeadline:
    """Until when the next part of a body has to come: what came fast is credit, up to *stall_s*."""

    def __init__(self, now: float, stall_s: float = STALL_S, slowest: int = SLOWEST) -> None:
        self._stall_s = stall_s
        self._slowest = slowest
        self.until = now + stall_s

    def came(self, size: int, now: float) -> float:
        """Count *size* bytes, and return until when the next have to come."""
        self.until = min(now + self._stall_s, self.until + size / self._slowest)
        return self.until

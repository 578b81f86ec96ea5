"""How much of what a ring tells beside play is kept: more than any evening has, and no more than a card bears.

A child at the gate, a whole calibration, an hour of practice fit in many times; a ring that has gone mad does not.
What play waits for is never asked here.
"""

from __future__ import annotations

from companion.kernel.shown import shows
from companion.ports.ring import RingEvent

ROW_BYTES = 600
"""What an event takes beside its raw lines: its own row, its judgement's, what became of it."""
BURST_BYTES = 8_000_000
MINUTE_BYTES = 1_000_000
EVENING_BYTES = 64_000_000
EVENING_S = 12 * 3600.0


@shows("unkept", "_as_of")
class FloodBudget:
    """Bytes that may be kept: so many at once, a minute, and an evening; *unkept* counts the events beyond."""

    def __init__(self) -> None:
        self.unkept = 0
        self._burst: float = BURST_BYTES
        self._evening: float = EVENING_BYTES
        self._as_of: float | None = None

    def keeps(self, event: RingEvent, now: float) -> bool:
        """Tell whether *event* is to be kept at *now*, in monotonic seconds; one that is not is counted."""
        passed = 0.0 if self._as_of is None else max(0.0, now - self._as_of)
        self._as_of = now
        self._burst = min(BURST_BYTES, self._burst + passed * MINUTE_BYTES / 60)
        self._evening = min(EVENING_BYTES, self._evening + passed * EVENING_BYTES / EVENING_S)
        size = ROW_BYTES + sum(map(len, event.raw))
        if size > min(self._burst, self._evening):
            self.unkept += 1
            return False
        self._burst -= size
        self._evening -= size
        return True

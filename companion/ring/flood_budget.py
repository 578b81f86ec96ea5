"""A limit on the ring events that are stored although they are not part of a game, so that they cannot fill the disk.

The limit is many times what a child playing with the gate, a calibration or an hour of practice produces. It stops
a faulty ring that sends events endlessly. Events that belong to a game are never limited.
"""

from __future__ import annotations

from companion.kernel.shown import shows
from companion.ports.ring import RingEvent

ROW_BYTES = 600
"""The size of an event without its raw lines: its own row, its judgement, and its result."""
BURST_BYTES = 8_000_000
MINUTE_BYTES = 1_000_000
EVENING_BYTES = 64_000_000
EVENING_S = 12 * 3600.0


@shows("dropped", "_as_of")
class FloodBudget:
    """Limits in bytes: at once, per minute and per evening. *dropped* counts the events that were not stored."""

    def __init__(self) -> None:
        self.dropped = 0
        self._burst: float = BURST_BYTES
        self._evening: float = EVENING_BYTES
        self._as_of: float | None = None

    def keeps(self, event: RingEvent, now: float) -> bool:
        """Return whether to store *event* at *now* (monotonic seconds). If not, count it as dropped."""
        passed = 0.0 if self._as_of is None else max(0.0, now - self._as_of)
        self._as_of = now
        self._burst = min(BURST_BYTES, self._burst + passed * MINUTE_BYTES / 60)
        self._evening = min(EVENING_BYTES, self._evening + passed * EVENING_BYTES / EVENING_S)
        size = ROW_BYTES + sum(map(len, event.raw))
        if size > min(self._burst, self._evening):
            self.dropped += 1
            return False
        self._burst -= size
        self._evening -= size
        return True

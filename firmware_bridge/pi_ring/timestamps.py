"""When an edge really was: a pin's own time stamps, brought to the clock that the ring goes by."""

from __future__ import annotations

from companion.kernel.shown import shows

NEAR_S = 1.0


@shows("_apart_s")
class Timestamps:
    """Brings stamps to our clock.

    Most kernels stamp edges with the clock that we have, older ones with that
    on the wall. Then the stamp that came soonest says how far they are apart.
    """

    def __init__(self) -> None:
        self._apart_s: float | None = None

    def at(self, stamp: float, now: float) -> float:
        """Return when it was in our clock, given that it is heard of at *now*; never later than that."""
        late = now - stamp
        if self._apart_s is None and abs(late) < NEAR_S:
            return min(stamp, now)
        if self._apart_s is None or not self._apart_s <= late < self._apart_s + NEAR_S:
            self._apart_s = late  # the soonest so far, or somebody has set the clock on the wall
        return stamp + self._apart_s

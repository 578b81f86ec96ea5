"""A microsecond clock that never wraps, made from a counter that does (on a Pico after about 18 minutes)."""

PICO_PERIOD = 1 << 30


class ExtendedClock:
    """Extends a wrapping counter that starts at *start*. Read it at least once per period of the counter."""

    def __init__(self, period: int = PICO_PERIOD, start: int = 0) -> None:
        self._period = period
        self._ticks = start
        self._us = 0

    def at(self, ticks: int) -> int:
        """Return the microseconds since the start for the counter value *ticks*."""
        self._us += (ticks - self._ticks) % self._period
        self._ticks = ticks
        return self._us

    def past(self, ticks: int) -> int:
        """Return the microseconds since the start for a counter value near the last one (0 before the start).

        The value may be slightly earlier or later than the last one, because an edge may be stamped before this clock
        reads the same moment. Of the two possible times, the one nearer to the last is returned.
        """
        behind = (self._ticks - ticks) % self._period
        if behind > self._period // 2:
            behind -= self._period
        return max(self._us - behind, 0)

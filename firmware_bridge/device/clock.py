"""Microseconds that never wrap, made from a counter that does (after about 18 minutes on a Pico)."""

PICO_PERIOD = 1 << 30


class ExtendedClock:
    """Extends a wrapping counter that read *start* at the start; to be asked at least once in each of its periods."""

    def __init__(self, period: int = PICO_PERIOD, start: int = 0) -> None:
        self._period = period
        self._ticks = start
        self._us = 0

    def at(self, ticks: int) -> int:
        """Return the microseconds since the start for the counter's reading *ticks*."""
        self._us += (ticks - self._ticks) % self._period
        self._ticks = ticks
        return self._us

    def past(self, ticks: int) -> int:
        """Return the microseconds since the start for a reading near the last one, 0 for one from before the start.

        Nearer by the other way round is later: what stamps an edge may run a little ahead of what is read here.
        """
        behind = (self._ticks - ticks) % self._period
        if behind > self._period // 2:
            behind -= self._period
        return max(self._us - behind, 0)

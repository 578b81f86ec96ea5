"""Microseconds that never wrap, made from a counter that does (after about 18 minutes on a Pico)."""

PICO_PERIOD = 1 << 30


class Extended:
    """Extends a wrapping counter; to be asked at least once in each of its periods."""

    def __init__(self, period: int = PICO_PERIOD) -> None:
        self._period = period
        self._ticks = 0
        self._us = 0

    def at(self, ticks: int) -> int:
        """Return the microseconds since the start for the counter's reading *ticks*."""
        self._us += (ticks - self._ticks) % self._period
        self._ticks = ticks
        return self._us

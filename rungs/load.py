"""Measures how late this machine ran anything, so that a slow machine is not taken for a slow device.

A thread wants to run every few milliseconds, and adds up how late it was. A device that is a process
of this machine waits for a processor as well, at another moment, so the sum counts twice.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

TICK_S = 0.005
LEAST_S = 0.002  # how late a timer is on an idle machine
BOTH_ENDS = 2


class Load:
    """Adds up delays. *now* is a monotonic clock.

    >>> load = Load()
    >>> load.late(0.001)  # no more than a timer's own
    >>> load.late(0.040)
    >>> load.owed_s
    0.08
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._owed_s = 0.0
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def __repr__(self) -> str:
        return f"<Load owed_s={self._owed_s:.3f}>"

    @property
    def owed_s(self) -> float:
        """The total delay, in seconds. Callers use the difference between two calls."""
        return self._owed_s

    def late(self, by_s: float) -> None:
        """Add that something was *by_s* seconds late."""
        if by_s > LEAST_S:
            self._owed_s += BOTH_ENDS * by_s

    def start(self) -> None:
        """Start measuring, in a thread. Does nothing if it measures already."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._watch, name="rungs-load", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop measuring."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        before = self._now()
        while not self._over.wait(TICK_S):
            now = self._now()
            self.late(now - before - TICK_S)
            before = now

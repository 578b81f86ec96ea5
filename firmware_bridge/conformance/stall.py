"""Measures how long programs had to wait for a processor during a check, to extend the check's time limits.

A thread sleeps for a few milliseconds at a time and records how late it wakes up. If the ring is another process on
this machine, it may also have to wait while our thread runs. So the kernel's figure for all waiting processes
(`/proc/pressure/cpu`, "some") is used too, if it is available. Time limits and waits for answers are extended by the
result.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor, Thread

TICK_S = 0.005
LEAST_S = 0.002  # how late a timer usually is on an idle machine
WINDOW_S = 1.0  # the length of time in which delays can affect one measured value
BOTH_ENDS = 2  # factor if only our own delay is known, because a ring process on this machine may have waited as long
PRESSURE = Path("/proc/pressure/cpu")
MOST_ENTRIES = 16_384  # remembered delays, enough for more than a minute
TIMES = {"s": 1.0, "ms": 1e3, "us": 1e6}
RATES = {"ppm": 1e6}


@shows("_total", "_late")
class Stall:
    """The delays measured so far.

    >>> stall = Stall()
    >>> stall.late(10.0, 0.001)  # no more than a timer's own
    >>> stall.late(10.1, 0.040)
    >>> stall.late(10.5, 0.020)
    >>> stall.late(14.0, 0.030)
    >>> round(stall.owed_s(), 3), round(stall.worst_s(0.0), 3), round(stall.worst_s(13.0), 3)
    (0.09, 0.06, 0.03)
    """

    def __init__(self) -> None:
        self._total = 0.0
        self._late: deque[tuple[float, float]] = deque(maxlen=MOST_ENTRIES)

    def late(self, at: float, by_s: float) -> None:
        """Record a delay of *by_s* seconds at the time *at*."""
        if by_s > LEAST_S:
            self._late.append((at, by_s))
            self._total += by_s

    def owed_s(self) -> float:
        """Return the total delay in seconds. Callers use the difference between two calls."""
        return self._total

    def worst_s(self, since: float) -> float:
        """Return the largest error in seconds that delays can have caused in one value measured after *since*."""
        late = [each for each in list(self._late) if each[0] >= since]
        worst, within, first = 0.0, 0.0, 0
        for at, by_s in late:
            within += by_s
            while late[first][0] <= at - WINDOW_S:
                within -= late[first][1]
                first += 1
            worst = max(worst, within)
        return worst


def stretch(unit: str, stall_s: float, over_s: float = WINDOW_S) -> float:
    """Return by how much to extend a limit in *unit*; 0 if the unit is not a time.

    Rates were measured over *over_s* seconds.

    The minimum of several measurements needs no extension. Its unit shows that it is one (`ms of the wait`).

    >>> stretch("ms", 0.02), stretch("ppm", 0.02, 2.0), stretch("bytes", 0.02), stretch("ms of the wait", 0.02)
    (20.0, 10000.0, 0.0, 0.0)
    """
    if unit in TIMES:
        return stall_s * TIMES[unit]
    return stall_s / over_s * RATES[unit] if unit in RATES else 0.0


def waited_s() -> float:
    """Return how long any process has waited for a processor since boot, in seconds; 0 if unknown."""
    with suppress(OSError, ValueError, IndexError):
        some = PRESSURE.read_text(encoding="ascii").splitlines()[0]
        # The kernel reports the mean of all processors, but a process that waits for one of them waits for all of the
        # time.
        return int(some.rpartition("total=")[2]) / 1e6 * (os.cpu_count() or 1)
    return 0.0


class Watching:
    """A context manager with a thread that measures a `Stall`. *now* is the clock that is used for the measured values.

    *waited* returns the total time for which any process has waited for a processor.
    """

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        waited: Callable[[], float] = waited_s,
        threads: Supervisor | None = None,
    ) -> None:
        self.stall = Stall()
        self._threads = threads or Supervisor()
        self._now = now
        self._waited = waited
        self._over = threading.Event()
        self._thread: Thread | None = None

    def __enter__(self) -> Stall:
        """Start measuring."""
        self._thread = self._threads.start("stall", self._watch)
        return self.stall

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        """Stop measuring."""
        self._over.set()
        if self._thread is not None:
            self._thread.end()

    def _watch(self) -> None:
        before, waited_before = self._now(), self._waited()
        while not self._over.wait(TICK_S):
            now, waited = self._now(), self._waited()
            others = min(waited - waited_before, now - before)
            self.stall.late(now, max(BOTH_ENDS * (now - before - TICK_S), others))
            before, waited_before = now, waited

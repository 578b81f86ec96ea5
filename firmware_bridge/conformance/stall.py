"""How long this machine kept a program waiting for a processor, measured beside a check: no limit is about that.

A thread wants to run every few milliseconds, and notes by how much it came late. What a ring does in time, and we
hear late, is then not held against the ring: limits of time, and waits for an answer, grow by what was measured.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType

TICK_S = 0.005
LEAST_S = 0.002  # what a timer is late by on a machine at rest
WINDOW_S = 1.0  # what one measured value can have met
BOTH_ENDS = 2  # a ring that is a process of this machine has to wait as we have
KEPT = 4096
TIMES = {"s": 1.0, "ms": 1e3, "us": 1e6}
RATES = {"ppm": 1e6}


class Stall:
    """What was withheld so far: by how many seconds a thread that wanted to run every `TICK_S` came late.

    >>> stall = Stall()
    >>> stall.late(10.0, 0.001)  # no more than a timer's own
    >>> stall.late(10.1, 0.040)
    >>> stall.late(10.5, 0.020)
    >>> stall.late(14.0, 0.030)
    >>> round(stall.owed_s(), 3), round(stall.worst_s(0.0), 3), round(stall.worst_s(13.0), 3)
    (0.18, 0.12, 0.06)
    """

    def __init__(self) -> None:
        self._total = 0.0
        self._late: deque[tuple[float, float]] = deque(maxlen=KEPT)

    def late(self, at: float, by_s: float) -> None:
        """Note that something came late *by* so many seconds, at that time."""
        if by_s > LEAST_S:
            self._late.append((at, by_s))
            self._total += by_s

    def owed_s(self) -> float:
        """Return how many seconds waits have to be longer, in all: differences of it count."""
        return BOTH_ENDS * self._total

    def worst_s(self, since: float) -> float:
        """Return by how much one value may be off that was measured after *since*."""
        worst = 0.0
        late = [each for each in list(self._late) if each[0] >= since]
        for n, (begun, _) in enumerate(late):
            worst = max(worst, sum(by for at, by in late[n:] if at < begun + WINDOW_S))
        return BOTH_ENDS * worst


def stretch(unit: str, stall_s: float, over_s: float = WINDOW_S) -> float:
    """Return by how much a limit in *unit* grows; a rate was measured *over* so many seconds; 0 for what is no time.

    >>> stretch("ms", 0.02), stretch("ppm", 0.02, 2.0), stretch("bytes", 0.02)
    (20.0, 10000.0, 0.0)
    """
    kind = unit.split(" ")[0]
    if kind in TIMES:
        return stall_s * TIMES[kind]
    return stall_s / over_s * RATES[kind] if kind in RATES else 0.0


class Watching:
    """A thread that measures a `Stall` for as long as it is entered; *now* is the clock that values are taken by."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.stall = Stall()
        self._now = now
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="stall", daemon=True)

    def __enter__(self) -> Stall:
        """Begin."""
        self._thread.start()
        return self.stall

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        """End."""
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        before = self._now()
        while not self._over.wait(TICK_S):
            now = self._now()
            self.stall.late(now, now - before - TICK_S)
            before = now

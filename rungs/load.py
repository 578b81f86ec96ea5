"""Measures how late this machine runs its threads, so that a slow machine is not mistaken for a slow device.

A thread wakes up every few milliseconds, and records how late it is. A device that is a process on this
machine also waits for a processor, at other moments. If its process is known, the kernel reports how long;
otherwise the device is assumed to have waited as long as the thread.

This module imports only the standard library.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Protocol

TICK_S = 0.005
LEAST_S = 0.002  # how late a timer is on an idle machine
WINDOW_S = 1.0  # the length of time in which delays can affect one measured value
CATCHES_UP = 200  # ticks, about a second on an idle machine
MOST_ENTRIES = 16_384  # remembered delays, enough for more than a minute
TIMES = {"s": 1.0, "ms": 1e3, "us": 1e6}
"""Units of time, and how many of them are a second. A busy machine can change values in these units."""


class Running(Protocol):
    """A thread that is running."""

    def end(self) -> None:
        """Wait until the thread has ended."""


class PlainThread:
    """A thread of the standard library, which runs *work*."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._thread = threading.Thread(target=work, name="rungs-load", daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        return f"<PlainThread name={self._thread.name!r} alive={self._thread.is_alive()}>"

    def end(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()


def waited_s(pid: int) -> float:
    """Return how long the main thread of a process has waited for a processor so far, or 0 if that is unknown."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    return 0.0


class Load:
    """The delays measured so far. Measures while it is used as a context manager, or from `start` to `stop`.

    *now* is the clock of the measured values. *run* starts the thread. *device* returns how long the
    device's process has waited for a processor so far, or 0 if that is unknown.

    >>> load = Load()
    >>> load.late(10.0, 0.001)  # no more than a timer's own
    >>> load.late(10.1, 0.040)
    >>> load.late(10.5, 0.020)
    >>> load.late(14.0, 0.030)
    >>> round(load.owed_s(), 3), round(load.worst_s(0.0), 3), round(load.worst_s(0.0, 0.2), 3)
    (0.09, 0.06, 0.04)
    """

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        run: Callable[[Callable[[], object]], Running] = PlainThread,
        device: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.device = device
        self._now = now
        self._run = run
        self._total = 0.0
        self._ticks = 0
        self._late: deque[tuple[float, float]] = deque(maxlen=MOST_ENTRIES)
        self._over = threading.Event()
        self._thread: Running | None = None

    def __repr__(self) -> str:
        return f"<Load owed_s={self._total:.3f}>"

    def __enter__(self) -> Load:
        """Start measuring."""
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        """Stop measuring."""
        self.stop()

    def late(self, at: float, by_s: float) -> None:
        """Record a delay of *by_s* seconds at the time *at*."""
        if by_s > LEAST_S:
            self._late.append((at, by_s))
            self._total += by_s

    def owed_s(self) -> float:
        """Return the total delay in seconds. Callers use the difference between two calls."""
        return self._total

    def worst_s(self, since: float, window_s: float = WINDOW_S) -> float:
        """Return the largest sum of delays within any *window_s* seconds after *since*.

        A measured time can't have changed by more than that. `rungs.limits` computes the window for a value.
        """
        late = [each for each in list(self._late) if each[0] >= since]
        worst, within, first = 0.0, 0.0, 0
        for at, by_s in late:
            within += by_s
            while late[first][0] <= at - max(window_s, TICK_S):
                within -= late[first][1]
                first += 1
            worst = max(worst, within)
        return min(worst, window_s)

    def catch_up(self) -> None:
        """Wait until a delay that has just ended is recorded: the measuring thread may be the last one to resume."""
        wanted = self._ticks + 2
        for _ in range(CATCHES_UP):
            if self._thread is None or self._ticks >= wanted or self._over.wait(TICK_S):
                return

    def start(self) -> None:
        """Start measuring, in a thread. Does nothing if measuring has already started."""
        if self._thread is None:
            self._thread = self._run(self._watch)

    def stop(self) -> None:
        """Stop measuring."""
        self._over.set()
        if self._thread is not None:
            self._thread.end()

    def _watch(self) -> None:
        before, waited_before = self._now(), self.device()
        while not self._over.wait(TICK_S):
            now, waited = self._now(), self.device()
            ours_s = now - before - TICK_S
            self.late(now, ours_s + max(ours_s, waited - waited_before))
            before, waited_before = now, waited
            self._ticks += 1

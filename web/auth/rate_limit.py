"""Counts wrong PINs, so that six digits are enough for the host, and four for a seat.

After five wrong ones an address waits, each time twice as long; all
addresses together get a hundred an hour, so that many tablets guess no faster
than one: in an evening of four hours that is a chance of 1 in 2,500. A seat's
PIN gives less, and has fewer digits: 25 an hour are a chance of 1 in 100.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Lock

HOUR_S = 3600.0
FREE = 5
FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = 900.0
TOGETHER = 100
FOR_A_SEAT = 25
HERE = ("127.0.0.1", "::1")  # who sits at the machine itself is never shut out by others


class Tries:
    """Wrong tries of the last hour; safe from any thread."""

    def __init__(self, now: Callable[[], float], together: int = TOGETHER) -> None:
        """Count by the seconds that *now* gives; all addresses *together* get so many an hour."""
        self._now = now
        self._together = together
        self._lock = Lock()
        self._wrong: deque[tuple[float, str]] = deque(maxlen=together)

    def wrong(self, address: str) -> None:
        """Count a wrong try."""
        with self._lock:
            self._wrong.append((self._now(), address))

    def wait_s(self, address: str) -> float:
        """Return the seconds until *address* may try again; 0 when it may now."""
        with self._lock:
            now = self._now()
            while self._wrong and now - self._wrong[0][0] >= HOUR_S:
                self._wrong.popleft()
            own = [at for at, who in self._wrong if who == address]
            wait = 0.0
            if len(own) >= FREE:
                # Bounded before it is raised: a hundred doublings are no number of seconds.
                wait = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(len(own) - FREE, 10)) - (now - own[-1])
            if len(self._wrong) == self._together and address not in HERE:
                wait = max(wait, HOUR_S - (now - self._wrong[0][0]))
            return max(0.0, wait)

    def forget(self) -> None:
        """Start anew: the PIN is another one."""
        with self._lock:
            self._wrong.clear()

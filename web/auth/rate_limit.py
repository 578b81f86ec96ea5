"""Rate limit for wrong PINs, by sender, so that guessing fails without locking out others.

A sender is an address (for IPv6 a whole /64), or a device that was the host's or has a seat; other devices at the same
address don't affect that one. There is no limit for all senders together, since an attacker could use it to lock out
the right PIN; long PINs make up for that.

Five wrong tries are free. After each further one the sender waits, first 30 s, then twice as long each time, up to an
hour; an hour without a wrong try forgives one. So a sender has 11 tries in the first hour, 14 in an evening of four
hours, and then one an hour:

| guessing from | tries in the first hour, an evening, a week | six digits (a seat's) | eight (the host's) |
|---|---|---|---|
| one address | 11, 14, 178 | an evening: 1 in 71,000 | 1 in 7 million |
| 250 addresses, a home network full | 2,750, 3,500, 44,500 | an evening: 1 in 290 | 1 in 29,000; a week: 1 in 2,200 |

A seat's PIN gives access to a free seat of one game; the next game has another PIN. The right PIN, a new PIN and, for
seats, a new game reset the count.

`PLACES` senders are remembered, more than any home network has. Further ones share one count until others are forgiven.
That limits an attacker with a whole /16 network. By filling all places, such an attacker can lock out new devices, but
neither a device that was the host's nor the machine itself.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from web.http.visitor_address import HERE

HOUR_S = 3600.0
FREE = 5
FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = HOUR_S
PLACES = 1024
THE_CROWD = "beyond all places that are remembered"


@dataclass(frozen=True)
class Wrong:
    """The number of wrong tries of one sender, and the second of the last one."""

    tries: int
    at: float

    def left(self, now: float) -> int:
        """Return how many of them are not forgiven yet."""
        return max(0, self.tries - int((now - self.at) / HOUR_S))

    def wait_s(self, now: float) -> float:
        """Return the seconds until the next try is allowed."""
        over = self.left(now) - FREE
        if over < 0:
            return 0.0
        # Limit the exponent, or a hundred doublings would give an absurd number.
        pause = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(over, 10))
        return max(0.0, pause - (now - self.at))


@shows("_wrong", "_most")
class Tries:
    """The wrong tries of each sender; safe from any thread."""

    def __init__(self, now: Callable[[], float], places: int = PLACES) -> None:
        """Use the clock *now* in seconds, and remember up to *places* senders."""
        self._now = now
        self._most = places
        self._lock = Lock()
        self._wrong: dict[str, Wrong] = {}

    def admit(self, place: str) -> float:
        """Return the seconds until *place* may try.

        At 0 it may try now, and the try counts as wrong until `right` is called.

        It counts before the PIN is checked, so that many tries at once don't get through.
        """
        with self._lock:
            now, place = self._now(), self._remembered(place)
            before = self._wrong.get(place, Wrong(0, self._now()))
            wait = before.wait_s(now)
            if not wait:
                self._wrong[place] = Wrong(before.left(now) + 1, now)
            return wait

    def right(self, place: str) -> None:
        """Reset the count of *place*, which knows the PIN."""
        with self._lock:
            self._wrong.pop(place, None)

    def forget(self) -> None:
        """Reset all counts, after a change of the PIN."""
        with self._lock:
            self._wrong.clear()

    def _remembered(self, place: str) -> str:
        """Return the key that *place* is counted under; forgiven senders are dropped if there are too many."""
        if place in self._wrong or place in HERE or len(self._wrong) < self._most:
            return place
        now = self._now()
        self._wrong = {known: wrong for known, wrong in self._wrong.items() if wrong.left(now)}
        return place if len(self._wrong) < self._most else THE_CROWD

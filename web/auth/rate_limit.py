"""Rate limit for wrong PINs, counted by sender, so that guessing fails but other people aren't locked out.

A sender is an address (for IPv6 a whole /64 network). A device that was the host's, or that has a seat, is a sender of
its own: other devices at the same address don't affect it. There is no limit for all senders together, since an
attacker could use it to lock out people who know the PIN. Long PINs make up for that.

Five wrong tries are free. After each further wrong try the sender waits: first 30 s, then twice as long each time, up
to an hour. Each hour without a wrong try removes one from the count. So a sender has 11 tries in the first hour, 14 in
an evening of four hours, and after that one per hour:

| guessing from | tries in the first hour, an evening, a week | six digits (a seat's) | eight (the host's) |
|---|---|---|---|
| one address | 11, 14, 178 | an evening: 1 in 71,000 | 1 in 7 million |
| 250 addresses, a home network full | 2,750, 3,500, 44,500 | an evening: 1 in 290 | 1 in 29,000; a week: 1 in 2,200 |

A seat's PIN gives access to a free seat of one game; the next game has another PIN. The right PIN, a new PIN and, for
seats, a new game reset the count.

`PLACES` senders are remembered, more than any home network has. Further senders share one count until earlier senders
are forgotten. That limits an attacker with a whole /16 network. By filling all places, such an attacker can lock out
new devices, but not a device that was the host's, and not the machine itself.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from web.http.request_parsing import HERE

HOUR_S = 3600.0
FREE = 5
FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = HOUR_S
PLACES = 1024
THE_CROWD = "beyond all places that are remembered"


@dataclass(frozen=True)
class Wrong:
    """The number of wrong tries of one sender, and the time of the last one in seconds."""

    tries: int
    at: float

    def left(self, now: float) -> int:
        """Return how many wrong tries are still counted."""
        return max(0, self.tries - int((now - self.at) / HOUR_S))

    def wait_s(self, now: float) -> float:
        """Return the seconds until the next try is allowed."""
        over = self.left(now) - FREE
        if over < 0:
            return 0.0
        # Limit the exponent, or a hundred doublings would give a huge number.
        pause = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(over, 10))
        return max(0.0, pause - (now - self.at))


@shows("_wrong", "_most")
class Tries:
    """The wrong tries of each sender. It may be used from any thread."""

    def __init__(self, now: Callable[[], float], places: int = PLACES) -> None:
        """Use the clock *now* in seconds, and remember up to *places* senders."""
        self._now = now
        self._most = places
        self._lock = Lock()
        self._wrong: dict[str, Wrong] = {}

    def admit(self, place: str) -> float:
        """Return the seconds until *place* may try.

        If that is 0, it may try now, and the try counts as wrong until `right` is called.

        The try is counted before the PIN is checked, so that many simultaneous tries don't get through.
        """
        with self._lock:
            now, place = self._now(), self._remembered(place)
            before = self._wrong.get(place, Wrong(0, self._now()))
            wait = before.wait_s(now)
            if not wait:
                self._wrong[place] = Wrong(before.left(now) + 1, now)
            return wait

    def right(self, place: str) -> None:
        """Reset the count of *place* after it sent the right PIN."""
        with self._lock:
            self._wrong.pop(place, None)

    def forget(self) -> None:
        """Reset all counts, after a change of the PIN."""
        with self._lock:
            self._wrong.clear()

    def _remembered(self, place: str) -> str:
        """Return the key that *place* is counted under.

        If there are too many senders, drop those without wrong tries.
        """
        if place in self._wrong or place in HERE or len(self._wrong) < self._most:
            return place
        now = self._now()
        self._wrong = {known: wrong for known, wrong in self._wrong.items() if wrong.left(now)}
        return place if len(self._wrong) < self._most else THE_CROWD

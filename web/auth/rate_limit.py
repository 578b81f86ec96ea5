"""Counts wrong PINs for each place they come from, so that guessing leads nowhere and shuts nobody else out.

A place is an address, of IPv6 a whole /64; or a device that has been the
host's before, or has a seat, by its own proof: what others do at its address
is nothing to it. There is no count of all places together, since whoever trips
it would shut out the right PIN too: the PINs are long enough instead.

Five wrong tries are free, then a place waits 30 s, each time twice as long, an
hour at most; an hour without one forgives one. So a place gets 11 tries in the
first hour, 14 in an evening of four, and then one an hour:

| guessing from | tries in the first hour, an evening, a week | six digits (a seat's) | eight (the host's) |
|---|---|---|---|
| one address | 11, 14, 178 | an evening: 1 in 71,000 | 1 in 7 million |
| 250 addresses, a home network full | 2,750, 3,500, 44,500 | an evening: 1 in 290 | 1 in 29,000; a week: 1 in 2,200 |

What a seat's PIN gives is a free seat for one game; the next game has
another. The right PIN, a new one and, for seats, a new game forgive.

So many addresses as no home network has (`PLACES`) are remembered; whoever
comes beyond them shares one place until an hour has forgiven others. That
bounds what an attacker with a whole /16 gets, and is the one lock that he can
put on a new device: not on one that has been the host's, nor on the machine.
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
    """So many wrong tries of a place, the last one at this second."""

    tries: int
    at: float

    def left(self, now: float) -> int:
        """Return how many of them are not forgiven."""
        return max(0, self.tries - int((now - self.at) / HOUR_S))

    def wait_s(self, now: float) -> float:
        """Return the seconds until the next try."""
        over = self.left(now) - FREE
        if over < 0:
            return 0.0
        # Bounded before it is raised: a hundred doublings are no number of seconds.
        pause = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(over, 10))
        return max(0.0, pause - (now - self.at))


@shows("_wrong", "_most")
class Tries:
    """The wrong tries of each place; safe from any thread."""

    def __init__(self, now: Callable[[], float], places: int = PLACES) -> None:
        """Count by the seconds that *now* gives, for so many *places*."""
        self._now = now
        self._most = places
        self._lock = Lock()
        self._wrong: dict[str, Wrong] = {}

    def admit(self, place: str) -> float:
        """Return the seconds until *place* may try; 0 when it may now, and that try counts as wrong until `right`.

        Counted before it is made: of many tries at once no more get through.
        """
        with self._lock:
            now, place = self._now(), self._remembered(place)
            before = self._wrong.get(place, Wrong(0, self._now()))
            wait = before.wait_s(now)
            if not wait:
                self._wrong[place] = Wrong(before.left(now) + 1, now)
            return wait

    def right(self, place: str) -> None:
        """Forgive *place*: it knows the PIN."""
        with self._lock:
            self._wrong.pop(place, None)

    def forget(self) -> None:
        """Start anew: the PIN is another one."""
        with self._lock:
            self._wrong.clear()

    def _remembered(self, place: str) -> str:
        """Return the name under which *place* is counted, after those that are forgiven have been let go."""
        if place in self._wrong or place in HERE or len(self._wrong) < self._most:
            return place
        now = self._now()
        self._wrong = {known: wrong for known, wrong in self._wrong.items() if wrong.left(now)}
        return place if len(self._wrong) < self._most else THE_CROWD

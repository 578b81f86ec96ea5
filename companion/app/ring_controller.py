"""Keeps a ring supplied: armed for what the table wants, or its own instrument; offered what the copy at hand has."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.app.workers import Worker
from companion.kernel.i18n import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from companion.model.snapshot import Snapshot
from companion.ports.ring import Order, RingListener, RingPort
from companion.session.table import Table

UNREAD = object()


@shows("_armed", "_offered")
class RingController:
    """A table with its ring: hears the ring, keeps it armed for what is wanted, and its instrument supplied."""

    def __init__(
        self, table: Table, open_ring: Callable[[RingListener], RingPort], threads: Supervisor | None = None
    ) -> None:
        """Arm what *open_ring* opens for the game as it stands; the ring is heard from then on.

        *threads* supervises every thread of the evening; what it says is shown at the table.
        """
        self.table = table
        self.threads = threads or Supervisor()
        self._unsubscribe = self.threads.subscribe(table.show_unattended)
        self._arming, self._offering = threading.Lock(), threading.Lock()
        self._armed: Order | None = None
        self._offered: tuple[str, int] | None = None
        self.ring = open_ring(table)
        # The instrument tells in the ring's own thread, maybe in the midst of something: armed is in another one.
        # It also does again what failed in a subscriber.
        self._errand = Worker(self.threads, "arming", lambda: self._supply(table.snapshot), said("Arming the ring"))
        self._measured: object = UNREAD
        if self.ring.instrument is not None:
            self.ring.instrument.subscribe(self._look)
        table.subscribe(self.attend)
        self.attend(table.snapshot)

    def attend(self, snapshot: Snapshot) -> None:
        """Give the ring what it needs for the table as it is now."""
        try:
            self._supply(snapshot)
        except Exception:
            self._errand.ask()  # in its own thread, again and again until it is done
            raise

    def _supply(self, snapshot: Snapshot) -> None:
        self.offer(snapshot)
        self.arm(snapshot)

    def offer(self, snapshot: Snapshot) -> None:
        """Hand the instrument what was calibrated for the copy on the table, whenever either changes."""
        instrument = self.ring.instrument
        if instrument is None:
            return
        with self._offering:
            if (snapshot.copy, snapshot.kept) != self._offered:
                instrument.offer(self.table.calibrations(snapshot.copy))
                self._offered = (snapshot.copy, snapshot.kept)  # last: an offer that failed is made again

    def arm(self, snapshot: Snapshot) -> None:
        """Tell the ring what is wanted of it now: by its own instrument first, then by the game.

        While the table is being asked about a passage, that station is
        neither under the ring nor on the board: only a new token is told.
        """
        with self._arming:
            self._measured = UNREAD  # first: what changes while it is read must be read again
            self._measured = measuring = self._measuring()
            order = measuring or self.table.order()
            asked = measuring is None and snapshot.questions
            if order == self._armed or (asked and _token(order) == _token(self._armed)):
                return
            if order is None:
                self.ring.disarm()
            else:
                self.ring.arm(order)
            self._armed = order  # last: what failed is armed again

    def close(self) -> None:
        """Let the ring go."""
        self._errand.end()
        self.ring.close()
        self._unsubscribe()

    def _look(self) -> None:
        """Have the ring armed anew when its instrument wants something else; most of its news is about other things."""
        if self._measuring() != self._measured:
            self._errand.ask()

    def _measuring(self) -> Order | None:
        """Return what a calibration wants, None while there is none: no passage of it may be taken for a draw."""
        instrument = self.ring.instrument
        wanted = None if instrument is None else instrument.order
        return None if wanted is None else Order(*wanted)


def _token(order: Order | None) -> int:
    return order.token if order else 0

"""Control the ring: arm it for what the game or its own instrument needs, and give it the copy's calibrations."""

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
    """A table with its ring. It keeps the ring armed and its instrument supplied with calibrations."""

    def __init__(
        self, table: Table, open_ring: Callable[[RingListener], RingPort], threads: Supervisor | None = None
    ) -> None:
        """Open the ring with *open_ring* and arm it for the present game. Its events go to *table* from then on.

        *threads* supervises all threads; its messages are shown at the table.
        """
        self.table = table
        self.threads = threads or Supervisor()
        self._unsubscribe = self.threads.subscribe(table.show_unattended)
        self._arming, self._offering = threading.Lock(), threading.Lock()
        self._armed: Order | None = None
        self._offered: tuple[str, int] | None = None
        self.ring = open_ring(table)
        # The instrument calls back in the ring's own thread, maybe in the middle of an operation, so arm in another
        # thread. This worker also retries what failed in a subscriber.
        self._errand = Worker(self.threads, "arming", lambda: self._supply(table.snapshot), said("Arming the ring"))
        self._measured: object = UNREAD
        if self.ring.instrument is not None:
            self.ring.instrument.subscribe(self._look)
        table.subscribe(self.attend)
        self.attend(table.snapshot)

    def attend(self, snapshot: Snapshot) -> None:
        """Supply the ring for the given state of the table."""
        try:
            self._supply(snapshot)
        except Exception:
            self._errand.ask()  # retried in its own thread until it succeeds
            raise

    def _supply(self, snapshot: Snapshot) -> None:
        self.offer(snapshot)
        self.arm(snapshot)

    def offer(self, snapshot: Snapshot) -> None:
        """Give the instrument the calibrations of the present copy, whenever the copy or its calibrations change."""
        instrument = self.ring.instrument
        if instrument is None:
            return
        with self._offering:
            if (snapshot.copy, snapshot.stored) != self._offered:
                instrument.offer(self.table.archive.calibrations(snapshot.copy))
                self._offered = (snapshot.copy, snapshot.stored)  # last, so that a failed offer is repeated

    def arm(self, snapshot: Snapshot) -> None:
        """Arm the ring for its instrument if that needs an order, else for the game.

        While the table answers a question about a passage, that station is neither under the ring nor on the board. So
        the ring is only armed again then if the token of the order changes.
        """
        with self._arming:
            self._measured = UNREAD  # first: a change during the next line must be read again
            self._measured = measuring = self._measuring()
            order = measuring or self.table.order()
            asked = measuring is None and snapshot.questions
            if order == self._armed or (asked and _token(order) == _token(self._armed)):
                return
            if order is None:
                self.ring.disarm()
            else:
                self.ring.arm(order)
            self._armed = order  # last, so that a failure is retried

    def close(self) -> None:
        """Close the ring."""
        self._errand.end()
        self.ring.close()
        self._unsubscribe()

    def _look(self) -> None:
        """Arm the ring again if its instrument needs a different order.

        Most news of the instrument is about other things.
        """
        if self._measuring() != self._measured:
            self._errand.ask()

    def _measuring(self) -> Order | None:
        """Return the order of the calibration in progress, or None. Its passages must not be taken for draws."""
        instrument = self.ring.instrument
        wanted = None if instrument is None else instrument.order
        return None if wanted is None else Order(*wanted)


def _token(order: Order | None) -> int:
    return order.token if order else 0

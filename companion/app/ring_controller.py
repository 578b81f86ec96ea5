"""Control the ring: arm it for the game or for a calibration, and give it the calibrations of the present copy."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.app.workers import Worker
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from companion.model.snapshot import Snapshot
from companion.ports.ring import Order, RingListener, RingPort
from companion.session.table import Table

UNREAD = object()
HOME_PAUSE_S = 0.25
"""The pause before the ring is armed if a home is connected, so that the home's lights have time to become steady."""


@shows("_armed", "_offered")
class RingController:
    """Connects a table with its ring. It arms the ring and gives calibrations to the ring's instrument."""

    def __init__(
        self,
        table: Table,
        open_ring: Callable[[RingListener], RingPort],
        threads: Supervisor | None = None,
        arming_pause_s: float = 0.0,
    ) -> None:
        """Open the ring with *open_ring*, and arm it for the present game. From then on *table* receives its events.

        *threads* supervises all threads; its messages are shown at the table. The ring is armed *arming_pause_s* after
        a draw is expected.
        """
        self.table = table
        self.threads = threads or Supervisor()
        self._unsubscribe = self.threads.subscribe(table.show_unattended)
        self.arming_pause_s = arming_pause_s
        self._arming, self._offering = threading.Lock(), threading.Lock()
        self._closed = threading.Event()
        self._armed: Order | None = None
        self._offered: tuple[str, int] | None = None
        self.ring = open_ring(table)
        # The instrument calls back in the ring's own thread, maybe during an operation, so the ring is armed in another
        # thread. This worker also repeats an arming that failed in a subscriber.
        self._errand = Worker(self.threads, "arming", self._supply_later, said("Arming the ring"))
        self._measured: object = UNREAD
        if self.ring.instrument is not None:
            self.ring.instrument.subscribe(self._look)
        table.subscribe(self.attend)
        self.attend(table.snapshot)

    def attend(self, snapshot: Snapshot) -> None:
        """Give the ring the calibrations and the order for *snapshot*, after the pause if there is one."""
        if self.arming_pause_s and self.table.order() is not None:
            self.offer(snapshot)
            self._errand.ask()
            return
        try:
            self._supply(snapshot)
        except Exception:
            self._errand.ask()  # repeated in the worker's thread until it succeeds
            raise

    def _supply(self, snapshot: Snapshot) -> None:
        self.offer(snapshot)
        self.arm(snapshot)

    def _supply_later(self) -> None:
        if not self._closed.wait(self.arming_pause_s):
            self._supply(self.table.snapshot)

    def offer(self, snapshot: Snapshot) -> None:
        """Give the instrument the calibrations of the present copy, if the copy or its calibrations have changed."""
        instrument = self.ring.instrument
        if instrument is None:
            return
        with self._offering:
            if (snapshot.copy, snapshot.stored) != self._offered:
                instrument.offer(self.table.archive.calibrations(snapshot.copy))
                self._offered = (snapshot.copy, snapshot.stored)  # set last, so that a failed offer is repeated

    def arm(self, snapshot: Snapshot) -> None:
        """Arm the ring for its instrument if the instrument has an order, otherwise for the game.

        While a question about a passage is unanswered, that station is neither under the ring nor on the board. During
        that time the ring is armed again only if the token of the order changes.
        """
        with self._arming:
            self._measured = UNREAD  # set first, so that a change during the next line is read again
            self._measured = measuring = self._measuring()
            order = measuring or self.table.order()
            asked = measuring is None and snapshot.questions
            if order == self._armed or (asked and _token(order) == _token(self._armed)):
                return
            if order is None:
                self.ring.disarm()
            else:
                self.ring.arm(order)
            self._armed = order  # set last, so that a failure is repeated

    def close(self) -> None:
        """Close the ring."""
        self._closed.set()
        self._errand.end()
        self.ring.close()
        self._unsubscribe()

    def _look(self) -> None:
        """Request another arming if the instrument's order has changed.

        Most notifications of the instrument are about other changes.
        """
        if self._measuring() != self._measured:
            self._errand.ask()

    def _measuring(self) -> Order | None:
        """Return the order of the calibration in progress, or None.

        The passages of a calibration must not count as draws.
        """
        instrument = self.ring.instrument
        wanted = None if instrument is None else instrument.order
        return None if wanted is None else Order(*wanted)


def _token(order: Order | None) -> int:
    return order.token if order else 0

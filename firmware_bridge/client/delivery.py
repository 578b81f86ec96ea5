"""Delivers events to the listener in order, acknowledges them after they are committed, and retries failed commits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.kernel.shown import shows
from companion.ports.ring import RingEvent, RingListener, Unrecorded
from firmware_bridge.protocol.messages import Event

RETRY_S = 1.0


@shows("_waiting")
class Delivery:
    """Passes events to *listener*. Calls *recorded* for each event when this event and all before it are committed.

    While the listener cannot commit (because of a dead disk), it still gets every new event, so that play goes on. It
    gets uncommitted events again until their commit succeeds.
    """

    def __init__(self, listener: RingListener, recorded: Callable[[Event], None]) -> None:
        self.retry_at = float("inf")
        self._listener = listener
        self._recorded = recorded
        self._waiting: list[tuple[RingEvent, Event]] = []

    def hand_over(self, batch: Sequence[tuple[RingEvent, Event]], now: float) -> None:
        """Deliver the events of one batch together. Each comes with the device event that completed it."""
        committed = self._committed(*[ring_event for ring_event, _ in batch])
        if committed and not self._waiting:
            for _, event in batch:
                self._recorded(event)
            return
        # Committed events also wait behind uncommitted ones, because an acknowledgement covers all earlier events.
        self._waiting += batch
        self.retry_at = now if committed else min(self.retry_at, now + RETRY_S)

    @property
    def newest_waiting(self) -> Event | None:
        """The newest event that waits for its acknowledgement, or None."""
        return self._waiting[-1][1] if self._waiting else None

    def retry(self, now: float) -> None:
        """Deliver the waiting events again, in order, until one cannot be committed."""
        while self._waiting and self._committed(self._waiting[0][0]):
            self._recorded(self._waiting.pop(0)[1])
        self.retry_at = now + RETRY_S if self._waiting else float("inf")

    def _committed(self, *events: RingEvent) -> bool:
        try:
            self._listener.heard(*events)
        except Unrecorded:
            return False
        return True

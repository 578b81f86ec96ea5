"""Handing events over to be recorded: in order, acknowledged only when recorded, tried again when they were not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.kernel.shown import shows
from companion.ports.ring import RingEvent, RingListener, Unrecorded
from firmware_bridge.protocol.messages import Event

RETRY_S = 1.0


@shows("_waiting")
class Delivery:
    """Hands events to *listener* and, once all before them are on record, to *recorded*.

    While the listener's storage is dead every event is still handed over
    once, so that play goes on, and later again until it is on record.
    """

    def __init__(self, listener: RingListener, recorded: Callable[[Event], None]) -> None:
        self.retry_at = float("inf")
        self._listener = listener
        self._recorded = recorded
        self._waiting: list[tuple[RingEvent, Event]] = []

    def hand_over(self, batch: Sequence[tuple[RingEvent, Event]], now: float) -> None:
        """Hand over what arrived together: events as they are told, each with the one that completed it."""
        kept = self._kept(*[told for told, _ in batch])
        if kept and not self._waiting:
            for _, event in batch:
                self._recorded(event)
            return
        # Even what is on record waits behind what is not: an acknowledgement counts for all before it.
        self._waiting += batch
        self.retry_at = now if kept else min(self.retry_at, now + RETRY_S)

    @property
    def newest_waiting(self) -> Event | None:
        """The newest event that was handed over and waits to be on record, None while none waits."""
        return self._waiting[-1][1] if self._waiting else None

    def retry(self, now: float) -> None:
        """Hand over again, in order, what is not on record, as far as that goes."""
        while self._waiting and self._kept(self._waiting[0][0]):
            self._recorded(self._waiting.pop(0)[1])
        self.retry_at = now + RETRY_S if self._waiting else float("inf")

    def _kept(self, *events: RingEvent) -> bool:
        try:
            self._listener.heard(*events)
        except Unrecorded:
            return False
        return True

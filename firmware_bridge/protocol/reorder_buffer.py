"""Puts a device's events in order and drops duplicates. Lines may arrive twice, late or not at all."""

from __future__ import annotations

from companion.kernel.shown import shows
from firmware_bridge.device.outbox import REACH
from firmware_bridge.protocol.messages import (
    Event,
)


@shows("repeated", "_waiting")
class ReorderBuffer:
    """The events of one boot of one device, starting with number *first*."""

    def __init__(self, first: int) -> None:
        self.recorded = first - 1
        self.repeated = 0
        self.highest = first - 1
        self._next = first
        self._waiting: dict[int, Event] = {}

    def resume(self, first: int) -> int:
        """Resume a boot. *first* is the oldest event that the device still stores.

        Return how many events are permanently lost.
        """
        gone = max(0, first - self._next)
        self._next += gone
        self.recorded = max(self.recorded, first - 1)
        self._waiting = {number: event for number, event in self._waiting.items() if number >= self._next}
        return gone

    def rewind(self, after: int) -> None:
        """Deliver every event again whose number is above *after* and that is not committed."""
        self.highest = max(self.recorded, after)
        self._next = self.highest + 1
        self._waiting.clear()

    def take(self, event: Event) -> list[Event]:
        """Add *event*; return the events that are now in order, oldest first."""
        if event.number == self._next and not self._waiting and event.number <= self.recorded + REACH:
            self._next += 1
            self.highest = max(self.highest, event.number)
            return [event]
        if event.number < self._next or event.number in self._waiting:
            self.repeated += 1
        # `got` has no bit for a number further ahead, so such an event is dropped. The device sends it again.
        elif event.number <= self.recorded + REACH:
            self._waiting[event.number] = event
            self.highest = max(self.highest, event.number)
        return self._in_order()

    def awaits(self, number: int) -> bool:
        """Return True if the event with this *number* has not arrived yet and would be accepted now."""
        return self._next <= number <= self.recorded + REACH and number not in self._waiting

    @property
    def missing(self) -> int | None:
        """The number of the event that later ones wait for, or None if there is no gap."""
        return self._next if self._waiting else None

    def record(self, number: int) -> None:
        """Mark all delivered events up to *number* as committed.

        After a slow commit *number* may be too high: two rings may have been swapped on the port
        meanwhile.
        """
        self.recorded = max(self.recorded, min(number, self._next - 1))

    def _in_order(self) -> list[Event]:
        ready = []
        while self._next in self._waiting:
            ready.append(self._waiting.pop(self._next))
            self._next += 1
        return ready

    def got(self) -> int:
        """Return which events after `recorded` have arrived, as a bit mask: bit k is for the event recorded + 1 + k."""
        bits = (1 << (self._next - 1 - self.recorded)) - 1
        for number in self._waiting:
            bits |= 1 << (number - self.recorded - 1)
        return bits

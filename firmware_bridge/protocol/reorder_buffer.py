"""Events in their order, each once, out of lines that may come twice, late or not at all."""

from __future__ import annotations

from companion.kernel.shown import shows
from firmware_bridge.device.outbox import REACH
from firmware_bridge.protocol.messages import Event


@shows("repeated", "_waiting")
class ReorderBuffer:
    """The events of one boot of one device, from number *first* on."""

    def __init__(self, first: int) -> None:
        self.recorded = first - 1
        self.repeated = 0
        self.highest = first - 1
        self._next = first
        self._waiting: dict[int, Event] = {}

    def resume(self, first: int) -> int:
        """Go on after a gap with a device whose oldest kept event is *first*; return how many are gone for good."""
        gone = max(0, first - self._next)
        self._next += gone
        self.recorded = max(self.recorded, first - 1)
        self._waiting = {number: event for number, event in self._waiting.items() if number >= self._next}
        return gone

    def rewind(self, after: int) -> None:
        """Take every event once more that came after number *after* and is not on record."""
        self.highest = max(self.recorded, after)
        self._next = self.highest + 1
        self._waiting.clear()

    def take(self, event: Event) -> list[Event]:
        """Take one event; return those that are now in order, oldest first."""
        if event.number == self._next and not self._waiting and event.number <= self.recorded + REACH:
            self._next += 1
            self.highest = max(self.highest, event.number)
            return [event]
        if event.number < self._next or event.number in self._waiting:
            self.repeated += 1
        # Beyond that `got` has no bit for it.
        elif event.number <= self.recorded + REACH:
            self._waiting[event.number] = event
            self.highest = max(self.highest, event.number)
        return self._in_order()

    def awaits(self, number: int) -> bool:
        """Tell whether the event of this number has not come, and could be taken if it came now."""
        return self._next <= number <= self.recorded + REACH and number not in self._waiting

    @property
    def missing(self) -> int | None:
        """The event that has not come though later ones have, None while all are in order."""
        return self._next if self._waiting else None

    def record(self, number: int) -> None:
        """Note that all events up to *number* are on record, as far as they have come since the greeting.

        A slow disk may be done with an event of an earlier time of this boot:
        two rings were swapped on one port meanwhile.
        """
        self.recorded = max(self.recorded, min(number, self._next - 1))

    def _in_order(self) -> list[Event]:
        ready = []
        while self._next in self._waiting:
            ready.append(self._waiting.pop(self._next))
            self._next += 1
        return ready

    def got(self) -> int:
        """Return the bits of what has arrived beyond the recorded: bit k is number recorded + 1 + k."""
        bits = (1 << (self._next - 1 - self.recorded)) - 1
        for number in self._waiting:
            bits |= 1 << (number - self.recorded - 1)
        return bits

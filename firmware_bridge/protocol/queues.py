"""The two queues of a connection: a device's events, put in order, and the orders (commands) that it has not answered.

Lines may arrive twice, late or not at all. Events are put in order, and duplicates are dropped. An event without a
readable time is accepted after several copies; otherwise it would block all later events. One order at a time is in
flight, and it is resent until it is answered. The device compares order numbers, so an order that arrives twice is
carried out only once.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence

from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from firmware_bridge.device.codec import compose
from firmware_bridge.device.framing import seal
from firmware_bridge.device.outbox import REACH
from firmware_bridge.device.resend_timeout import ResendTimeout
from firmware_bridge.protocol.messages import Event, OrderAnswer, Untimed


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


Pairs = Sequence[tuple[str, object]]


@dataclass(frozen=True)
class QueuedCommand:
    """One order: its protocol word, such as `arm`, and its key-value pairs."""

    word: str
    pairs: tuple[tuple[str, object], ...] = ()


@shows("_number", "_sends", "_sent_us")
class CommandQueue:
    """The queue of orders of one session. Numbers start at 1."""

    def __init__(self, session: str, trip: ResendTimeout) -> None:
        self._session = session
        self._trip = trip
        self._queue: deque[QueuedCommand] = deque()
        self._number = 1
        self._sends = 0
        self._sent_us = 0

    @property
    def idle(self) -> bool:
        """True when every order has been answered."""
        return not self._queue

    def ask(self, *orders: QueuedCommand) -> None:
        """Append *orders* to the queue."""
        self._queue.extend(orders)

    def withdraw(self, words: frozenset[str]) -> None:
        """Remove all orders whose word is in *words* and that have not been sent yet."""
        # A sent order stays in the queue: the device may have carried it out already, and its number is used up.
        sent = self._queue.popleft() if self._sends else None
        self._queue = deque(order for order in self._queue if order.word not in words)
        if sent:
            self._queue.appendleft(sent)

    def answered(self, answer: OrderAnswer, now_us: int) -> QueuedCommand | None:
        """Return the order that *answer* belongs to. Return None if *answer* repeats the answer to an earlier order."""
        if not self._queue or answer.number != self._number or not self._sends:
            return None
        # If the order was sent twice, the answer could belong to either sending, so it gives no round trip (Karn).
        if self._sends == 1:
            self._trip.measured(now_us - self._sent_us)
        self._number += 1
        self._sends = 0
        return self._queue.popleft()

    def outgoing(self, now_us: int) -> bytes:
        """Return the line to write now, or empty bytes."""
        if not self._queue or now_us < self.due_us(now_us):
            return b""
        if self._sends:
            self._trip.ran_out()
        self._sends += 1
        self._sent_us = now_us
        order = self._queue[0]
        return seal(compose(order.word, [("h", self._session), ("c", self._number), *order.pairs]))

    def due_us(self, now_us: int) -> int:
        """Return the time of the next write in microseconds, or -1 if the queue is empty."""
        if not self._queue:
            return -1
        return self._sent_us + self._trip.wait_us if self._sends else now_us


UNREADABLE = "?"
"""The word of an event whose readable form never arrived. No device can send this word."""
COPIES = 5  # the first copy and two resent pairs; noise does not repeat an error with a valid checksum this often


class UnreadableLines:
    """Counts, for each event of one boot, the copies that arrived without a readable time."""

    def __init__(self) -> None:
        self._copies: Counter[int] = Counter()

    def take(self, line: Untimed, recorded: int, at_us: int) -> Event | None:
        """Count one copy of *line*.

        From the fifth copy (`COPIES`) on, return an `UNREADABLE` event at *at_us*, otherwise None.

        The line's own word and fields are not trusted: a device that writes a wrong time may have
        got the rest wrong as well.
        """
        self._copies = Counter({number: times for number, times in self._copies.items() if number > recorded})
        self._copies[line.number] += 1
        if self._copies[line.number] < COPIES:
            return None
        return Event(UNREADABLE, line.boot, line.number, at_us, {"said": line.word}, line.raw)

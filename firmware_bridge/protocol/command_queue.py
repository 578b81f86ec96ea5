"""A queue of orders (commands to the device). One order at a time is in flight, and it is resent until it is answered.

The device compares order numbers, so an order that arrives twice is carried out only once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from firmware_bridge.device.codec import compose
from firmware_bridge.device.framing import seal
from firmware_bridge.device.rto import RtoEstimate
from firmware_bridge.protocol.messages import OrderAnswer

Pairs = Sequence[tuple[str, object]]


@dataclass(frozen=True)
class QueuedCommand:
    """One order: its protocol word, such as `arm`, and its key-value pairs."""

    word: str
    pairs: tuple[tuple[str, object], ...] = ()


@shows("_number", "_sends", "_sent_us")
class CommandQueue:
    """The queue of orders of one session. Numbers start at 1."""

    def __init__(self, session: str, trip: RtoEstimate) -> None:
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

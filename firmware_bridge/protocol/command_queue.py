"""Orders to a device, one at a time, each sent until it is answered; the device carries each out once."""

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
    """One order: its word and its fields."""

    word: str
    pairs: tuple[tuple[str, object], ...] = ()


@shows("_number", "_sends", "_sent_us")
class CommandQueue:
    """The orders of one session, numbered from 1."""

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
        """Queue *orders*."""
        self._queue.extend(orders)

    def withdraw(self, words: frozenset[str]) -> None:
        """Take back those orders with one of *words* that have not been sent yet."""
        # What was sent may be carried out already, and its number is used: its answer is waited for.
        sent = self._queue.popleft() if self._sends else None
        self._queue = deque(order for order in self._queue if order.word not in words)
        if sent:
            self._queue.appendleft(sent)

    def answered(self, answer: OrderAnswer, now_us: int) -> QueuedCommand | None:
        """Return the order that *answer* settles, None when it is an old answer once more."""
        if not self._queue or answer.number != self._number or not self._sends:
            return None
        # Of one sent twice nobody knows which was answered (Karn).
        if self._sends == 1:
            self._trip.measured(now_us - self._sent_us)
        self._number += 1
        self._sends = 0
        return self._queue.popleft()

    def outgoing(self, now_us: int) -> bytes:
        """Return the line to be written now, empty for none."""
        if not self._queue or now_us < self.due_us(now_us):
            return b""
        if self._sends:
            self._trip.ran_out()
        self._sends += 1
        self._sent_us = now_us
        order = self._queue[0]
        return seal(compose(order.word, [("h", self._session), ("c", self._number), *order.pairs]))

    def due_us(self, now_us: int) -> int:
        """Return when there is something to write, -1 for never."""
        if not self._queue:
            return -1
        return self._sent_us + self._trip.wait_us if self._sends else now_us

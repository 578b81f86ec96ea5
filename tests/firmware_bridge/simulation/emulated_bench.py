"""A host for an emulated board, in one conversation without a thread: time passes only in its calls."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from firmware_bridge.protocol.connection import Connection, OrderAnswered
from firmware_bridge.protocol.messages import Event
from firmware_bridge.protocol.queues import QueuedCommand
from firmware_bridge.transport.in_process import Device

WIRE_S = 0.0005


class Desk:
    """A board with a host that records and acknowledges all events."""

    def __init__(self, board: Device) -> None:
        self.board = board
        self.now = 0.0
        self.events: list[Event] = []
        self.answers: list[str] = []
        self.bytes = b""
        self.heard_at = 0.0  # the time of the last data: `until` notices it a moment later
        names = map(str, count(1))
        self.host = Connection(lambda: f"s{next(names)}")
        self.host.connected(0.0)

    def listen(self, seconds: float) -> Desk:
        """Run for *seconds*."""
        return self.until(lambda: False, seconds, expected=False)

    def until(self, done: Callable[[], bool], most_s: float = 30.0, expected: bool = True) -> Desk:
        """Run until *done*."""
        end = self.now + most_s
        while not done() and self.now < end:
            self._hear(self.board.outgoing(self.now))
            self.board.receive(self.host.outgoing(self.now), self.now)
            wake = min(self.board.due(self.now), self.host.due(self.now), end)
            self.now = max(wake, self.now) + WIRE_S
        assert done() or not expected, f"not within {most_s} s; heard {[each.raw for each in self.events[-4:]]}"
        return self

    def order(self, word: str, **fields: object) -> str:
        """Give an order and return its error ("" if it was carried out)."""
        answered = len(self.answers)
        self.host.order(QueuedCommand(word, tuple(fields.items())))
        self.until(lambda: len(self.answers) > answered)
        return self.answers[-1]

    def told(self, word: str, **fields: str) -> list[Event]:
        """Return the events with *word* and *fields* so far."""
        return [each for each in self.events if each.word == word and fields.items() <= each.fields.items()]

    def _hear(self, data: bytes) -> None:
        self.bytes += data
        self.heard_at = self.now if data else self.heard_at
        for heard in self.host.receive(data, self.now):
            if isinstance(heard, Event):
                self.events.append(heard)
                self.host.recorded(heard)
            if isinstance(heard, OrderAnswered):
                self.answers.append(heard.why)

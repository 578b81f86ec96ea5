"""Stores events until the host acknowledges them, and decides when to send each one again.

The channel delivers lines in order. So when a line is acknowledged, all unacknowledged lines sent before it are lost,
and they are sent again at once, without waiting for a timeout.
"""

from .resend_timeout import ResendTimeout

ROOM = 256
REACH = 192  # how far ahead of the oldest stored event to send, so that play goes on while the host cannot commit
WINDOW = 64  # how many events may be in flight
UNLUCKY = 1  # an event sent more often than this is sent twice at a time, because all later ones wait for it
PROBES = 8  # how many of the oldest events one timeout may send again


class OutboxEvent:
    """One event that waits for its acknowledgement."""

    def __init__(self, number: int, line: bytes) -> None:
        self.number = number
        self.line = line
        self.sends = 0
        self.first_turn = 0
        self.last_turn = 0
        self.sent_us = 0
        self.got = False
        self.lost = False


class Outbox:
    """Stores at most *room* events in order, numbered from 1."""

    def __init__(self, room: int = ROOM) -> None:
        self.last = 0
        self.events: list[OutboxEvent] = []
        self.trip = ResendTimeout()
        self.again = 0
        self.sent = 0  # the highest number that was ever sent
        self.room = room
        self._turn = 0
        self._proven = 0
        self._timed_turn = 0

    @property
    def first(self) -> int:
        """The number of the oldest stored event, or of the next one if there are no stored events."""
        return self.events[0].number if self.events else self.last + 1

    def has_room(self, lines: int) -> bool:
        """Return whether *lines* more events can be stored."""
        return len(self.events) + lines <= self.room

    def keep(self, line: bytes) -> None:
        """Store the line of the event with the number `last + 1`."""
        self.last += 1
        self.events.append(OutboxEvent(self.last, line))

    def acknowledged(self, upto: int, got: int, now_us: int) -> None:
        """Delete all events up to number *upto*.

        Bit k of *got* means that the event with number upto + 1 + k has arrived.
        """
        newest = None
        for event in self.events:
            here = event.number <= upto or bool((got >> (event.number - upto - 1)) & 1)
            if here and not event.got and event.sends:
                self._proven = max(self._proven, event.first_turn)
                newest = event
            event.got = here
        self._measure(newest, now_us)
        self.events = [event for event in self.events if event.number > upto]
        for event in self.events:
            if event.sends and not event.got and event.last_turn < self._proven:
                event.lost = True

    def _measure(self, event: OutboxEvent | None, now_us: int) -> None:
        """Measure a round trip, but only if the event was sent exactly once, and after the last timeout."""
        if event is not None and event.sends == 1 and event.last_turn > self._timed_turn:
            self.trip.measured(now_us - event.sent_us)

    def _run_out(self, event: OutboxEvent) -> None:
        """Double the timeout, but only once for all lines that were in flight together."""
        if event.last_turn > self._timed_turn:
            self.trip.ran_out()
            self._timed_turn = self._turn

    def begin(self) -> None:
        """Begin a session: mark all events as never sent, and forget the measured round trips."""
        self.trip = ResendTimeout()
        self.replay(0)

    def replay(self, first: int) -> None:
        """Mark the events from number *first* on as never sent."""
        for event in self.events:
            if event.number >= first:
                event.got = event.lost = False
                event.sends = 0

    def outgoing(self, now_us: int, most: int = WINDOW) -> list[bytes]:
        """Return the lines to write now: new, lost and timed-out events, oldest first, at most *most*."""
        lines: list[bytes] = []
        late = 0
        late_since = now_us - self.trip.wait_us  # computed once, because a timeout in this loop doubles wait_us
        for event in self._window():
            if not most:
                break
            if event.sends and not event.lost:
                late += 1
                if late > PROBES or event.sent_us > late_since:
                    continue
                self._run_out(event)
            most -= 1
            line = self._send(event, now_us)
            lines += [line, line] if event.sends > UNLUCKY else [line]
        return lines

    def due_us(self, now_us: int) -> int:
        """Return the time at which there will be a line to write, or -1 if no event is waiting."""
        waiting = self._window()
        if any(event.lost or not event.sends for event in waiting):
            return now_us
        return min([event.sent_us for event in waiting[:PROBES]]) + self.trip.wait_us if waiting else -1

    def _window(self) -> list[OutboxEvent]:
        end = self.first + REACH
        return [event for event in self.events if event.number < end and not event.got][:WINDOW]

    def _send(self, event: OutboxEvent, now_us: int) -> bytes:
        self._turn += 1
        self.sent = max(self.sent, event.number)
        self.again += 1 if event.last_turn else 0
        event.first_turn = event.first_turn if event.sends else self._turn
        event.last_turn = self._turn
        event.sends += 1
        event.sent_us = now_us
        event.lost = False
        return event.line

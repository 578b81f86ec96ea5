"""The events a device keeps until the host has them on record, and when each is sent again.

The channel keeps the order of lines, so an answer to a line proves that every
line sent before it and still unanswered is lost: those go out again at once,
without waiting for a timer.
"""

from .rto import RtoEstimate

ROOM = 256
REACH = 192  # how far beyond the oldest unacknowledged event it may send: with a dead disk at the host play goes on
WINDOW = 64  # how many events may be on their way
UNLUCKY = 1  # a line that was lost so often goes out twice at a time: all after it wait for it
PROBES = 8  # how many of the oldest the timer may send again at a time


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
    """Keeps events in order, numbered from 1, at most *room* of them."""

    def __init__(self, room: int = ROOM) -> None:
        self.last = 0
        self.kept: list[OutboxEvent] = []
        self.trip = RtoEstimate()
        self.again = 0
        self.sent = 0  # the highest number that was ever written
        self.room = room
        self._turn = 0
        self._proven = 0
        self._timed_turn = 0

    @property
    def first(self) -> int:
        """The number of the oldest event that is not acknowledged (of the next one, when all are)."""
        return self.kept[0].number if self.kept else self.last + 1

    def has_room(self, lines: int) -> bool:
        """Tell whether *lines* more events can be kept."""
        return len(self.kept) + lines <= self.room

    def keep(self, line: bytes) -> None:
        """Keep the event that carries the number `last + 1`."""
        self.last += 1
        self.kept.append(OutboxEvent(self.last, line))

    def acknowledged(self, upto: int, got: int, now_us: int) -> None:
        """Forget all events up to *upto*; bit k of *got* says that number upto + 1 + k has arrived."""
        newest = None
        for event in self.kept:
            here = event.number <= upto or bool((got >> (event.number - upto - 1)) & 1)
            if here and not event.got and event.sends:
                self._proven = max(self._proven, event.first_turn)
                newest = event
            event.got = here
        self._measure(newest, now_us)
        self.kept = [event for event in self.kept if event.number > upto]
        for event in self.kept:
            if event.sends and not event.got and event.last_turn < self._proven:
                event.lost = True

    def _measure(self, event: OutboxEvent | None, now_us: int) -> None:
        """Take a round trip only from a line sent once, and not from before a timer: that wait was not the wire's."""
        if event is not None and event.sends == 1 and event.last_turn > self._timed_turn:
            self.trip.measured(now_us - event.sent_us)

    def _run_out(self, event: OutboxEvent) -> None:
        """Back off, once for all lines that were on their way together."""
        if event.last_turn > self._timed_turn:
            self.trip.ran_out()
        self._timed_turn = self._turn

    def begin(self) -> None:
        """Begin a session: nothing has been sent to this host, and nothing measured."""
        self.trip = RtoEstimate()
        self.replay(0)

    def replay(self, first: int) -> None:
        """Send everything from number *first* on again, as if it had never been sent."""
        for event in self.kept:
            if event.number >= first:
                event.got = event.lost = False
                event.sends = 0

    def outgoing(self, now_us: int, most: int = WINDOW) -> list[bytes]:
        """Return the lines of *most* events that are to be written now, oldest first: new, lost, and late ones."""
        lines: list[bytes] = []
        late = 0
        late_since = now_us - self.trip.wait_us  # one wait for all of them: what runs out here doubles it
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
        """Return when there is something to write next, or -1 while nothing is waiting."""
        waiting = self._window()
        if any(event.lost or not event.sends for event in waiting):
            return now_us
        return min([event.sent_us for event in waiting[:PROBES]]) + self.trip.wait_us if waiting else -1

    def _window(self) -> list[OutboxEvent]:
        end = self.first + REACH
        return [event for event in self.kept if event.number < end and not event.got][:WINDOW]

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

"""A conversation with a ring, line by line, for testing the ring. Unlike `Connection`, it hides and repairs nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.kernel.shown import shows
from firmware_bridge.device.codec import VERSION, compose
from firmware_bridge.device.framing import opened, seal
from firmware_bridge.protocol.messages import (
    DeviceCounters,
    DeviceStatus,
    Event,
    Hello,
    Message,
    OrderAnswer,
    OtherVersion,
    Pong,
    read,
)
from rungs.wire import Wire

ANSWER_S = 1.0
GREET_EVERY_S = 0.1
TRIES, TRY_S = 5, 0.4  # attempts, and seconds for each, because a line or its answer may be damaged
SHORTLY_S = 0.3  # how long to wait for an answer that should not come
MOST_TIMES = 3  # a wait is extended by this factor at most, so that it ends even if the machine is always busy
EVERY = 10**9
MOST_BITS = 191
LOOK_UP_S = 0.2  # how often a person's answer is polled
MOST_REST = 4096

Ask = Callable[[str], Callable[[], bool | None]]
"""Asks a person to do something, and returns a function. That function returns whether it was done, or None while that
is unknown.
"""


@dataclass(frozen=True)
class RingLine:
    """One line from the ring: its time, its length with the newline, its body, and its parsed message (None if
    unknown).
    """

    at: float
    length: int
    body: str
    message: Message | None


@shows("damaged", "longest", "session")
class Conversation:
    """The host's end of a conversation over *wire*.

    *now* returns the time, and *names* returns a new name for each session.

    *owed_s* returns the total time by which waits must be extended because this machine was busy
    (see `rungs/load.py`).
    """

    def __init__(
        self,
        wire: Wire,
        now: Callable[[], float],
        names: Callable[[], str],
        owed_s: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.now = now
        self.owed_s = owed_s
        self.lines: list[RingLine] = []
        self.damaged = 0
        self.longest = 0
        self.session = ""
        self.tries = 0  # how often the newest order was sent
        self.hello: Hello | None = None
        self.events: dict[int, list[RingLine]] = {}
        self.first = 1  # the oldest event in the ring's store
        self.before = EVERY  # the newest event of earlier hosts; until it is known, no event counts as ours
        self._wire = wire
        self._names = names
        self._rest = b""
        self._order = 0
        self._pings = 0

    @property
    def keeps_older(self) -> bool:
        """True if the ring stores events that this conversation must not acknowledge."""
        return self.first <= self.before

    @property
    def boot(self) -> str:
        """The boot of the session."""
        return self.hello.boot if self.hello else ""

    def greet(self, within_s: float, every_s: float = GREET_EVERY_S) -> Hello | OtherVersion | None:
        """Open a new session by repeated greetings. Return the ring's hello, or None."""
        self.session, self._order = self._names(), 0
        until = self.now() + within_s
        while self.now() < until:
            found = self.greeted_again(min(every_s, until - self.now()))
            if found is not None:
                self.hello = found if isinstance(found, Hello) else None
                return found
        return None

    def greeted_again(self, within_s: float) -> Hello | OtherVersion | None:
        """Greet the ring again within the session. Return the answer, or None."""
        since = len(self.lines)
        self.put(seal(compose("hi", [("v", VERSION), ("h", self.session)])))
        line = self.wait(self._answers_us, within_s, since)
        return line.message if line and isinstance(line.message, Hello | OtherVersion) else None

    def _answers_us(self, line: RingLine) -> bool:
        match line.message:
            case Hello(to=to):
                return to == self.session
            case OtherVersion():
                return True
            case _:
                return False

    def say(self, word: str, *pairs: tuple[str, object]) -> None:
        """Send one line that belongs to the session."""
        self.put(self.line(word, *pairs))

    def line(self, word: str, *pairs: tuple[str, object]) -> bytes:
        """Return one line that belongs to the session."""
        return seal(compose(word, [("h", self.session), *pairs]))

    def put(self, data: bytes) -> None:
        """Send *data* unchanged."""
        self._wire.write(data)

    def ping_line(self) -> tuple[int, bytes]:
        """Return the next ping: its number and its line."""
        self._pings += 1
        return self._pings, self.line("ping", ("id", self._pings))

    def pong(self, number: int, within_s: float = ANSWER_S, since: int | None = None) -> RingLine | None:
        """Wait for the answer to the ping with this *number*. Return the answer, or None."""
        return self.wait(lambda line: isinstance(line.message, Pong) and line.message.id == number, within_s, since)

    def ping(self, within_s: float = ANSWER_S) -> RingLine | None:
        """Send one ping. Return the answer, or None."""
        number, line = self.ping_line()
        self.put(line)
        return self.pong(number, within_s)

    def lives(self) -> bool:
        """Return whether the session is alive. Several pings are sent, because a line may be lost."""
        return any(self.ping(TRY_S) for _ in range(TRIES))

    def order(self, word: str, *pairs: tuple[str, object]) -> RingLine | None:
        """Send a new order until it is answered. Return the answer, or None."""
        self._order += 1
        for self.tries in range(1, TRIES + 1):
            if line := self.order_again(self._order, word, *pairs, within_s=TRY_S):
                return line
        return None

    @property
    def ordered(self) -> int:
        """The number of the newest order."""
        return self._order

    def order_again(
        self, number: int, word: str, *pairs: tuple[str, object], within_s: float = ANSWER_S
    ) -> RingLine | None:
        """Send an order with a given *number*, such as one that was used before. Return the answer, or None."""
        since = len(self.lines)
        self.say(word, ("c", number), *pairs)
        return self.wait(
            lambda line: isinstance(line.message, OrderAnswer) and line.message.number == number, within_s, since
        )

    def dump(self) -> tuple[DeviceStatus | None, DeviceCounters | None]:
        """Request a status dump until both of its lines have arrived. Return those that have arrived."""
        state = tally = None
        for _ in range(TRIES):
            since = len(self.lines)
            self.say("dump")
            self.wait(lambda line: isinstance(line.message, DeviceCounters), TRY_S, since)
            messages = [line.message for line in self.lines[since:]]
            # Lines that answer earlier requests count too: on a noisy line, one of the two lines is usually damaged.
            state = next((each for each in messages if isinstance(each, DeviceStatus) and each.dump), state)
            tally = next((each for each in messages if isinstance(each, DeviceCounters)), tally)
            if state and tally:
                break
        return state, tally

    def wait(self, wanted: Callable[[RingLine], bool], within_s: float, since: int | None = None) -> RingLine | None:
        """Wait for a line that is *wanted*, and return it. Return None after *within_s* seconds.

        Lines before index *since* do not count (default: all lines so far).

        If this machine is busy, the wait is extended.
        """
        return self._awaited(wanted, within_s, since, self.owed_s)

    def _awaited(
        self, wanted: Callable[[RingLine], bool], within_s: float, since: int | None, owed_s: Callable[[], float]
    ) -> RingLine | None:
        seen = len(self.lines) if since is None else since
        began, owed = self.now(), owed_s()
        while True:
            for line in self.lines[seen:]:
                if wanted(line):
                    return line
            seen = len(self.lines)
            longer = min(owed_s() - owed, MOST_TIMES * within_s)
            left = began + within_s + longer - self.now()
            if left <= 0:
                return None
            self._hear(left)

    def listen(self, seconds: float) -> None:
        """Receive lines for a number of seconds.

        The time is never extended, because a ring ends the session of a silent host.
        """
        self._awaited(lambda line: False, seconds, None, lambda: 0.0)

    def asked(self, ask: Ask, deed: str) -> bool:
        """Ask a person to do *deed*, and return whether it was done. The session is kept alive until they answer."""
        answer = ask(deed)
        while (done := answer()) is None:
            self.ping(TRY_S)
            self.listen(LOOK_UP_S)
        return done

    def ack(self) -> None:
        """Acknowledge our own events. Older events are only reported as arrived, so they stay on the ring."""
        floor = self.first - 1 if self.keeps_older else self.before
        while not self.keeps_older and floor + 1 in self.events:
            floor += 1
        bits = sum(1 << (number - floor - 1) for number in self.events if 0 < number - floor <= MOST_BITS)
        self.say("ack", ("b", self.boot), ("n", floor), ("got", f"{bits:x}"))

    def disown(self) -> None:
        """Acknowledge all events so far, and from now on treat them as events of another host."""
        self.before = max([self.before, *self.events])
        self.first = self.before + 1
        self.events = {}
        self.lines = [line for line in self.lines if not isinstance(line.message, Event)]

    def _hear(self, timeout_s: float) -> None:
        data = self._wire.read(timeout_s)
        *pieces, self._rest = (self._rest + data).split(b"\n")
        self._rest = self._rest[-MOST_REST:]
        for piece in pieces:
            self._take(piece)

    def _take(self, piece: bytes) -> None:
        piece = piece[max(piece.rfind(b"$"), 0) :]  # if a newline was lost, this piece contains two lines
        body = opened(piece.removeprefix(b"$"))
        if body is None:
            self.damaged += 1
            return
        self.longest = max(self.longest, len(piece) + 1)
        line = RingLine(self.now(), len(piece) + 1, body, read(body, VERSION))
        self.lines.append(line)
        if isinstance(line.message, Hello) and line.message.to == self.session:
            self.hello = line.message  # set at once, because events may follow in the same portion of bytes
        if isinstance(line.message, Event) and line.message.boot == self.boot:
            self.events.setdefault(line.message.number, []).append(line)

"""A conversation held on purpose, line by line, to see how a ring behaves; unlike the link it hides nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.kernel.shown import shows
from firmware_bridge.device.codec import VERSION, compose
from firmware_bridge.device.framing import opened, seal
from firmware_bridge.protocol.messages import (
    DeviceCounters,
    DeviceStanding,
    Event,
    Hello,
    Message,
    OrderAnswer,
    OtherVersion,
    Pong,
    read,
)
from firmware_bridge.transport.streams import Wire

ANSWER_S = 1.0
GREET_EVERY_S = 0.1
TRIES, TRY_S = 5, 0.4  # a line may be damaged on its way, an answer too
SHORTLY_S = 0.3  # what has not come by then is not coming
MOST_TIMES = 3  # as long again: a machine that is always busy must not make a wait endless
EVERY = 10**9
MOST_BITS = 191
LOOK_UP_S = 0.2  # how often a person's answer is looked for
MOST_REST = 4096

Ask = Callable[[str], Callable[[], bool | None]]
"""Asks a person for a deed; what it returns says whether it is done, None while nobody knows yet."""


@dataclass(frozen=True)
class RingLine:
    """One line that the ring said: when, how long with its newline, and what it means (None: nothing we know)."""

    at: float
    length: int
    body: str
    message: Message | None


@shows("damaged", "longest", "session")
class Conversation:
    """One host's end, over *wire*, with time from *now* and a name for each session from *names*.

    *owed_s* says how much longer waits have to be, in all so far, as the machine was busy (see `stall`).
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
        self.tries = 0  # of the newest order
        self.hello: Hello | None = None
        self.events: dict[int, list[RingLine]] = {}
        self.first = 1  # the oldest event that was kept before we came
        self.before = EVERY  # the newest one: until we know better nothing is ours
        self._wire = wire
        self._names = names
        self._rest = b""
        self._order = 0
        self._pings = 0

    @property
    def keeps_older(self) -> bool:
        """True when the ring keeps events that are not ours to acknowledge."""
        return self.first <= self.before

    @property
    def boot(self) -> str:
        """The boot of the session."""
        return self.hello.boot if self.hello else ""

    def greet(self, within_s: float, every_s: float = GREET_EVERY_S) -> Hello | OtherVersion | None:
        """Open a new session, greeting again and again; return what the ring says of itself."""
        self.session, self._order = self._names(), 0
        until = self.now() + within_s
        while self.now() < until:
            found = self.greeted_again(min(every_s, until - self.now()))
            if found is not None:
                self.hello = found if isinstance(found, Hello) else None
                return found
        return None

    def greeted_again(self, within_s: float) -> Hello | OtherVersion | None:
        """Greet within the session; return the answer."""
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
        """Say one line of the session."""
        self.put(self.line(word, *pairs))

    def line(self, word: str, *pairs: tuple[str, object]) -> bytes:
        """Return one line of the session."""
        return seal(compose(word, [("h", self.session), *pairs]))

    def put(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._wire.write(data)

    def ping_line(self) -> tuple[int, bytes]:
        """Return the next ping's number and its line."""
        self._pings += 1
        return self._pings, self.line("ping", ("id", self._pings))

    def pong(self, number: int, within_s: float = ANSWER_S, since: int | None = None) -> RingLine | None:
        """Wait for the answer to ping *number*."""
        return self.wait(lambda line: isinstance(line.message, Pong) and line.message.id == number, within_s, since)

    def ping(self, within_s: float = ANSWER_S) -> RingLine | None:
        """Ping once; return the answer."""
        number, line = self.ping_line()
        self.put(line)
        return self.pong(number, within_s)

    def lives(self) -> bool:
        """Tell whether the session does: a line may get lost, so it is tried more than once."""
        return any(self.ping(TRY_S) for _ in range(TRIES))

    def order(self, word: str, *pairs: tuple[str, object]) -> RingLine | None:
        """Give the next order, until it is answered; return its answer."""
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
        """Give an order with a number of our choice; return its answer."""
        since = len(self.lines)
        self.say(word, ("c", number), *pairs)
        return self.wait(
            lambda line: isinstance(line.message, OrderAnswer) and line.message.number == number, within_s, since
        )

    def dump(self) -> tuple[DeviceStanding | None, DeviceCounters | None]:
        """Ask for the status, until both of its lines have come; return them as far as they did."""
        standing = tally = None
        for _ in range(TRIES):
            since = len(self.lines)
            self.say("dump")
            self.wait(lambda line: isinstance(line.message, DeviceCounters), TRY_S, since)
            messages = [line.message for line in self.lines[since:]]
            # What came with an earlier try counts: a bad line damages one of the two as a rule.
            standing = next((each for each in messages if isinstance(each, DeviceStanding) and each.dump), standing)
            tally = next((each for each in messages if isinstance(each, DeviceCounters)), tally)
            if standing and tally:
                break
        return standing, tally

    def wait(self, wanted: Callable[[RingLine], bool], within_s: float, since: int | None = None) -> RingLine | None:
        """Return the first line from number *since* (now) on that is *wanted*; None when it does not come in time.

        On a busy machine the time is longer.
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
        """Hear whatever comes for so long, and no longer on any machine: a host that falls silent is given up."""
        self._awaited(lambda line: False, seconds, None, lambda: 0.0)

    def asked(self, ask: Ask, deed: str) -> bool:
        """Ask a person for a *deed*, and keep the session alive until they say whether it is done."""
        answer = ask(deed)
        while (done := answer()) is None:
            self.ping(TRY_S)
            self.listen(LOOK_UP_S)
        return done

    def ack(self) -> None:
        """Acknowledge our own events; those of before are only said to have arrived, and stay where they are."""
        floor = self.first - 1 if self.keeps_older else self.before
        while not self.keeps_older and floor + 1 in self.events:
            floor += 1
        bits = sum(1 << (number - floor - 1) for number in self.events if 0 < number - floor <= MOST_BITS)
        self.say("ack", ("b", self.boot), ("n", floor), ("got", f"{bits:x}"))

    def disown(self) -> None:
        """Take all that was told so far for somebody else's: it is acknowledged, and no longer among ours."""
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
        piece = piece[max(piece.rfind(b"$"), 0) :]  # a lost newline has put two lines into one piece
        body = opened(piece.removeprefix(b"$"))
        if body is None:
            self.damaged += 1
            return
        self.longest = max(self.longest, len(piece) + 1)
        line = RingLine(self.now(), len(piece) + 1, body, read(body, VERSION))
        self.lines.append(line)
        if isinstance(line.message, Hello) and line.message.to == self.session:
            self.hello = line.message  # its events may stand in the same portion
        if isinstance(line.message, Event) and line.message.boot == self.boot:
            self.events.setdefault(line.message.number, []).append(line)

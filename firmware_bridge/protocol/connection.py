"""The host's end of the link: one conversation with a ring, without wire, clock or thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import assert_never

from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from firmware_bridge.device.codec import VERSION, compose
from firmware_bridge.device.framing import LineFraming, seal
from firmware_bridge.device.rto import RtoEstimate
from firmware_bridge.protocol.command_queue import CommandQueue, QueuedCommand
from firmware_bridge.protocol.messages import (
    DeviceCounters,
    DeviceStanding,
    Event,
    Hello,
    OrderAnswer,
    Other,
    OtherVersion,
    Pong,
    Sift,
    Untimed,
    read,
)
from firmware_bridge.protocol.polling import Polling
from firmware_bridge.protocol.reorder_buffer import ReorderBuffer
from firmware_bridge.protocol.unreadable import UnreadableLines

SILENCE_S = 2.5
ASK_S = 0.1
ASK_SLOWLY_S = 1.0
EAGER_S = 2.0
REFUSED_S = 5.0
HOLE_S = 10.0  # a device tells what is not acknowledged at least every 2 s


class Standpoint(StrEnum):
    """How far the conversation has come."""

    ASKING = "asking"
    LIVE = "live"
    REFUSED = "refused"


@dataclass(frozen=True)
class Greeted:
    """A session has begun; *fresh*: with a boot not met before; *gone*: how many events went to somebody else."""

    hello: Hello
    fresh: bool
    gone: int


@dataclass(frozen=True)
class VersionRefused:
    """The device speaks another version of the protocol."""

    version: int


@dataclass(frozen=True)
class OrderAnswered:
    """The device has carried out an order, or (*why*) could not."""

    order: QueuedCommand
    why: str


Heard = Greeted | VersionRefused | Event | OrderAnswered | DeviceStanding | DeviceCounters
"""What a device tells; an `Event` is the next one in order, to be answered with `recorded` once it is on disk."""


@shows("lines_in", "hello", "_device_us")
class Connection:
    """One conversation with a ring, over any number of connections.

    *name* gives each session a name of its own (up to eight letters or
    digits): what a device says to an earlier session is not heard.
    """

    def __init__(self, name: Callable[[], str]) -> None:
        self.standpoint = Standpoint.ASKING
        self.clock_offset_us: int | None = None
        self.lines_in = 0
        self.hello: Hello | None = None
        self.heard_at = float("-inf")
        self._name = name
        self._lines = LineFraming()
        self._arrivals = ReorderBuffer(1)
        self._unreadable = UnreadableLines()
        self._hole: tuple[int | None, float] = (None, 0.0)
        self._device_us = 0
        self._damaged_before = 0
        self._repeated_before = 0
        self._ask(0.0)

    @property
    def damaged(self) -> int:
        """How many damaged lines were heard, on all connections."""
        return self._damaged_before + self._lines.damaged

    @property
    def repeated(self) -> int:
        """How many events came more than once."""
        return self._repeated_before + self._arrivals.repeated

    def silent(self, now: float) -> bool:
        """Tell whether the device has said nothing for longer than two heartbeats."""
        return now - self.heard_at > SILENCE_S

    def missing(self, now: float) -> int | None:
        """Return the event that has not come for `HOLE_S` though later ones have, None while there is no such hole.

        Those wait for it: it is asked for again and again, and never passed over, since it may be a draw.
        """
        number, since = self._hole
        if number != self._arrivals.missing:
            number, since = self._hole = (self._arrivals.missing, now)
        return number if now - since > HOLE_S else None

    def connected(self, now: float) -> None:
        """Begin anew on a new connection; what is known of the device's events stays."""
        self._damaged_before += self._lines.damaged
        self._lines = LineFraming()
        # Counts as a word, or the new port would be given up for the old one's silence at once.
        self.heard_at = now
        self._ask(now)

    def receive(self, data: bytes, now: float) -> list[Heard]:
        """Take bytes from the device; return what they tell, in order."""
        heard: list[Heard] = []
        for body in self._lines.feed(data):
            message = read(body, VERSION)
            if message is None:
                continue
            self.lines_in += 1
            self.heard_at = now
            heard += self._take(message, now) if isinstance(message, Event) else self._dispatch(message, now)
        return heard

    def recorded(self, event: Event) -> None:
        """Let the device forget *event* and all before it: they are on record."""
        # A slow disk may be done with events of a boot that is over: numbers of this one mean others.
        if self.hello is not None and event.boot == self.hello.boot:
            self._arrivals.record(event.number)
            self._ack_due = True

    def rewind(self, after: Event | None) -> None:
        """Hear again, on the next connection, every event that is not on record and came later than *after*."""
        same = after is not None and self.hello is not None and after.boot == self.hello.boot
        self._arrivals.rewind(after.number if after is not None and same else 0)

    def order(self, *orders: QueuedCommand, instead_of: frozenset[str] = frozenset()) -> None:
        """Have *orders* carried out, and forget those of *instead_of* that have not been sent yet."""
        self.orders.withdraw(instead_of)
        self.orders.ask(*orders)

    def dump(self) -> None:
        """Ask for a status dump."""
        self._questions.dump_wanted = True

    def replay(self) -> None:
        """Ask for every event that is not on record once more."""
        self._questions.replay_due = True

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to be written now."""
        lines = b""
        if now >= self._ask_at and self.standpoint is not Standpoint.LIVE:
            lines += self._hi(now)
        if self.standpoint is not Standpoint.LIVE:
            return lines
        for word, pairs in self._questions.outgoing(now, self._arrivals.recorded):
            lines += self._say(word, *pairs)
        return lines + self._ack() + self.orders.outgoing(_us(now))

    def due(self, now: float) -> float:
        """Return when `outgoing` has something to say next, if nothing happens before."""
        if self.standpoint is not Standpoint.LIVE:
            return self._ask_at
        order_us = self.orders.due_us(_us(now))
        due = now if self._ack_due else self._questions.due(now)
        return due if order_us < 0 else min(due, order_us / 1e6)

    def _ack(self) -> bytes:
        if not self._ack_due or self.hello is None:
            return b""
        self._ack_due = False
        got = f"{self._arrivals.got():x}"
        return self._say("ack", ("b", self.hello.boot), ("n", self._arrivals.recorded), ("got", got))

    def _ask(self, now: float) -> None:
        """Open a new session: ask the device who it is until it answers."""
        self.session = self._name()
        self.standpoint = Standpoint.ASKING
        self.trip = RtoEstimate()
        self.orders = CommandQueue(self.session, self.trip)
        self._ask_at = now
        self._asking_since = now
        self._ack_due = False
        self._questions = Polling(now)
        self._tally: DeviceCounters | None = None

    def _hi(self, now: float) -> bytes:
        eager = now - self._asking_since < EAGER_S
        pause = ASK_S if eager else ASK_SLOWLY_S
        self._ask_at = now + (REFUSED_S if self.standpoint is Standpoint.REFUSED else pause)
        return seal(compose("hi", [("v", VERSION), ("h", self.session)]))

    def _say(self, word: str, *pairs: tuple[str, object]) -> bytes:
        return seal(compose(word, [("h", self.session), *pairs]))

    def _dispatch(self, message: Untimed | Other, now: float) -> list[Heard]:
        match message:
            case Untimed():
                return [*self._doubt(message, now)]
            case OtherVersion(version):
                return self._refuse(version)
            case Hello():
                return self._greet(message, now)
            case DeviceStanding():
                return self._stand(message, now)
            case DeviceCounters():
                return self._count(message)
            case Sift():
                return self._sift(message)
            case Pong():
                self._measure(message, now)
                return []
            case OrderAnswer():
                return self._settle(message, now)
            case _:
                assert_never(message)

    def _refuse(self, version: int) -> list[Heard]:
        known = self.standpoint is Standpoint.REFUSED
        self.standpoint = Standpoint.REFUSED
        self.hello = None
        return [] if known else [VersionRefused(version)]

    def _greet(self, hello: Hello, now: float) -> list[Heard]:
        if self.standpoint is Standpoint.LIVE:
            if hello.to != self.session or self._other_boot(hello.boot):
                self._ask(now)  # the device has forgotten our session: it restarted, or it thought us gone
            return []
        if hello.to != self.session:
            if self.standpoint is Standpoint.REFUSED:
                self._ask(now)
            return []
        return [self._begin(hello)]

    def _begin(self, hello: Hello) -> Greeted:
        fresh = self.hello is None or (self.hello.device, self.hello.boot) != (hello.device, hello.boot)
        gone = 0
        if fresh:
            self._repeated_before += self._arrivals.repeated
            self._arrivals = ReorderBuffer(hello.first)
            self._unreadable, self._device_us = UnreadableLines(), 0
        else:
            gone = self._arrivals.resume(hello.first)
        self.hello = hello
        self.standpoint = Standpoint.LIVE
        return Greeted(hello, fresh, gone)

    def _other_boot(self, boot: str) -> bool:
        return self.hello is not None and self.hello.boot != boot

    def _take(self, event: Event, now: float) -> list[Event]:
        if self.standpoint is not Standpoint.LIVE or self.hello is None:
            return []
        if event.boot != self.hello.boot:
            self._ask(now)
            return []
        self._ack_due = True
        self._device_us = event.at_us
        return self._arrivals.take(event)

    def _doubt(self, line: Untimed, now: float) -> list[Event]:
        """Drop a line without a readable time, as if it had not come; one that comes for ever is taken in the end."""
        known = self.hello is not None and line.boot == self.hello.boot and self._arrivals.awaits(line.number)
        if self.standpoint is not Standpoint.LIVE or not known:
            return []
        event = self._unreadable.take(line, self._arrivals.recorded, self._device_us)
        return [] if event is None else self._take(event, now)

    def _stand(self, standing: DeviceStanding, now: float) -> list[Heard]:
        if self.standpoint is not Standpoint.LIVE or (standing.dump and standing.dump != self.session):
            return []
        if self._other_boot(standing.boot):
            self._ask(now)
            return []
        self._questions.compare(standing, self._arrivals.highest)
        # The line that said what is on record may be lost, and a device that knows of the arrival asks no more.
        self._ack_due = True
        return [standing]

    def _count(self, tally: DeviceCounters) -> list[Heard]:
        """Pass the counters on; what a dump told of the filters before is still the latest that is known."""
        if tally.session != self.session:
            return []
        if self._tally is not None:
            tally = replace(tally, settings=self._tally.settings, swallowed=self._tally.swallowed)
        self._tally = tally
        return [tally]

    def _sift(self, sift: Sift) -> list[Heard]:
        """Pass the counters on once more, with those of the filters that follow them in a dump."""
        if sift.session != self.session or self._tally is None:
            return []
        self._tally = replace(self._tally, settings=sift.settings, swallowed=sift.swallowed)
        return [self._tally]

    def _measure(self, pong: Pong, now: float) -> None:
        measured = self._questions.round_trip(pong, now) if pong.session == self.session else None
        if measured:
            self.trip.measured(_us(measured[0]))
            self.clock_offset_us = pong.at_us - _us(measured[1])

    def _settle(self, answer: OrderAnswer, now: float) -> list[Heard]:
        order = self.orders.answered(answer, _us(now)) if answer.session == self.session else None
        return [OrderAnswered(order, answer.why)] if order else []


def _us(seconds: float) -> int:
    return int(seconds * 1e6)

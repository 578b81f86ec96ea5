"""The host's end of one conversation with a ring, without I/O, clock or threads.

Theory of operation
===================

A `Connection` belongs to one ring address. It continues when the port is closed and reopened. The caller passes in the
bytes that it has read (`receive`) and the time in seconds (`now`), and writes the bytes that `outgoing` returns. It
must call `outgoing` again when the time `due` has come, or earlier.

A *session* is one run of the conversation between host and device. The host names it, and both ends
put the name (`h`) into their lines, so lines of an earlier session are ignored. A *boot* is one run
of the device, from start to end. Events are numbered within a boot, not within a session, so
unacknowledged events survive a lost port.

States
------

`Standpoint` has three states. `STATES` is the table of transitions between them (`state_table` formats it).

ASKING: The port is open and the session has a name, but the device has not answered it yet.

- Host sends: `hi` every 0.1 s, and after 2 s every second. Nothing else. Orders queued now wait for LIVE;
  orders of the earlier session are dropped.
- Device sends: `hello to=0` every second, and `hello` with our session's name as the answer to `hi`. All other lines
  are parsed and dropped. They still count as a sign of life (`received_at`).
- Ends: with a `hello` for our session in our version (LIVE), or a `hello` in another version (REFUSED).

LIVE: The device has answered our `hi`. Entering this state returns `Greeted`.

- Host sends: `ack` after every event and every status report, `ping` every second, `dump` and `replay` when wanted,
  and orders, one at a time, each repeated until it is answered.
- Device sends: events, which `receive` returns in order, each exactly once; `beat` and `state` with its status; `tally`
  and `sift` with its counters; `pong`; `done` or `sorry` for an order.
- Ends: with a `hello` for another session, or with an event, heartbeat or `hello` of another boot. Either means that
  the device has restarted or has dropped our session, so a new session starts (ASKING). A `hello` in another version
  ends it too (REFUSED). Silence does not end it: `silent` reports silence, and the caller decides when to reopen the
  port.

REFUSED: The device speaks another version of the protocol. Entering this state returns
`VersionRefused`.

- Host sends: `hi` every 5 s, in case the firmware or the ring is replaced. It acknowledges nothing.
- Device sends: `hello`. Only its version is read; every other line is dropped.
- Ends: with a `hello` in our version: LIVE if it names our session, otherwise a new session (ASKING).

Events
------

The device stores an event until it is acknowledged. `receive` returns the next event in order, the
caller commits it and then calls `recorded`, and the next `outgoing` acknowledges it. A missing event blocks all later
ones (`missing` returns its number), because it may be a draw. An event whose time cannot be read is dropped, and the
device sends it again; the fifth copy is accepted as unreadable (`UnreadableLines`), because the device would send it
forever.

`ReorderBuffer` belongs to a boot, `CommandQueue` and `Polling` to a session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import assert_never

from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from firmware_bridge.device.codec import VERSION, compose
from firmware_bridge.device.framing import LineFraming, seal
from firmware_bridge.device.resend_timeout import ResendTimeout
from firmware_bridge.protocol.messages import (
    DeviceCounters,
    DeviceStatus,
    Event,
    FilterReport,
    Hello,
    OrderAnswer,
    Other,
    OtherVersion,
    Pong,
    Untimed,
    read,
)
from firmware_bridge.protocol.queues import CommandQueue, QueuedCommand, ReorderBuffer, UnreadableLines
from firmware_bridge.protocol.timeouts import ASK_S, ASK_SLOWLY_S, EAGER_S, HOLE_S, REFUSED_S, SILENCE_S

# Requests that the host repeats until they are answered: pings, status dumps and replays of events.
#
# They change nothing on the device, so unlike orders they need no number and no answer to each
# sending.

PING_S = 1.0
REMEMBERED = 8  # pings whose answers are still accepted: a pong may take seconds over a slow link
DUMP_S = 0.2

Question = tuple[str, tuple[tuple[str, object], ...]]


@shows("dump_wanted", "replay_due", "_behind_at")
class Polling:
    """The open requests of one session."""

    def __init__(self, now: float) -> None:
        self.dump_wanted = True
        self.replay_due = False
        self._dump_at = now
        self._ping_at = now
        self._pinged: dict[int, float] = {}
        self._ping = 0
        self._behind_at = -1

    def due(self, now: float) -> float:
        """Return the time of the next request, in seconds."""
        if self.replay_due:
            return now
        return min(self._ping_at, self._dump_at) if self.dump_wanted else self._ping_at

    def outgoing(self, now: float, recorded: int) -> Iterator[Question]:
        """Yield the requests that are due now. *recorded* is the number of the newest committed event."""
        if self.replay_due:
            self.replay_due = False
            yield "replay", (("n", recorded + 1),)
        if self.dump_wanted and now >= self._dump_at:
            self._dump_at = now + DUMP_S
            yield "dump", ()
        if now >= self._ping_at:
            self._ping += 1
            self._ping_at = now + PING_S
            self._pinged[self._ping] = now
            self._pinged.pop(self._ping - REMEMBERED, None)
            yield "ping", (("id", self._ping),)

    def round_trip(self, pong: Pong, now: float) -> tuple[float, float] | None:
        """Return the round trip and the time at its middle, both in seconds, or None if the ping is not open any more.

        Each ping has its own number, so a late answer is still a valid measurement.
        """
        asked = self._pinged.pop(pong.id, None)
        return None if asked is None else (now - asked, (now + asked) / 2)

    def compare(self, status: DeviceStatus, highest: int) -> None:
        """Request a replay if events seem lost: two reports in a row name an event newer than *highest*, and no event
        arrived between them.
        """
        if status.dump:
            self.dump_wanted = False
        behind = status.last > highest
        self.replay_due = behind and highest == self._behind_at
        self._behind_at = highest if behind and not self.replay_due else -1


class Standpoint(StrEnum):
    """The state of the conversation; see the theory of operation above."""

    ASKING = "asking"
    LIVE = "live"
    REFUSED = "refused"


class Signal(StrEnum):
    """What can change the state."""

    OPENED = "port opened"
    OURS = "hello, our session"
    OTHER_SESSION = "hello, other session"
    OTHER_BOOT = "other boot"
    OTHER_VERSION = "other version"


STATES: Mapping[Standpoint, Mapping[Signal, Standpoint | None]] = {
    Standpoint.ASKING: {
        Signal.OPENED: Standpoint.ASKING,
        Signal.OURS: Standpoint.LIVE,
        Signal.OTHER_SESSION: None,
        Signal.OTHER_BOOT: None,
        Signal.OTHER_VERSION: Standpoint.REFUSED,
    },
    Standpoint.LIVE: {
        Signal.OPENED: Standpoint.ASKING,
        Signal.OURS: None,
        Signal.OTHER_SESSION: Standpoint.ASKING,
        Signal.OTHER_BOOT: Standpoint.ASKING,
        Signal.OTHER_VERSION: Standpoint.REFUSED,
    },
    Standpoint.REFUSED: {
        Signal.OPENED: Standpoint.ASKING,
        Signal.OURS: Standpoint.LIVE,
        Signal.OTHER_SESSION: Standpoint.ASKING,
        Signal.OTHER_BOOT: None,
        Signal.OTHER_VERSION: None,
    },
}
"""The next state for each state and signal; None means no change. Entering ASKING always starts a new session."""


def state_table() -> str:
    """Return `STATES` as a table for people.

    >>> print(state_table())
    state    | port opened | hello, our session | hello, other session | other boot | other version
    asking   | asking      | live               |                      |            | refused
    live     | asking      |                    | asking               | asking     | refused
    refused  | asking      | live               | asking               |            |
    """
    rows = [("state", *Signal), *((state, *(row[signal] or "" for signal in Signal)) for state, row in STATES.items())]
    widths = (8, *map(len, Signal))
    lines = (" | ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


@dataclass(frozen=True)
class Greeted:
    """A session has begun.

    *fresh* is true if the device or its boot is not the same as in the last session. *gone* counts
    the events that another host acknowledged since our last session with the same boot.
    """

    hello: Hello
    fresh: bool
    gone: int


@dataclass(frozen=True)
class VersionRefused:
    """The device speaks another version of the protocol."""

    version: int


@dataclass(frozen=True)
class OrderAnswered:
    """The device has carried out *order*, or has refused it with the reason *why*."""

    order: QueuedCommand
    why: str


Received = Greeted | VersionRefused | Event | OrderAnswered | DeviceStatus | DeviceCounters
"""What `receive` returns. Commit each `Event`, then call `Connection.recorded` with it."""


@shows("lines_in", "hello", "_device_us")
class Connection:
    """One conversation with a ring, over any number of openings of its port.

    *name* returns a new name for each session: one to eight lower-case letters or digits, never a
    name it returned before. Lines that carry an earlier session's name are ignored.
    """

    def __init__(self, name: Callable[[], str]) -> None:
        self.standpoint = Standpoint.ASKING
        self.clock_offset_us: int | None = None
        self.lines_in = 0
        self.hello: Hello | None = None
        self.received_at = float("-inf")
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
        """The number of damaged lines received, over all openings of the port."""
        return self._damaged_before + self._lines.damaged

    @property
    def repeated(self) -> int:
        """The number of events that arrived more than once."""
        return self._repeated_before + self._arrivals.repeated

    def silent(self, now: float) -> bool:
        """Return whether nothing has been received for `SILENCE_S`, a time longer than two heartbeats."""
        return now - self.received_at > SILENCE_S

    def missing(self, now: float) -> int | None:
        """Return the number of an event that has been missing for `HOLE_S` while later ones have arrived, or None.

        The later events wait for the missing one. The device resends it until it arrives, and the host never skips it,
        because it may be a draw.
        """
        number, since = self._hole
        if number != self._arrivals.missing:
            number, since = self._hole = (self._arrivals.missing, now)
        return number if now - since > HOLE_S else None

    def connected(self, now: float) -> None:
        """Start a new session on a newly opened port. Events received before are remembered."""
        self._damaged_before += self._lines.damaged
        self._lines = LineFraming()
        # Opening the port counts as a received line. Otherwise the silence on the old port would close the new one at
        # once.
        self.received_at = now
        self._enter(Signal.OPENED, now)

    def receive(self, data: bytes, now: float) -> list[Received]:
        """Parse bytes from the device and return the messages and events in them, in order."""
        received: list[Received] = []
        for body in self._lines.feed(data):
            message = read(body, VERSION)
            if message is None:
                continue
            self.lines_in += 1
            self.received_at = now
            received += self._take(message, now) if isinstance(message, Event) else self._dispatch(message, now)
        return received

    def recorded(self, event: Event) -> None:
        """Acknowledge *event* and all events before it. The caller must have committed them."""
        # After a slow commit the event may belong to an earlier boot, where its number meant another event.
        if self.hello is not None and event.boot == self.hello.boot:
            self._arrivals.record(event.number)
            self._ack_due = True

    def rewind(self, after: Event | None) -> None:
        """Have the next session deliver every uncommitted event newer than *after* again (None means all uncommitted
        events).
        """
        same = after is not None and self.hello is not None and after.boot == self.hello.boot
        self._arrivals.rewind(after.number if after is not None and same else 0)

    def order(self, *orders: QueuedCommand, instead_of: frozenset[str] = frozenset()) -> None:
        """Queue *orders*.

        They replace the queued orders whose word is in *instead_of* and that have not been sent yet.
        """
        self.orders.withdraw(instead_of)
        self.orders.ask(*orders)

    def dump(self) -> None:
        """Request a status dump (`dump`) with the next `outgoing`."""
        self._questions.dump_wanted = True

    def replay(self) -> None:
        """Request all uncommitted events again (`replay`) with the next `outgoing`."""
        self._questions.replay_due = True

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to write now."""
        lines = b""
        if now >= self._ask_at and self.standpoint is not Standpoint.LIVE:
            lines += self._hi(now)
        if self.standpoint is not Standpoint.LIVE:
            return lines
        for word, pairs in self._questions.outgoing(now, self._arrivals.recorded):
            lines += self._say(word, *pairs)
        return lines + self._ack() + self.orders.outgoing(_us(now))

    def due(self, now: float) -> float:
        """Return the time in seconds at which `outgoing` will next have bytes to write, unless something arrives before
        then.
        """
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

    def _enter(self, signal: Signal, now: float) -> Standpoint | None:
        """Enter the state to which *signal* leads, and return that state. Return None if the state doesn't change."""
        state = STATES[self.standpoint][signal]
        if state is Standpoint.ASKING:
            self._ask(now)
        elif state is not None:
            self.standpoint = state
        return state

    def _ask(self, now: float) -> None:
        """Start a new session: send `hi` until the device answers."""
        self.session = self._name()
        self.standpoint = Standpoint.ASKING
        self.trip = ResendTimeout()
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

    def _dispatch(self, message: Untimed | Other, now: float) -> list[Received]:
        match message:
            case Untimed():
                return [*self._doubt(message, now)]
            case OtherVersion(version):
                return self._refuse(version, now)
            case Hello():
                return self._greet(message, now)
            case DeviceStatus():
                return self._check_status(message, now)
            case DeviceCounters():
                return self._count(message)
            case FilterReport():
                return self._add_filters(message)
            case Pong():
                self._measure(message, now)
                return []
            case OrderAnswer():
                return self._settle(message, now)
            case _:
                assert_never(message)

    def _refuse(self, version: int, now: float) -> list[Received]:
        self.hello = None
        return [VersionRefused(version)] if self._enter(Signal.OTHER_VERSION, now) else []

    def _greet(self, hello: Hello, now: float) -> list[Received]:
        if hello.to != self.session:
            signal = Signal.OTHER_SESSION
        elif self.standpoint is Standpoint.LIVE and self._other_boot(hello.boot):
            signal = Signal.OTHER_BOOT
        else:
            signal = Signal.OURS
        return [self._begin(hello)] if self._enter(signal, now) is Standpoint.LIVE else []

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
        return Greeted(hello, fresh, gone)

    def _other_boot(self, boot: str) -> bool:
        return self.hello is not None and self.hello.boot != boot

    def _take(self, event: Event, now: float) -> list[Event]:
        if self.standpoint is not Standpoint.LIVE or self.hello is None:
            return []
        if event.boot != self.hello.boot:
            self._enter(Signal.OTHER_BOOT, now)
            return []
        self._ack_due = True
        self._device_us = event.at_us
        return self._arrivals.take(event)

    def _doubt(self, line: Untimed, now: float) -> list[Event]:
        """Drop an event whose time cannot be read, as if it had not arrived; accept it after `COPIES` copies."""
        known = self.hello is not None and line.boot == self.hello.boot and self._arrivals.awaits(line.number)
        if self.standpoint is not Standpoint.LIVE or not known:
            return []
        event = self._unreadable.take(line, self._arrivals.recorded, self._device_us)
        return [] if event is None else self._take(event, now)

    def _check_status(self, status: DeviceStatus, now: float) -> list[Received]:
        if self.standpoint is not Standpoint.LIVE or (status.dump and status.dump != self.session):
            return []
        if self._other_boot(status.boot):
            self._enter(Signal.OTHER_BOOT, now)
            return []
        self._questions.compare(status, self._arrivals.highest)
        # The event may have arrived before, but our last acknowledgement may be lost. The device does not resend an
        # event if it knows that the event has arrived.
        self._ack_due = True
        return [status]

    def _count(self, tally: DeviceCounters) -> list[Received]:
        """Return the new counters with the filter figures of the last dump, because `tally` does not repeat these
        figures.
        """
        if tally.session != self.session:
            return []
        if self._tally is not None:
            tally = replace(tally, settings=self._tally.settings, filtered=self._tally.filtered)
        self._tally = tally
        return [tally]

    def _add_filters(self, report: FilterReport) -> list[Received]:
        """Return the last counters with the filter figures in *report*, which follow the counters in a dump."""
        if report.session != self.session or self._tally is None:
            return []
        self._tally = replace(self._tally, settings=report.settings, filtered=report.filtered)
        return [self._tally]

    def _measure(self, pong: Pong, now: float) -> None:
        measured = self._questions.round_trip(pong, now) if pong.session == self.session else None
        if measured:
            self.trip.measured(_us(measured[0]))
            self.clock_offset_us = pong.at_us - _us(measured[1])

    def _settle(self, answer: OrderAnswer, now: float) -> list[Received]:
        order = self.orders.answered(answer, _us(now)) if answer.session == self.session else None
        return [OrderAnswered(order, answer.why)] if order else []


def _us(seconds: float) -> int:
    return int(seconds * 1e6)

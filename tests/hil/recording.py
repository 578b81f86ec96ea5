"""A complete host without a game: the connection as the service uses it, on any wire, with every event acknowledged."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from companion.ports.ring import RingEvent, RingEventKind
from firmware_bridge.colour import Nominal
from firmware_bridge.conformance.conversation import MOST_TIMES
from firmware_bridge.passages.passage import Passages
from firmware_bridge.protocol.connection import Connection, Greeted, Received
from firmware_bridge.protocol.messages import Event
from rungs.wire import Wire, WireLost
from tests.hil.sitting import Sitting

MOST_S = 30.0
PLUG_EACH_S = 0.1
NAMES = (f"r{number}" for number in count(1))
PASSAGES = frozenset(map(RingEventKind, ("out", "pair", "back", "poke", "stuck", "glitch")))
Spoil = Callable[[Wire], Wire]


class Recording:
    """A host at the ring that *host* has left. *spoil* may replace the wire by a faulty one, at each plugging in."""

    def __init__(self, host: Sitting, spoil: Spoil = lambda wire: wire) -> None:
        self.link = Connection(NAMES.__next__)
        self.heard: list[Received] = []
        self.events: list[RingEvent] = []
        self.plugs = 0
        self.wire: Wire | None = None
        self._rung, self._plug, self._load = host.rung, host.plug, host.load
        self._spoil = spoil
        self._passages = Passages("")

    @property
    def boots(self) -> list[str]:
        """The names of the boots in the device's `hello` lines, without duplicates, in order."""
        return list(dict.fromkeys(each.hello.boot for each in self.heard if isinstance(each, Greeted)))

    @property
    def passages(self) -> list[RingEvent]:
        """The passages that were recorded."""
        return [event for event in self.events if event.kind in PASSAGES]

    @property
    def cubes(self) -> list[tuple[str, str | None]]:
        """The kind and the recognised colour of each recorded passage."""
        return [(str(each.kind), each.judgement.colour if each.judgement else None) for each in self.passages]

    @property
    def gates(self) -> list[bool]:
        """The changes of the gate: True for opened, False for closed."""
        return [bool(event.detail["open"]) for event in self.events if event.kind is RingEventKind.GATE]

    def go(self, seconds: float) -> Recording:
        """Run for *seconds*."""
        until = self._rung.now() + seconds
        while self._rung.now() < until:
            self._turn(until)
        return self

    def until(self, done: Callable[[Recording], bool], most_s: float = MOST_S) -> Recording:
        """Run until *done*, but not longer than *most_s* seconds."""
        began, owed = self._rung.now(), self._load.owed_s
        before = owed()
        until = began + most_s
        while not done(self) and self._rung.now() < until:
            self._turn(until)
            until = began + most_s + min(owed() - before, MOST_TIMES * most_s)
        assert done(self), f"not after {most_s:g} s; on record: {self.cubes}"
        return self

    def close(self) -> None:
        """Close the wire."""
        if self.wire is not None:
            self.wire.close()
        self.wire = None

    def _turn(self, until: float) -> None:
        try:
            wire = self.wire or self._plugged()
            wire.write(self.link.outgoing(self._rung.now()))
            soonest = min(self.link.due(self._rung.now()), until)
            data = wire.read(max(soonest - self._rung.now(), 0.0))
        except WireLost:
            self.close()
            self._rung.wait(PLUG_EACH_S)
            return
        for each in self.link.receive(data, self._rung.now()):
            self._hear(each)

    def _plugged(self) -> Wire:
        self.wire = self._spoil(self._plug())
        self.plugs += 1
        self.link.connected(self._rung.now())
        return self.wire

    def _hear(self, heard: Received) -> None:
        self.heard.append(heard)
        if isinstance(heard, Greeted) and heard.fresh:
            self._passages = Passages(heard.hello.device)
        if isinstance(heard, Event):
            event = self._passages.take(heard, self._rung.judge or Nominal(), {})
            self.events += [event] if event else []
            self.link.recorded(heard)

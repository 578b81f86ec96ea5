"""Shared by the bridge's tests: a conversation without wire and clock, and listeners that can be waited for."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count, cycle
from random import Random

import pytest

from companion.ports.ring import RingEvent, RingView, Unrecorded
from firmware_bridge import Nominal, Ring, open_ring
from firmware_bridge.colour.channels import Channels
from firmware_bridge.device.codec import VERSION, compose
from firmware_bridge.device.endpoint import Endpoint
from firmware_bridge.passages.passage import MeasuredPassage
from firmware_bridge.protocol.connection import Connection, Greeted, OrderAnswered
from firmware_bridge.protocol.messages import Event, read
from firmware_bridge.simulation.physics import Passing, PhysicsBench
from firmware_bridge.simulation.physics.bench import REFERENCE_FRAMES
from firmware_bridge.simulation.physics.world import IDEAL, World
from firmware_bridge.simulation.script.ground_truth import GroundTruth
from firmware_bridge.simulation.script.hand import Hand
from firmware_bridge.simulation.script.steps import Step, step
from firmware_bridge.simulation.serving.loop import ServingLoop, serve
from firmware_bridge.simulation.virtual import VirtualRing
from rungs.trouble import Damage
from rungs.wire import Bell, FileWire, Wire, WireLost

IDENTITY = [("fw", "0.1.0"), ("id", "bench"), ("sensor", "none"), ("sim", 0), ("can", "gl")]
PATIENCE_S = 60.0
Spoil = Callable[[bytes], bytes]


def unspoilt(data: bytes) -> bytes:
    """Return the data unchanged."""
    return data


class Clock:
    """A clock that only advances when the test sets it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock for a test."""
    return Clock()


class Conversation:
    """A host and a device on a line of their own. Time passes only when the test advances it."""

    def __init__(self, spoil: Spoil = unspoilt, room: int = 128, recording: bool = True) -> None:
        names = count(1)
        self.host = Connection(lambda: f"s{next(names)}")
        self.device = Endpoint(IDENTITY, "00000001", room)
        self.spoil = spoil
        self.recording = recording
        self.now = 0.0
        self.told: list[int] = []
        self.heard: list[object] = []
        self.orders: list[tuple[str, dict[str, str]]] = []
        self.refuse = ""
        self.host.connected(0.0)

    @property
    def now_us(self) -> int:
        """The time in microseconds."""
        return round(self.now * 1e6)

    def happen(self, times: int = 1) -> None:
        """Make the device report an event *times* times."""
        for _ in range(times):
            self.device.report([("gate", [("open", 1)])], self.now_us)

    def restart(self, boot: str) -> None:
        """Restart the device."""
        self.device = Endpoint(IDENTITY, boot)

    def step(self, seconds: float = 0.001) -> None:
        """Transfer bytes in both directions once, then advance the clock."""
        down = self.spoil(self.host.outgoing(self.now))
        for word, fields in self.device.receive(down, self.now_us):
            self.orders.append((word, fields))
            self.device.answer(int(fields["c"]), self.refuse)
        self.now += seconds / 2
        self._hear(self.spoil(self.device.outgoing(self.now_us)))
        self.now += seconds / 2

    def pass_time(self, seconds: float, each: float = 0.001) -> Conversation:
        """Run for *seconds*."""
        end = self.now + seconds
        while self.now < end:
            self.step(each)
        return self

    def until(self, done: Callable[[], bool], most_s: float = 60.0) -> Conversation:
        """Run until *done*, but at most *most_s*."""
        end = self.now + most_s
        while not done() and self.now < end:
            self.step()
        assert done(), f"not after {most_s} s"
        return self

    def _hear(self, data: bytes) -> None:
        for heard in self.host.receive(data, self.now):
            self.heard.append(heard)
            if isinstance(heard, Event):
                self.told.append(heard.number)
                if self.recording:
                    self.host.recorded(heard)

    def greetings(self) -> list[Greeted]:
        """Return all greetings so far."""
        return [heard for heard in self.heard if isinstance(heard, Greeted)]

    def answers(self) -> list[OrderAnswered]:
        """Return all answers to orders so far."""
        return [heard for heard in self.heard if isinstance(heard, OrderAnswered)]


class Listener:
    """Stores events and views, can be waited for, and can have a dead disk."""

    def __init__(self) -> None:
        self.events: list[RingEvent] = []
        self.views: list[RingView] = []
        self.dead_disk = False
        self._changed = threading.Condition()

    def heard(self, *events: RingEvent) -> None:
        """Store *events*, or fail."""
        with self._changed:
            known = {each.source for each in self.events}
            self.events += [event for event in events if event.source not in known]
            self._changed.notify_all()
            if self.dead_disk:
                raise Unrecorded

    def ring_changed(self, view: RingView) -> None:
        """Store *view*."""
        with self._changed:
            self.views.append(view)
            self._changed.notify_all()

    def until(self, done: Callable[[], bool]) -> None:
        """Wait until *done* is true after an event or a view."""
        with self._changed:
            assert self._changed.wait_for(done, PATIENCE_S), f"heard {self.events[-3:]}, saw {self.views[-1:]}"

    def passages(self) -> list[RingEvent]:
        """Return the passages so far."""
        return [event for event in self.events if event.kind in ("out", "pair", "back", "poke", "stuck", "glitch")]


@pytest.fixture
def talk() -> Conversation:
    """A conversation over a good line, after the greeting."""
    return Conversation().pass_time(0.1)


@pytest.fixture(scope="session")
def conversation() -> type[Conversation]:
    """Return the class, for tests with several conversations."""
    return Conversation


@pytest.fixture
def listener() -> Listener:
    """A listener."""
    return Listener()


class Rung:
    """A running virtual ring, on one of the rungs."""

    def __init__(self, open_it: Callable[..., Ring], truth: Callable[[], list[dict[str, object]]]) -> None:
        self.open = open_it
        self.truth = truth


class Port:
    """A virtual ring in this process, on a socket pair; the script unplugs and plugs it."""

    def __init__(self, steps: list[Step], world: World, damage: float) -> None:
        boots = (f"{number:08x}" for number in count(1))
        self.happened: list[dict[str, object]] = []
        self._ring = VirtualRing(world, Random(1), boots.__next__, time.monotonic())
        self._hand = Hand(steps)
        self._damage = Damage(damage, Random(1))
        self._living: list[threading.Thread] = []

    def __call__(self, bell: Bell) -> Wire:
        """Connect to the ring."""
        while self._living:
            self._living.pop().join()
        self._hand.unplugged_s = 0.0
        ours, theirs = socket.socketpair()
        self._living.append(threading.Thread(target=self._live, args=(theirs.detach(),), daemon=True))
        self._living[-1].start()
        return FileWire("port", ours.detach(), bell)

    def truth(self) -> list[dict[str, object]]:
        """Return what really happened, after the ring has been closed."""
        while self._living:
            self._living.pop().join()
        return self.happened

    def _live(self, fd: int) -> None:
        with suppress(WireLost):
            serve(self._ring, self._hand, ServingLoop(fd, self._damage), lambda: not self._hand.unplugged_s, self._tell)
        os.close(fd)

    def _tell(self, happened: Sequence[GroundTruth]) -> None:
        self.happened += [each.line() for each in happened]


@pytest.fixture
def port() -> Callable[[list[dict[str, object]]], Port]:
    """Return a function that makes a virtual ring in this process, with a script."""
    return lambda script: Port([step(each) for each in script], IDEAL, 0.0)


Start = Callable[..., Rung]


@pytest.fixture(params=["port", "pty"])
def start(request, ring_command, tmp_path) -> Iterator[Start]:
    """Start a virtual ring with a script, as a port of this process, or in its own process on a pseudo-terminal."""
    opened: list[Ring] = []

    def start_port(script: list[dict[str, object]], damage: float = 0.0) -> Rung:
        port = Port([step(each) for each in script], IDEAL, damage)

        def open_it(listener: Listener) -> Ring:
            names = (f"s{number}" for number in count(1))
            opened.append(Ring(port, listener, Nominal(), names.__next__, port="port").start())
            return opened[-1]

        def truth() -> list[dict[str, object]]:
            opened[-1].close()
            return port.truth()

        return Rung(open_it, truth)

    def start_pty(script: list[dict[str, object]], damage: float = 0.0) -> Rung:
        (tmp_path / "script").write_text("\n".join(map(json.dumps, script)))
        files = ("--pty", tmp_path / "ring", "--script", tmp_path / "script", "--truth", tmp_path / "truth")
        process = ring_command("mock", *files, "--seed", 1, "--damage", damage)
        assert process.stdout.readline().startswith("A virtual ring is at")

        def open_it(listener: Listener) -> Ring:
            ring = open_ring(str(tmp_path / "ring"), listener)
            assert isinstance(ring, Ring)
            opened.append(ring)
            return ring

        def truth() -> list[dict[str, object]]:
            process.terminate()
            process.wait(PATIENCE_S)
            return [json.loads(line) for line in (tmp_path / "truth").read_text().splitlines()]

        return Rung(open_it, truth)

    yield start_port if request.param == "port" else start_pty
    for ring in opened:
        ring.close()


class Gate:
    """A simulated gate with its cubes, and the events of a device there, without device and wire."""

    def __init__(self, world: World, seed: int = 1, device: str = "ring-7") -> None:
        self.bench = PhysicsBench(world, Random(seed))
        self.device = device
        self._numbers = count(1)
        self._cubes = {colour: cycle(self.bench.cubes(colour)) for colour in world.reflectance}

    def look(self, what: str) -> Channels:
        """Return a reference in counts of one frame."""
        r, g, b, c = (total / REFERENCE_FRAMES for total in getattr(self.bench.references(), what))
        return r, g, b, c

    def slide(self, colour: str, speed_mm_s: float = 80.0) -> MeasuredPassage:
        """Return the measurement of the next cube of *colour* coming out."""
        return self._measured("out", self.bench.passing("out", [next(self._cubes[colour])], speed_mm_s))

    def two(self, first: str, second: str, speed_mm_s: float = 80.0) -> MeasuredPassage:
        """Return the measurement of two cubes coming out together."""
        cubes = [next(self._cubes[colour]) for colour in (first, second)]
        return self._measured("pair", self.bench.passing("pair", cubes, speed_mm_s))

    def _measured(self, kind: str, passing: Passing) -> MeasuredPassage:
        begin, end = passing.edges[1][2], passing.edges[2][2]
        frames = tuple((each.at_us, each.counts) for each in passing.frames if begin <= each.at_us <= end)
        seen = MeasuredPassage(kind, passing.edges, frames)
        looks = {what: self.look(what) for what in ("white", "black", "dark")}
        full = [each for each in frames if each[1] in seen.full] or list(frames)
        told = [full[n * len(full) // 8] for n in range(8)] if len(full) > 8 else full
        return replace(seen, frames=tuple(told), **looks)

    def out(self, colour: str, token: int = 0, speed_mm_s: float = 80.0, **more: object) -> list[Event]:
        """Return the measurement of `slide` as events of a device."""
        return self.told(replace(self.slide(colour, speed_mm_s), **more), token)

    def told(self, seen: MeasuredPassage, token: int = 0) -> list[Event]:
        """Return the events of a device for a passage."""
        looks = {what: counts for what in ("white", "dark", "black") if (counts := getattr(seen, what))}
        parts = [
            ("ref", {what: _text([round(8 * each) for each in counts]), "sum": "8"}) for what, counts in looks.items()
        ]
        parts += [("frame", {"f": f"{at}:{_text(map(int, counts))}"}) for at, counts in seen.frames]
        if seen.edges:
            parts += [("edge", {"e": ",".join(f"{beam}{'+' if on else '-'}{at}" for beam, on, at in seen.edges)})]
        verdict = {"k": seen.kind, "tok": str(token), "parts": str(len(parts)), "us": "1"}
        return [self._event(word, fields) for word, fields in [*parts, ("pass", verdict)]]

    def plain(self, word: str, **fields: str) -> Event:
        """Return a single event."""
        return self._event(word, fields)

    def _event(self, word: str, fields: dict[str, str]) -> Event:
        body = compose(word, [("b", "00000001"), ("n", next(self._numbers)), ("t", 1), *fields.items()])
        event = read(body, VERSION)
        assert isinstance(event, Event)
        return event


def _text(counts: Iterable[float]) -> str:
    return ":".join(map(str, counts))


@pytest.fixture(scope="session")
def gate() -> Callable[..., Gate]:
    """Return a function that makes simulated gates, each with its own world."""

    def made(seed: int = 1, device: str = "ring-7", **world: object) -> Gate:
        return Gate(World(**world), seed, device)

    return made

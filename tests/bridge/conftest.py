"""What the bridge's tests share: a conversation without wire and clock, and listeners that can be waited for."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from companion.ringport import RingEvent, RingView, Unrecorded
from firmware_bridge.link import Answered, Greeted, HostLink, Told
from firmware_bridge.wire.device import DeviceLink

IDENTITY = [("fw", "0.1.0"), ("id", "bench"), ("sensor", "none"), ("sim", 0), ("can", "gl")]
PATIENCE_S = 20.0
Spoil = Callable[[bytes], bytes]


def unspoilt(data: bytes) -> bytes:
    """Let everything pass."""
    return data


class Conversation:
    """A host and a device on a line of their own; time passes only when told to."""

    def __init__(self, spoil: Spoil = unspoilt, room: int = 128, recording: bool = True) -> None:
        names = count(1)
        self.host = HostLink(lambda: f"s{next(names)}")
        self.device = DeviceLink(IDENTITY, "00000001", room)
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
        """Let the device tell *times* single events."""
        for _ in range(times):
            self.device.tell([("gate", [("open", 1)])], self.now_us)

    def restart(self, boot: str) -> None:
        """Start the device anew."""
        self.device = DeviceLink(IDENTITY, boot)

    def step(self, seconds: float = 0.001) -> None:
        """Let bytes go both ways once, then time pass."""
        down = self.spoil(self.host.outgoing(self.now))
        for word, fields in self.device.receive(down, self.now_us):
            self.orders.append((word, fields))
            self.device.answer(int(fields["c"]), self.refuse)
        self.now += seconds / 2
        self._hear(self.spoil(self.device.outgoing(self.now_us)))
        self.now += seconds / 2

    def pass_time(self, seconds: float, each: float = 0.001) -> Conversation:
        """Go on for *seconds*."""
        end = self.now + seconds
        while self.now < end:
            self.step(each)
        return self

    def until(self, done: Callable[[], bool], most_s: float = 60.0) -> Conversation:
        """Go on until *done*, but not longer than *most_s*."""
        end = self.now + most_s
        while not done() and self.now < end:
            self.step()
        assert done(), f"not after {most_s} s"
        return self

    def _hear(self, data: bytes) -> None:
        for heard in self.host.receive(data, self.now):
            self.heard.append(heard)
            if isinstance(heard, Told):
                self.told.append(heard.event.number)
                if self.recording:
                    self.host.recorded(heard.event)

    def greetings(self) -> list[Greeted]:
        """All greetings so far."""
        return [heard for heard in self.heard if isinstance(heard, Greeted)]

    def answers(self) -> list[Answered]:
        """All answers to orders so far."""
        return [heard for heard in self.heard if isinstance(heard, Answered)]


class Listener:
    """Keeps what it hears, can be waited for, and can have a dead disk."""

    def __init__(self) -> None:
        self.events: list[RingEvent] = []
        self.views: list[RingView] = []
        self.dead_disk = False
        self._changed = threading.Condition()

    def heard(self, event: RingEvent) -> None:
        """Keep *event*, or fail to."""
        with self._changed:
            known = any((each.boot, each.seq) == (event.boot, event.seq) for each in self.events)
            if not known:
                self.events.append(event)
            self._changed.notify_all()
            if self.dead_disk:
                raise Unrecorded

    def ring_changed(self, view: RingView) -> None:
        """Keep *view*."""
        with self._changed:
            self.views.append(view)
            self._changed.notify_all()

    def until(self, done: Callable[[], bool]) -> None:
        """Wait until *done* holds after something was heard."""
        with self._changed:
            assert self._changed.wait_for(done, PATIENCE_S), f"heard {self.events[-3:]}, saw {self.views[-1:]}"

    def passages(self) -> list[RingEvent]:
        """The passages so far."""
        return [event for event in self.events if event.kind in ("out", "pair", "back", "poke", "stuck", "glitch")]


@pytest.fixture
def talk() -> Conversation:
    """A conversation on a good line, past its greeting."""
    return Conversation().pass_time(0.1)


@pytest.fixture(scope="session")
def conversation() -> type[Conversation]:
    """Conversations to be made in any number."""
    return Conversation


@pytest.fixture
def listener() -> Listener:
    """One who listens."""
    return Listener()


@pytest.fixture
def ring_command(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Run `ring ...` as a process of its own; it ends with the test."""
    running: list[subprocess.Popen[str]] = []

    def run(*arguments: object) -> subprocess.Popen[str]:
        command = [sys.executable, str(Path(__file__).with_name("ring_command.py")), "ring", *map(str, arguments)]
        pipe = subprocess.PIPE
        running.append(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=tmp_path))
        return running[-1]

    yield run
    for process in running:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)

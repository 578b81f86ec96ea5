"""Rungs with a simulated ring in this process, a simulated hand at it, and time that passes only while a test waits."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from itertools import count
from random import Random
from types import MappingProxyType
from typing import Protocol

from firmware_bridge.device.sensor_driver import Chip
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.simulation.emulated import EmulatedRing
from firmware_bridge.simulation.emulated.runtimes import PACKAGE, home
from firmware_bridge.simulation.physics.world import IDEAL
from firmware_bridge.simulation.script.hand import NEVER, Hand
from firmware_bridge.simulation.script.steps import step as read
from firmware_bridge.simulation.virtual import VirtualRing
from rungs.rung import Missing
from rungs.simulated import Model, ModelRung
from tests.hil.ring import Ring, Step

START_S = 50.0
STARTS_S = 0.5  # time for measuring white and dark before a hand slides a cube
RESTS_S = 0.2
HEAP_KB = {"wasm": "160 kB", "unix": "320 kB, as its words are twice as long as a board's"}


class Simulated(Model, Protocol):
    """The methods of a ring that a script needs (see `firmware_bridge.simulation.virtual`)."""

    def written(self, at_ns: int) -> object:
        """Forget the things that have happened at the ring, because they have been written by now."""

    def mute(self, until: float) -> None:
        """Send nothing to the host until the time *until*."""


class AtHand:
    """A simulated *ring* and the hand that acts on it. Both advance whenever time has passed."""

    def __init__(self, ring: Simulated) -> None:
        self.hand = Hand()
        self.receive = ring.receive
        self.ring = ring
        self._again = NEVER

    def act(self, now: float) -> None:
        """Let the hand carry out the steps that are possible now."""
        self._again = self.hand.act(self.ring, now)

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to write now, after the hand has acted."""
        self.act(now)
        data = self.ring.outgoing(now)
        self.ring.written(time.monotonic_ns())
        return data

    def due(self, now: float) -> float:
        """Return the time of the next bytes or the hand's next action."""
        return min(self.ring.due(now), self._again)


class Handled(Ring, ModelRung):
    """A rung around a simulated *ring*."""

    model: AtHand

    def __init__(self, ring: Simulated) -> None:
        super().__init__(AtHand(ring), START_S)
        self.wait(STARTS_S)

    def unread(self, seconds: float) -> None:
        """Let time pass without reading. The ring is muted meanwhile, because a wire in this process never fills up."""
        self.model.ring.mute(self.now() + seconds)
        super().unread(seconds)

    def hand(self, step: Step) -> None:
        """Let the hand begin *step*, and do as much of it as it can at once."""
        hand = self.model.hand
        hand.add(read(step))
        self.model.act(self.now())
        if hand.unplugged_s:
            self.unplug(hand.unplugged_s)
            hand.unplugged_s = 0.0


class Virtual(Handled):
    """The virtual ring. It starts so quickly that each test has a new one."""

    cannot = MappingProxyType(
        {
            "edge times": "its clock leaps over passages: they take no time",
            "unread": "its wire in this program takes all that it says",
        }
    )

    def __init__(self, sensor: type[Chip]) -> None:
        boots = (f"{number:08x}" for number in count(1))
        super().__init__(VirtualRing(IDEAL, Random(1), boots.__next__, START_S, chip=sensor))
        self._sensor = sensor

    def restore(self) -> None:
        """Replace the ring by a new one."""
        name, learnt = self.name, self.learnt
        type(self).__init__(self, self._sensor)
        self.name, self.learnt = name, learnt


class Emulated(Handled):
    """The firmware's own bytecode on one of MicroPython's ports, with simulated hardware."""

    def __init__(self, ring: EmulatedRing, port: str) -> None:
        super().__init__(ring)
        self._ring = ring
        self._port = port

    def facts(self) -> Mapping[str, object]:
        """Return the MicroPython version and port, and how much memory was used."""
        board = self._ring.board
        board.measure()
        self.wait(RESTS_S)
        port = f"MicroPython{_version(self._port)}, {self._port}"
        facts = {**super().facts(), "port": port, "heap": HEAP_KB[self._port]}
        if board.memory:
            facts["most memory used, bytes"] = board.memory.used
        if board.memory and self._port == "wasm":
            # The other port collects garbage only when its heap is full, so its free memory says nothing.
            facts["least memory free, bytes"] = board.memory.least_free
        return facts

    def close(self) -> None:
        """Switch the board off."""
        self._ring.close()


def _version(port: str) -> str:
    """Return the version of MicroPython, or "" if it isn't known."""
    package = home() / PACKAGE / "package.json"
    if port != "wasm" or not package.is_file():
        return ""
    return f" {json.loads(package.read_text(encoding='utf-8'))['version']}"


def on_pins(sensor: type[Chip]) -> Ring:
    """Return a new ring on a Pi's own pins: gpiozero's mock pins and a simulated sensor."""
    from tests.firmware_bridge.pi_ring.pi_at_hand import PiRing

    return Handled(PiRing(sensor, START_S))


def on_wasm(sensor: type[Chip]) -> Ring:
    """Return a new board on MicroPython's WebAssembly port."""
    return _board("wasm", sensor)


def on_unix(sensor: type[Chip]) -> Ring:
    """Return a new board on MicroPython's unix port."""
    return _board("unix", sensor)


def _board(port: str, sensor: type[Chip]) -> Ring:
    """Return a new board on *port* with the chip *sensor*. Raises `Missing`, which says what to install."""
    try:
        return Emulated(EmulatedRing(IDEAL, Random(1), START_S, port, sensor=sensor), port)
    except InputError as fault:
        raise Missing(str(fault)) from None

"""The virtual ring in this program, with its time handed in: the host's other end, and nothing between them."""

from __future__ import annotations

import time
from itertools import count
from pathlib import Path
from random import Random
from typing import ClassVar

from firmware_bridge.virtual import VirtualRing
from firmware_bridge.virtual.hand import NEVER, Hand
from firmware_bridge.virtual.script import step as read
from firmware_bridge.world import IDEAL
from tests.hil.rung import Rung, Step
from tests.hil.stepped import Stepped


class Handled:
    """A virtual ring with a hand at it, both asked whenever time has passed."""

    def __init__(self, now: float) -> None:
        boots = (f"{number:08x}" for number in count(1))
        self.hand = Hand()
        self._ring = VirtualRing(IDEAL, Random(1), boots.__next__, now)
        self._again = NEVER

    def act(self, now: float) -> None:
        """Do what the hand can do now."""
        self._again = self.hand.act(self._ring, now)

    def receive(self, data: bytes, now: float) -> None:
        """Hear the host."""
        self._ring.receive(data, now)

    def outgoing(self, now: float) -> bytes:
        """Say what is to be said now."""
        self.act(now)
        data = self._ring.outgoing(now)
        self._ring.written(time.monotonic_ns())
        return data

    def due(self, now: float) -> float:
        """When there is more to say or to do."""
        return min(self._ring.due(now), self._again)


class Virtual(Stepped):
    """A virtual ring that lives in this program."""

    cannot: ClassVar = {"edge times": "its clock leaps over passages: they take no time"}

    def __init__(self) -> None:
        super().__init__()
        self._device = Handled(self.now())

    @property
    def device(self) -> Handled:
        """The ring with its hand."""
        return self._device

    def do(self, step: Step) -> None:
        """Have the hand do *step*, and all that it can do of it at once."""
        hand = self.device.hand
        hand.told(read(step))
        self.device.act(self.now())
        if hand.unplugged_s:
            self.unplug(hand.unplugged_s)
            hand.unplugged_s = 0.0


def rung(folder: Path) -> Rung:
    """Return a fresh one."""
    return Virtual()

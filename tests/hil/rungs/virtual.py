"""The virtual ring in this program, with its time handed in: the host's other end, and nothing between them."""

from __future__ import annotations

import time
from itertools import count
from pathlib import Path
from random import Random

from firmware_bridge.virtual import VirtualRing
from firmware_bridge.virtual.hand import NEVER, Hand
from firmware_bridge.virtual.script import step as read
from firmware_bridge.wires import Wire
from firmware_bridge.world import IDEAL
from tests.hil.rung import Rung, Step
from tests.hil.stepped import Stepped


class Virtual(Stepped):
    """A virtual ring, and the hand at it, asked whenever time has passed."""

    cannot = {"edge times": "its clock leaps over passages: they take no time"}

    def __init__(self) -> None:
        super().__init__()
        boots = (f"{number:08x}" for number in count(1))
        self._ring = VirtualRing(IDEAL, Random(1), boots.__next__, self._now)
        self._hand = Hand()
        self._again = NEVER

    def plug(self) -> Wire:
        """Return an open wire to the ring."""
        return self.wire_to(self)

    def do(self, step: Step) -> None:
        """Have the hand do *step*, and all that it can do of it at once."""
        self._hand.told(read(step))
        self._act(self._now)

    def receive(self, data: bytes, now: float) -> None:
        """Hear the host."""
        self._ring.receive(data, now)

    def outgoing(self, now: float) -> bytes:
        """Say what is to be said now."""
        self._act(now)
        data = self._ring.outgoing(now)
        self._ring.written(time.monotonic_ns())
        return data

    def due(self, now: float) -> float:
        """When there is more to say or to do."""
        return min(self._ring.due(now), self._again)

    def _act(self, now: float) -> None:
        self._again = self._hand.act(self._ring, now)
        if self._hand.unplugged_s:
            self.unplug(self._hand.unplugged_s)
            self._hand.unplugged_s = 0.0


def rung(folder: Path) -> Rung:
    """Return a fresh one."""
    return Virtual()

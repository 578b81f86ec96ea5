"""Rungs with a simulated ring in this program and a hand at it, whose time is handed in."""

from __future__ import annotations

import time
from typing import ClassVar, Protocol

from firmware_bridge.simulation.script.hand import NEVER, Hand
from firmware_bridge.simulation.script.steps import step as read
from tests.hil.rung import Step
from tests.hil.stepped import Stepped

STARTS_S = 0.5  # before a hand slides: white and dark are taken by then


class Simulated(Protocol):
    """What a script needs of a ring (see `firmware_bridge.simulation.virtual`)."""

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes from the host."""

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to be written now."""

    def due(self, now: float) -> float:
        """Return when `outgoing` has something to say next."""

    def written(self, at_ns: int) -> object:
        """Forget what happened and has been written."""

    def mute(self, until: float) -> None:
        """Have the host read nothing until then."""


class AtHand:
    """A simulated *ring* with a hand at it, both asked whenever time has passed."""

    def __init__(self, ring: Simulated) -> None:
        self.hand = Hand()
        self._ring = ring
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


class Handled(Stepped):
    """A rung around a simulated ring, which `made` makes."""

    cannot: ClassVar = {}

    def __init__(self, ring: Simulated) -> None:
        super().__init__()
        self._ring = ring
        self._device = AtHand(ring)
        self.wait(STARTS_S)

    @property
    def device(self) -> AtHand:
        """The ring with its hand."""
        return self._device

    def unread(self, seconds: float) -> None:
        """Let time pass with nobody reading: the wire in this program would take all that the ring says."""
        self._ring.mute(self.now() + seconds)
        super().unread(seconds)

    def do(self, step: Step) -> None:
        """Have the hand do *step*, and all that it can do of it at once."""
        hand = self.device.hand
        hand.add(read(step))
        self.device.act(self.now())
        if hand.unplugged_s:
            self.unplug(hand.unplugged_s)
            hand.unplugged_s = 0.0

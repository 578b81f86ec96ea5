"""Rungs with a simulated ring in this process, a simulated hand at it, and simulated time."""

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
        """Receive bytes from the host."""

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to write now."""

    def due(self, now: float) -> float:
        """Return the time at which `outgoing` will have more bytes."""

    def written(self, at_ns: int) -> object:
        """Forget what happened, as it has been written by now."""

    def mute(self, until: float) -> None:
        """Let the host read nothing until the time *until*."""


class AtHand:
    """A simulated *ring* and the hand that acts on it. Both advance whenever time has passed."""

    def __init__(self, ring: Simulated) -> None:
        self.hand = Hand()
        self._ring = ring
        self._again = NEVER

    def act(self, now: float) -> None:
        """Let the hand do what it can do now."""
        self._again = self.hand.act(self._ring, now)

    def receive(self, data: bytes, now: float) -> None:
        """Receive bytes from the host."""
        self._ring.receive(data, now)

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to write now, after the hand has acted."""
        self.act(now)
        data = self._ring.outgoing(now)
        self._ring.written(time.monotonic_ns())
        return data

    def due(self, now: float) -> float:
        """Return the time of the next bytes or the hand's next action."""
        return min(self._ring.due(now), self._again)


class Handled(Stepped):
    """A rung around a simulated ring."""

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
        """Let time pass without reading. The ring is muted meanwhile, because a wire in this process never fills up."""
        self._ring.mute(self.now() + seconds)
        super().unread(seconds)

    def do(self, step: Step) -> None:
        """Let the hand begin *step*, and do as much of it as it can at once."""
        hand = self.device.hand
        hand.add(read(step))
        self.device.act(self.now())
        if hand.unplugged_s:
            self.unplug(hand.unplugged_s)
            hand.unplugged_s = 0.0

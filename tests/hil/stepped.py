"""Time that passes only while somebody waits, and rungs whose ring lives in this program and has no other."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.capture.direct import Device, DirectWire
from firmware_bridge.faults import WireLost
from tests.hil.rung import Rung

TICK_S = 0.0005  # of a wire: nothing arrives in the moment in which it was sent


class Stepped(Rung):
    """A rung around a device in this program, which is asked when the host reads."""

    def __init__(self, start: float = 50.0) -> None:
        super().__init__()
        self._now = start
        self._gone_until = 0.0
        self._plugs = 0

    def now(self) -> float:
        """Return the time in seconds."""
        return self._now

    def wait(self, seconds: float) -> None:
        """Let time pass, with nobody reading."""
        self._now += seconds

    def unplug(self, seconds: float) -> None:
        """Pull the plug, and put it back after so many *seconds*."""
        self._gone_until = self._now + seconds
        self._plugs += 1

    def wire_to(self, device: Device) -> DirectWire:
        """Return a wire to *device*, lost for good when the plug is pulled."""
        if self._now < self._gone_until:
            raise WireLost(f"{self.name} is unplugged.")
        return DirectWire(self.name, device, self.now, self._pause, self._gone(self._plugs))

    def _gone(self, plugs: int) -> Callable[[float], bool]:
        return lambda now: self._plugs != plugs

    def _pause(self, seconds: float) -> bool:
        self._now += seconds + TICK_S
        return False

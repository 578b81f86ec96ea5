"""Time that passes only while a test waits, and rungs around a device in this process that uses such time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from firmware_bridge.transport.in_process import Device, DirectWire
from rungs.wire import Wire, WireLost
from tests.hil.rung import Rung

START_S = 50.0
TICK_S = 0.0005  # The delay of a wire: no byte arrives at the moment when it is sent.
MOST_UNREAD = 16_384  # The most bytes that wait for a host which doesn't read.


class Stepped(Rung):
    """A rung around a device in this process. What it sends while nobody reads waits for the next reader."""

    def __init__(self) -> None:
        self._now = START_S
        super().__init__()
        self._gone_until = 0.0
        self._plugs = 0
        self._unread = b""

    @property
    @abstractmethod
    def device(self) -> Device:
        """The device's end of the wire."""

    def now(self) -> float:
        """Return the time in seconds."""
        return self._now

    def wait(self, seconds: float) -> None:
        """Let time pass for the ring, without reading from it."""
        until = self._now + seconds
        while self._now < until:
            self._unread += self.device.outgoing(self._now)
            if len(self._unread) > MOST_UNREAD:
                self._now = until
            self._now = min(max(self.device.due(self._now), self._now + TICK_S), until)

    def opened(self) -> Wire:
        """Return an open wire to the ring. It is lost for good when the plug is pulled."""
        if self._now < self._gone_until:
            raise WireLost(f"{self.name} is unplugged.")
        self._unread = b""
        return DirectWire(self.name, self, self.now, self._pause, self._gone(self._plugs))

    def unplug(self, seconds: float) -> None:
        """Pull the plug, and put it back after *seconds*."""
        self._gone_until = self._now + seconds
        self._plugs += 1

    def receive(self, data: bytes, now: float) -> None:
        """Pass the host's bytes to the ring."""
        self.device.receive(data, now)

    def outgoing(self, now: float) -> bytes:
        """Return the bytes that the ring has sent."""
        unread, self._unread = self._unread, b""
        return unread + self.device.outgoing(now)

    def due(self, now: float) -> float:
        """Return the time of the ring's next bytes."""
        return now if self._unread else self.device.due(now)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _gone(self, plugs: int) -> Callable[[float], bool]:
        return lambda now: self._plugs != plugs

    def _pause(self, seconds: float) -> bool:
        self._now += seconds + TICK_S
        return False

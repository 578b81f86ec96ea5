"""A wire to a device in the same process. It needs no thread, because reading from the wire runs the device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.kernel.said import said
from companion.kernel.shown import shows
from rungs.wire import Bell, WireLost, ready


class Device(Protocol):
    """The device's end of a wire. Times are arguments, in seconds."""

    def receive(self, data: bytes, now: float) -> None:
        """Accept bytes from the host."""

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to write now."""

    def due(self, now: float) -> float:
        """Return the time at which `outgoing` will next have bytes, unless something arrives before then."""


@shows("name", "_device")
class DirectWire:
    """A wire to *device*.

    *pause* waits for a number of seconds and returns whether the wait was interrupted. *gone* is called with a time and
    returns whether the wire is lost then.
    """

    def __init__(
        self,
        name: str,
        device: Device,
        now: Callable[[], float],
        pause: Callable[[float], bool],
        gone: Callable[[float], bool] = lambda now: False,
    ) -> None:
        self.name = name
        self._device = device
        self._now = now
        self._pause = pause
        self._gone = gone

    def read(self, timeout_s: float) -> bytes:
        """Return the device's next bytes, or empty bytes after *timeout_s* or when interrupted."""
        until = self._now() + timeout_s
        while True:
            now = self._now()
            if self._gone(now):
                raise WireLost(said("%(port)s is gone, as in the recording.", port=self.name))
            data = self._device.outgoing(now)
            wait = min(self._device.due(now), until) - now
            if data or now >= until or self._pause(max(wait, 0.0)):
                return data

    def write(self, data: bytes) -> None:
        """Pass *data* to the device."""
        if data:
            self._device.receive(data, self._now())

    def close(self) -> None:
        """Do nothing: there is no connection to close."""


def bell_pause(bell: Bell) -> Callable[[float], bool]:
    """Return a pause function that *bell* interrupts."""

    def pause(seconds: float) -> bool:
        rung = ready(bell.fileno(), False, -1, seconds)[0]
        if rung:
            bell.hush()
        return rung

    return pause

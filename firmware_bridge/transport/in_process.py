"""A wire to a device that lives in this program and needs no thread: it is asked when the host reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.kernel.i18n import said
from companion.kernel.shown import shows
from firmware_bridge.kernel.errors import WireLost
from firmware_bridge.transport.streams import Bell, ready


class Device(Protocol):
    """A device's end of a wire; times are handed in, in seconds."""

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes from the host."""

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to be written now."""

    def due(self, now: float) -> float:
        """Return when `outgoing` has something to say next, if nothing happens before."""


@shows("name", "_device")
class DirectWire:
    """A wire to *device*; *pause* waits for so many seconds and tells whether it was woken, *gone* when it is lost."""

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
        """Return what the device says, as soon as it says anything; nothing after *timeout_s* or when woken."""
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
        """Hand *data* to the device."""
        if data:
            self._device.receive(data, self._now())

    def close(self) -> None:
        """Nothing to let go of."""


def bell_pause(bell: Bell) -> Callable[[float], bool]:
    """Return a pause that *bell* ends."""

    def pause(seconds: float) -> bool:
        rung = ready(bell.fileno(), False, -1, seconds)[0]
        if rung:
            bell.hush()
        return rung

    return pause

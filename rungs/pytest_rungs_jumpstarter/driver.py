"""A Jumpstarter driver whose device is a rung, for instance a simulated one. Its client is that of a serial port.

export:
  serial:
    type: pytest_rungs_jumpstarter.driver.Rung
    config:
      rung: "process:python thermometer.py {pty}"
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anyio import EndOfStream, Lock, fail_after, sleep
from anyio.abc import ObjectStream
from jumpstarter.driver import Driver, export, exportstream

from rungs.known import make
from rungs.rung import Spec
from rungs.wire import WireLost

TICK_S = 0.002
WAITS_S = 5.0


@dataclass(kw_only=True)
class Rung(Driver):
    """The serial port of a *rung*, named as for `--rung`. Relative paths in its name start at *folder*."""

    rung: str
    folder: str = "."
    _device: Any = field(default=None, init=False, repr=False)
    _in_use: Lock = field(default_factory=Lock, init=False, repr=False)

    def __post_init__(self):
        super().__post_init__()
        self._device = make(Spec.of(self.rung, Path(self.folder)))

    @classmethod
    def client(cls):
        """Return the client of a serial port."""
        return "jumpstarter_driver_pyserial.client.PySerialClient"

    @export
    def restore(self):
        """Restore the device's initial state."""
        self._device.restore()

    @exportstream
    @asynccontextmanager
    async def connect(self):
        """Open a wire to the device. It is exclusive: a client that has just left could still take the next answer."""
        with fail_after(WAITS_S):
            await self._in_use.acquire()
        try:
            wire = self._device.wire()
            try:
                yield _WireStream(wire, self._device.live)
            finally:
                wire.close()
        finally:
            self._in_use.release()

    def reset(self):
        """Restore the device's initial state between two leases."""
        self._device.restore()
        super().reset()

    def close(self):
        """Close the device."""
        self._device.close()
        super().close()


class _WireStream(ObjectStream):
    """A wire as a stream, used by one thread. If the rung is not *live*, its time keeps pace with the real clock."""

    def __init__(self, wire, live):
        self._wire = wire
        self._passes_s = 0.0 if live else TICK_S

    async def send(self, item):
        self._wire.write(item)

    async def receive(self):
        try:
            while not (data := self._wire.read(self._passes_s)):
                await sleep(TICK_S)
        except WireLost as fault:
            raise EndOfStream from fault
        return data

    async def send_eof(self):
        """Do nothing: a device does not notice that its host has finished."""

    async def aclose(self):
        self._wire.close()

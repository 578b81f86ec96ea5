"""A labgrid driver whose device is a rung, for instance a simulated one.

imports:
  - pytest_rungs_labgrid.driver
targets:
  main:
    drivers:
      RungDriver:
        rung: "process:python thermometer.py {pty}"
"""

from __future__ import annotations

import atexit
from pathlib import Path

import attr
from labgrid.driver import Driver
from labgrid.driver.consoleexpectmixin import ConsoleExpectMixin
from labgrid.factory import target_factory
from labgrid.protocol import ConsoleProtocol, ResetProtocol
from pexpect import TIMEOUT

from rungs.known import make
from rungs.rung import Spec


@target_factory.reg_driver
@attr.s(eq=False)
class RungDriver(ConsoleExpectMixin, Driver, ConsoleProtocol, ResetProtocol):
    """The console of a *rung*, named as for `--rung`. Relative paths in its name start at *folder*."""

    rung = attr.ib(validator=attr.validators.instance_of(str))
    folder = attr.ib(default=".", validator=attr.validators.instance_of(str))
    txdelay = attr.ib(default=0.0, validator=attr.validators.instance_of(float))
    txchunk = attr.ib(default=1, validator=attr.validators.instance_of(int))

    def __attrs_post_init__(self):
        super().__attrs_post_init__()
        self._device = self._wire = None
        self._heard = b""

    def on_activate(self):
        """Open a wire to the rung. The rung is created only once, as a device keeps running when its port is closed."""
        if self._device is None:
            self._device = make(Spec.of(self.rung, Path(self.folder)))
            atexit.register(self._device.close)
        self._wire = self._device.wire()

    def on_deactivate(self):
        """Close the wire."""
        self._wire.close()

    @Driver.check_active
    def reset(self):
        """Restore the device's initial state. If the device is a program, it is started again."""
        self._wire.close()
        self._device.restore()
        self._wire = self._device.wire()

    def _read(self, size=1, timeout=0.0, max_size=None):
        self._heard = self._heard or self._wire.read(timeout)
        if not self._heard:
            raise TIMEOUT(f"No byte within {timeout:.2f} s.")
        end = max_size or len(self._heard)
        data, self._heard = self._heard[:end], self._heard[end:]
        return data

    def _write(self, data):
        self._wire.write(data)
        return len(data)

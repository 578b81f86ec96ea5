"""The colour sensor on the Pi's own bus, through three calls of smbus2."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from firmware_bridge.device.tcs34725 import ADDRESS, COMMAND, ID, Bus
from firmware_bridge.pi_ring.interfaces import SmBus


class PiBus(Bus):
    """The sensor's address on *smbus*; *wait* waits for so many microseconds."""

    def __init__(self, smbus: SmBus, wait: Callable[[int], None]) -> None:
        self._smbus = smbus
        self._wait = wait

    def free(self) -> None:
        """Ask once in vain: a call clocks its address and a stop, which ends the byte that a sensor may wait for.

        The bus is the kernel's. To clock by hand one would take its pins away,
        and a kernel gives them back as plain inputs: no bus until a restart.
        """
        with suppress(OSError):
            self._smbus.read_i2c_block_data(ADDRESS, COMMAND | ID, 1)

    def set(self, command: int, value: int) -> None:
        """Write one byte."""
        self._smbus.write_byte_data(ADDRESS, command, value)

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Fill *buffer*."""
        buffer[:] = bytes(self._smbus.read_i2c_block_data(ADDRESS, command, len(buffer)))

    def command(self, command: int) -> None:
        """Send the command byte alone."""
        self._smbus.write_byte(ADDRESS, command)

    def wait_us(self, us: int) -> None:
        """Wait."""
        self._wait(us)

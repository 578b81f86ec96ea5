"""The interfaces that a ring on a Pi's pins uses: gpiozero's pins, smbus2's bus, storage, and the connection to its
host.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Changed = Callable[[float, int], None]
"""Called with the pin's timestamp, in seconds of an unspecified clock, and its new level."""


class GpioPin(Protocol):
    """The part of a gpiozero pin that is used here."""

    function: str
    pull: str
    state: float
    frequency: float | None
    when_changed: Changed | None


class Pins(Protocol):
    """The part of a gpiozero pin factory that is used here."""

    def pin(self, name: int) -> GpioPin:
        """Return the pin called *name*, which is its BCM number."""

    def ticks(self) -> float:
        """Return the time in seconds."""

    def close(self) -> None:
        """Release all pins."""


class SmBus(Protocol):
    """The three methods of smbus2 that are used here. They raise OSError if the sensor does not answer."""

    def write_byte(self, i2c_addr: int, value: int) -> None:
        """Send one byte."""

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Send a command byte and one more byte."""

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Send a command byte, and read *length* bytes."""


class LastingMemory(Protocol):
    """Storage that survives restarts."""

    def keep(self, what: str, numbers: tuple[int, ...]) -> None:
        """Store *numbers* (a reference or the sensor's gain) under the name *what*."""

    def stored(self, what: str) -> tuple[int, ...]:
        """Return the numbers stored under the name *what*, or an empty tuple."""


class Outside(Protocol):
    """The connection to the host, with methods that wait for the host or for a pin."""

    def read(self) -> bytes:
        """Return the bytes that have arrived from the host, without waiting."""

    def write(self, data: bytes) -> int:
        """Send *data*, without waiting; return how many bytes were accepted."""

    def rest(self, us: int) -> None:
        """Wait until the host sends something or a pin changes, for *us* microseconds at most."""

    def pause(self, us: int) -> None:
        """Wait until a pin changes, for *us* microseconds at most."""

    def stir(self) -> None:
        """Interrupt a wait, because a pin has changed. May be called from any thread."""

"""What a ring on a Pi's pins needs of others: gpiozero's pins, smbus2's bus, and its host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Changed = Callable[[float, int], None]
"""Called with a pin's own time stamp, in seconds of whichever clock it has, and its new level."""


class GpioPin(Protocol):
    """What we use of a pin of gpiozero."""

    function: str
    pull: str
    state: float
    frequency: float | None
    when_changed: Changed | None


class Pins(Protocol):
    """What we use of a pin factory of gpiozero."""

    def pin(self, name: int) -> GpioPin:
        """Return the pin with a BCM number."""

    def ticks(self) -> float:
        """Return the time in seconds."""

    def close(self) -> None:
        """Let all pins go."""


class SmBus(Protocol):
    """The three calls of smbus2 that a sensor takes; OSError when nobody answers."""

    def write_byte(self, i2c_addr: int, value: int) -> None:
        """Send one byte."""

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Send a command byte and one more."""

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Send a command byte, and read so many."""


class LastingMemory(Protocol):
    """What outlives a start."""

    def keep(self, what: str, numbers: tuple[int, ...]) -> None:
        """Keep a reference or the sensor's gain."""

    def kept(self, what: str) -> tuple[int, ...]:
        """Return what was kept, nothing if nothing was."""


class Outside(Protocol):
    """The host's end of the cable, and waiting for it or for the pins."""

    def read(self) -> bytes:
        """Return what has come from the host, without waiting."""

    def write(self, data: bytes) -> int:
        """Hand *data* over, without waiting; return how many of the bytes were taken."""

    def rest(self, us: int) -> None:
        """Wait for the host or a pin, so many microseconds at most."""

    def pause(self, us: int) -> None:
        """Wait for a pin, so many microseconds at most."""

    def stir(self) -> None:
        """End a wait: a pin has changed. From any thread."""

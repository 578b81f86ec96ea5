"""The colour sensor TCS34725 by its registers (ams, TCS3472 datasheet): one step a frame, an interrupt for each.

Drivers that sleep between reading and reading hand out stale frames. Here the
interrupt pin says when a frame is whole, one burst reads it, and the interrupt
is cleared: whatever it says next is fresh.
"""

from .gain import GAINS, Gain

ADDRESS = 0x29
NAME = "tcs34725"

# Command byte: bit 7 set, then how the address goes on (bits 6 and 5), then the register.
COMMAND = 0x80
RUNNING = 0xA0  # the address counts up with each byte
CLEAR_INTERRUPT = 0xE6  # a special function, no register

ENABLE, ATIME, PERSISTENCE, CONTROL, ID, STATUS, DATA = 0x00, 0x01, 0x0C, 0x0F, 0x12, 0x13, 0x14
POWER_ON, RGBC, INTERRUPT = 0x01, 0x02, 0x10
ON = POWER_ON | RGBC | INTERRUPT
# TCS34725 and TCS34727, the same but for the voltage of their bus; the third is what sensors on some boards answer.
IDS = (0x44, 0x4D, 0x10)
EVERY_CYCLE = 0x00

STEP_US = 2_400
WARM_UP_US = 2_400  # after power, before it may be told to count (Enable Register)
FRAME_US = 2 * STEP_US  # getting ready, then one step of counting
SHORTEST_FRAME_US = 2 * 2_270  # the sensor's own clock is that fast at most
SIZE = 8  # bytes: clear, red, green, blue, low byte first


class Bus:
    """What a sensor needs of its bus, each with a command byte; OSError when nobody answers. To be filled in."""

    def free(self) -> None:
        """Make the bus usable again, if somebody hangs on it; before anything else."""

    def set(self, command: int, value: int) -> None:
        """Write one byte."""
        raise NotImplementedError

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Fill *buffer*, and allocate nothing."""
        raise NotImplementedError

    def command(self, command: int) -> None:
        """Send the command byte alone, and allocate nothing."""
        raise NotImplementedError

    def wait_us(self, us: int) -> None:
        """Wait for so many microseconds, whatever happens meanwhile."""
        raise NotImplementedError


class Sensor:
    """One sensor on a bus, at the gain that it is to count at."""

    def __init__(self, bus: Bus, gain: Gain | None = None) -> None:
        self.gain = gain or Gain()
        self._bus = bus
        self._one = bytearray(1)

    def begin(self) -> bool:
        """Set the sensor to work from whatever state it is in; return False when there is none that we know."""
        try:
            self._bus.free()
            self._bus.read_into(COMMAND | ID, self._one)
            if self._one[0] not in IDS:
                return False
            self._bus.set(COMMAND | ENABLE, POWER_ON)
            self._bus.set(COMMAND | ATIME, 256 - 1)
            self.amplify()
            self._bus.set(COMMAND | PERSISTENCE, EVERY_CYCLE)
            self._bus.wait_us(WARM_UP_US)
            self._bus.set(COMMAND | ENABLE, ON)
            self._bus.command(CLEAR_INTERRUPT)
        except OSError:
            return False
        return True

    def works(self) -> bool:
        """Tell whether it still does what `begin` has set: one that lost its power for a moment has forgotten."""
        try:
            self._bus.read_into(COMMAND | ENABLE, self._one)
        except OSError:
            return False
        return self._one[0] == ON

    def amplify(self) -> None:
        """Count at the gain that is wanted now, from the next frame on; OSError when nobody answers."""
        self._bus.set(COMMAND | CONTROL, GAINS[self.gain.now])

    def clear(self) -> None:
        """Let the interrupt go; the next one tells a frame that ends after now. OSError when nobody answers."""
        self._bus.command(CLEAR_INTERRUPT)

    def read_into(self, frame: bytearray) -> None:
        """Read the latest frame, `SIZE` bytes, and allocate nothing; OSError when nobody answers."""
        self._bus.read_into(RUNNING | DATA, frame)


def counts(frame: bytearray) -> tuple[int, int, int, int]:
    """Return red, green, blue and clear of a *frame* as the sensor sends it."""
    return frame[2] | frame[3] << 8, frame[4] | frame[5] << 8, frame[6] | frame[7] << 8, frame[0] | frame[1] << 8

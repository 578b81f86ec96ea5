"""Driver of the TCS34725 colour sensor (ams, TCS3472 datasheet): frames of one step, with an interrupt for each.

Drivers that sleep between readings return stale frames. Here the interrupt pin signals a complete
frame, one burst reads it, and the interrupt is cleared, so the next signal means a new frame.
"""

from .gain import GAINS, Gain

ADDRESS = 0x29
NAME = "tcs34725"

# Command byte: bit 7 set, then the addressing mode (bits 6 and 5), then the register.
COMMAND = 0x80
RUNNING = 0xA0  # the address increments with each byte
CLEAR_INTERRUPT = 0xE6  # a special function, not a register

ENABLE, ATIME, PERSISTENCE, CONTROL, ID, STATUS, DATA = 0x00, 0x01, 0x0C, 0x0F, 0x12, 0x13, 0x14
POWER_ON, RGBC, INTERRUPT = 0x01, 0x02, 0x10
ON = POWER_ON | RGBC | INTERRUPT
# TCS34725 and TCS34727, which differ in bus voltage only; the third is what sensors on some boards return.
IDS = (0x44, 0x4D, 0x10)
EVERY_CYCLE = 0x00

STEP_US = 2_400
WARM_UP_US = 2_400  # after power-on, before counting may be enabled (Enable Register)
FRAME_US = 2 * STEP_US  # initialisation, then one step of counting
SHORTEST_FRAME_US = 2 * 2_270  # the sensor's own clock is at most this fast
SIZE = 8  # bytes: clear, red, green, blue, low byte first


class Bus:
    """The sensor's bus, to be subclassed. Each access has a command byte. Raises OSError if no sensor answers."""

    def free(self) -> None:
        """Release the bus if a device holds it; called before anything else."""

    def set(self, command: int, value: int) -> None:
        """Write one byte."""
        raise NotImplementedError

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Fill *buffer*; must not allocate."""
        raise NotImplementedError

    def command(self, command: int) -> None:
        """Send the command byte alone; must not allocate."""
        raise NotImplementedError

    def wait_us(self, us: int) -> None:
        """Wait for *us* microseconds."""
        raise NotImplementedError


class Sensor:
    """One sensor on a bus, with its gain."""

    def __init__(self, bus: Bus, gain: Gain | None = None) -> None:
        self.gain = gain or Gain()
        self._bus = bus
        self._one = bytearray(1)

    def begin(self) -> bool:
        """Initialise the sensor from any state; return False if there is no known sensor."""
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
        """Return whether the sensor still has the settings of `begin`. It loses them with its power."""
        try:
            self._bus.read_into(COMMAND | ENABLE, self._one)
        except OSError:
            return False
        return self._one[0] == ON

    def amplify(self) -> None:
        """Apply the present gain from the next frame on. Raise OSError if the sensor does not answer."""
        self._bus.set(COMMAND | CONTROL, GAINS[self.gain.now])

    def clear(self) -> None:
        """Clear the interrupt; the next one signals a newer frame. Raise OSError if the sensor does not answer."""
        self._bus.command(CLEAR_INTERRUPT)

    def read_into(self, frame: bytearray) -> None:
        """Read the latest frame, `SIZE` bytes; must not allocate. Raise OSError if the sensor does not answer."""
        self._bus.read_into(RUNNING | DATA, frame)


def counts(frame: bytearray) -> tuple[int, int, int, int]:
    """Return red, green, blue and clear of a *frame* as the sensor sends it.

    >>> counts(bytearray([103, 0, 56, 0, 28, 0, 24, 0]))
    (56, 28, 24, 103)
    """
    return frame[2] | frame[3] << 8, frame[4] | frame[5] << 8, frame[6] | frame[7] << 8, frame[0] | frame[1] << 8

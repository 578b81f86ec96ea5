"""The driver of a colour sensor chip: its interface, and the code that one family of chips shares.

Guide: docs/add-a-sensor.md.

Drivers that sleep between readings return stale frames. Here the interrupt pin signals a complete
frame, one burst reads it, and the interrupt is cleared, so the next signal means a new frame.

Each chip is a class. Its constants come from the datasheet, and its methods drive the chip. `Chip` itself
drives the family that began with the TCS3472 (ams, formerly TAOS). A class for a chip of that family only sets the
constants. A class for any other chip also overrides the methods.
"""

FRAME_BYTES = 8  # size of a frame: four counts of 16 bits


class Bus:
    """The sensor's bus, to be subclassed. Each access sends a command byte. Raises OSError if no sensor answers."""

    address = 0  # of the chip that is addressed now, 7 bits
    identity = 0  # the command that reads the chip's ID register, which is safe at any time

    def select(self, address: int, identity: int) -> None:
        """Address another chip from now on."""
        self.address = address
        self.identity = identity

    def free(self) -> None:
        """Release the bus if a device is holding its data line. Called before all other methods."""

    def set(self, command: int, value: int) -> None:
        """Write one byte; must not allocate."""
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


class Chip:
    """One chip on a *bus*. Each kind of chip is a subclass, in a file of its own, with two lines in `sensor_chips.py`.

    Times are whole microseconds. Counts are for one channel of one frame. A frame uses the chip's shortest exposure,
    because a cube passes in about 50 ms.
    """

    NAME = ""  # as used on the wire and in calibrations: at most 8 lower-case letters and digits
    ADDRESS = 0  # on the bus, 7 bits
    IDS: tuple[int, ...] = ()  # the values of the ID register that identify the chip

    STEP_US = 0  # the exposure of one frame
    READY_US = 0  # from the end of one exposure to the beginning of the next
    WARM_UP_US = 0  # from power-on until counting may be enabled
    SHORTEST_FRAME_US = 0  # from one frame to the next, if the chip's clock runs as fast as it may
    FULL = 0  # the highest count of one exposure (full scale)
    GAINS: tuple[int, ...] = ()  # ascending; the index of each is its value in the lowest bits of the CONTROL register

    # The register numbers (five bits), which are the same for all chips of the family.
    ENABLE, ATIME, WTIME, AILT, AIHT = 0x00, 0x01, 0x03, 0x04, 0x06
    PERS, CONFIG, CONTROL, ID, STATUS, DATA = 0x0C, 0x0D, 0x0F, 0x12, 0x13, 0x14
    SELECT = 0x80  # added to a register's number: the command byte that reads or writes it
    RUNNING = 0x80  # the same for a burst, which reads one register after another
    CLEAR = 0xE6  # a command without a register, which clears the interrupt of the colour channels
    POWER_ON, COUNTING, INTERRUPT = 0x01, 0x02, 0x10  # bits of ENABLE
    ON = POWER_ON | COUNTING | INTERRUPT
    ONE_STEP = 0xFF  # in ATIME: 256 less the number of steps
    EVERY_FRAME = 0x00  # in PERS: an interrupt for each frame, whatever it counts

    # For the simulation only: the writable bits of each register, and the response of the filters to light.
    WRITABLE: tuple[tuple[int, int], ...] = ()
    RESPONSES: tuple[tuple[int, int, int], ...] = ()  # red, green, blue: percent of clear at 465, 525, 615 nm
    CLEAR_RESPONSE = 0  # of clear: hundredths of counts per microwatt/cm2, for ten steps at a gain of 16

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._one = bytearray(1)

    def begin(self, gain: int) -> bool:
        """Initialise the chip from any state; return False if no chip of this kind answers."""
        bus = self._bus
        bus.select(self.ADDRESS, self.SELECT | self.ID)
        try:
            bus.free()
            bus.read_into(self.SELECT | self.ID, self._one)
            if self._one[0] not in self.IDS:
                return False
            bus.set(self.SELECT | self.ENABLE, self.POWER_ON)
            bus.set(self.SELECT | self.ATIME, self.ONE_STEP)
            self.amplify(gain)
            bus.set(self.SELECT | self.PERS, self.EVERY_FRAME)
            bus.wait_us(self.WARM_UP_US)
            bus.set(self.SELECT | self.ENABLE, self.ON)
            bus.command(self.CLEAR)
        except OSError:
            return False
        return True

    def works(self) -> bool:
        """Return whether the chip still has the settings of `begin`. It loses them if its power fails."""
        try:
            self._bus.read_into(self.SELECT | self.ENABLE, self._one)
        except OSError:
            return False
        return self._one[0] == self.ON

    def amplify(self, gain: int) -> None:
        """Apply *gain* from the next frame on. Raise OSError if the chip does not answer."""
        self._bus.set(self.SELECT | self.CONTROL, self.GAINS.index(gain))

    def clear(self) -> None:
        """Clear the interrupt; the next one signals a newer frame. Raise OSError if the chip does not answer.

        Must not allocate.
        """
        self._bus.command(self.CLEAR)

    def read_into(self, frame: bytearray) -> None:
        """Read the latest frame, `FRAME_BYTES` bytes; must not allocate. Raise OSError if the chip does not answer."""
        self._bus.read_into(self.RUNNING | self.DATA, frame)

    def counts(self, frame: bytearray) -> tuple[int, int, int, int]:
        """Parse a *frame* into red, green, blue and clear counts.

        The chip sends clear first, and the low byte of each count first.

        >>> Chip(Bus()).counts(bytearray([103, 0, 56, 0, 28, 0, 24, 0]))
        (56, 28, 24, 103)
        """
        return frame[2] | frame[3] << 8, frame[4] | frame[5] << 8, frame[6] | frame[7] << 8, frame[0] | frame[1] << 8

    @staticmethod
    def addressed(command: int) -> tuple[int, bool] | None:
        """Return the register that a *command* byte selects, and whether a burst goes on to the next register.

        For simulations.

        Return None if it selects no register. Then the earlier selection remains valid.
        """
        raise NotImplementedError


def half_us(chip: type[Chip]) -> int:
    """Return half the exposure of a frame: the time from its middle to its end."""
    return chip.STEP_US // 2


def frame_us(chip: type[Chip]) -> int:
    """Return the time from one frame to the next."""
    return chip.READY_US + chip.STEP_US

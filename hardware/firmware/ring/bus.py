"""The sensor's bus: a board's I2C, which waits for nobody longer than its own limit."""

from time import sleep_us

from machine import I2C, Pin, SoftI2C
from wire.sensor_chip import Bus

HZ = 400_000


HALF_US = 5  # of a clock of 100 kHz, which whoever hangs there can follow
CLOCKS = 9  # the most that a byte and its acknowledgement can still want


class SensorBus(Bus):
    """The sensor's two wires; to be freed before they are used."""

    def __init__(self, sda: int, scl: int) -> None:
        self._pins = (sda, scl)
        self._byte = bytearray(1)
        self._i2c = self._own()

    def free(self) -> None:
        """Clock out whoever holds the data line, tell it to stop, and begin the bus anew (I2C specification, 3.1.16).

        A plug that is pulled or a spark in the middle of a byte leaves a
        sensor that waits for the rest of it, and the chip's own bus confused.
        """
        sda, scl = (Pin(pin, Pin.OPEN_DRAIN, value=1) for pin in self._pins)
        sleep_us(HALF_US)
        if not sda.value():
            for _ in range(CLOCKS):
                _pulse(scl)
            scl.value(0)
            sda.value(0)
            sleep_us(HALF_US)
            scl.value(1)
            sleep_us(HALF_US)
            sda.value(1)
        self._i2c = self._begun()

    def _begun(self) -> I2C:
        """Return the chip's own bus, or one made of its two pins where the chip's own does not do and that does.

        MicroPython 1.28.0 fails on an RP2350 at each write of one byte (micropython#19514), and an interrupt is cleared
        by such a one. The other bus is slower and as right.
        """
        sda, scl = self._pins
        bus = self._own()
        if self._does(bus):
            return bus
        other = SoftI2C(sda=Pin(sda), scl=Pin(scl), freq=HZ)
        return other if self._does(other) else self._own()

    def _own(self) -> I2C:
        sda, scl = self._pins
        return I2C(0, sda=Pin(sda), scl=Pin(scl), freq=HZ)

    def _does(self, bus: I2C) -> bool:
        """Tell whether *bus* sends one byte alone, and reads: the sensor is asked who it is."""
        try:
            self._byte[0] = self.identity
            bus.writeto(self.address, self._byte)
            bus.readfrom_mem_into(self.address, self.identity, self._byte)
        except OSError:
            return False
        return True

    def set(self, command: int, value: int) -> None:
        """Write one byte."""
        self._byte[0] = value
        self._i2c.writeto_mem(self.address, command, self._byte)

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Fill *buffer*, and allocate nothing."""
        self._i2c.readfrom_mem_into(self.address, command, buffer)

    def command(self, command: int) -> None:
        """Send the command byte alone, and allocate nothing."""
        self._byte[0] = command
        self._i2c.writeto(self.address, self._byte)

    def wait_us(self, us: int) -> None:
        """Wait."""
        sleep_us(us)


def _pulse(clock: Pin) -> None:
    clock.value(0)
    sleep_us(HALF_US)
    clock.value(1)
    sleep_us(HALF_US)

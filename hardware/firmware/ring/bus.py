"""The sensor's I2C bus, with the recovery of a bus that hangs."""

from time import sleep_us

from machine import I2C, Pin, SoftI2C
from wire.sensor_driver import Bus

HZ = 400_000


HALF_US = 5  # half a period of 100 kHz, slow enough for any I2C device
CLOCKS = 9  # a byte and its acknowledgement


class SensorBus(Bus):
    """The two wires to the sensor. Call `free` before the first transfer."""

    def __init__(self, sda: int, scl: int) -> None:
        self._pins = (sda, scl)
        self._byte = bytearray(1)
        self._i2c = self._own()

    def free(self) -> None:
        """Clock out a device that holds the data line low, send a stop, and open the bus again.

        The procedure is in the I2C specification, 3.1.16. If a plug is pulled or a spark strikes in the middle of a
        byte, the sensor waits for the rest of that byte, and the I2C block of the chip can be in a wrong state too.
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
        """Return the chip's own I2C block, or a bus in software if only that one works.

        MicroPython 1.28.0 fails on an RP2350 at each write of a single byte (micropython#19514), and such a write
        clears the sensor's interrupt. The bus in software is slower but equally correct.
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
        """Return whether *bus* can write a single byte and read one. It reads the sensor's identity."""
        try:
            self._byte[0] = self.identity
            bus.writeto(self.address, self._byte)
            bus.readfrom_mem_into(self.address, self.identity, self._byte)
        except OSError:
            return False
        return True

    def set(self, command: int, value: int) -> None:
        """Write one byte; must not allocate."""
        self._byte[0] = value
        self._i2c.writeto_mem(self.address, command, self._byte)

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Fill *buffer*; must not allocate."""
        self._i2c.readfrom_mem_into(self.address, command, buffer)

    def command(self, command: int) -> None:
        """Send the command byte alone; must not allocate."""
        self._byte[0] = command
        self._i2c.writeto(self.address, self._byte)

    def wait_us(self, us: int) -> None:
        """Wait for *us* microseconds."""
        sleep_us(us)


def _pulse(clock: Pin) -> None:
    clock.value(0)
    sleep_us(HALF_US)
    clock.value(1)
    sleep_us(HALF_US)

"""The sensor's bus: a board's I2C, which waits for nobody longer than its own limit."""

from time import sleep_us

from machine import I2C, Pin
from wire.tcs34725 import ADDRESS, Bus

HZ = 400_000


class Wires(Bus):
    """The sensor's two wires."""

    def __init__(self, sda: int, scl: int) -> None:
        self._i2c = I2C(0, sda=Pin(sda), scl=Pin(scl), freq=HZ)
        self._byte = bytearray(1)

    def set(self, command: int, value: int) -> None:
        """Write one byte."""
        self._byte[0] = value
        self._i2c.writeto_mem(ADDRESS, command, self._byte)

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Fill *buffer*, and allocate nothing."""
        self._i2c.readfrom_mem_into(ADDRESS, command, buffer)

    def command(self, command: int) -> None:
        """Send the command byte alone, and allocate nothing."""
        self._byte[0] = command
        self._i2c.writeto(ADDRESS, self._byte)

    def wait_us(self, us: int) -> None:
        """Wait."""
        sleep_us(us)

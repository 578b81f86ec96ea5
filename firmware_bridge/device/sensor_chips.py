"""The table of colour sensors. A chip listed here works on boards, on a Raspberry Pi and in simulations.

A ring tries the chips in this order, each at its own address, and uses the first one that answers with its ID.
docs/add-a-sensor.md explains how to add a chip.
"""

from .apds9960 import Apds9960
from .sensor_driver import Chip
from .tcs34725 import Tcs34725

CHIPS: tuple[type[Chip], ...] = (
    Tcs34725,
    Apds9960,
)
USUAL = CHIPS[0]  # the default of simulated rings, and of a ring until a chip answers
CHOICES = tuple({0} | {gain for chip in CHIPS for gain in chip.GAINS})  # gains that owners may set; 0: automatic


def chip_named(name: str) -> type[Chip] | None:
    """Return the chip called *name*, or None.

    >>> chip_named("tcs34725").ADDRESS == 0x29
    True
    """
    for chip in CHIPS:
        if name == chip.NAME:
            return chip
    return None


def chip_like(name: str) -> type[Chip]:
    """Return the chip called *name*.

    If it is unknown, return the default chip: rings of other makers may report any name.
    """
    return chip_named(name) or USUAL

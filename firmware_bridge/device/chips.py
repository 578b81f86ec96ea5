"""The table of colour sensors: a chip that has a line here works on boards, on a Raspberry Pi and in simulations.

A ring tries them in this order, each at its own address, and takes the first that answers with its
own ID. docs/add-a-sensor.md says how a chip is added.
"""

from .apds9960 import Apds9960
from .sensor_chip import Chip
from .tcs34725 import Tcs34725

CHIPS: tuple[type[Chip], ...] = (
    Tcs34725,
    Apds9960,
)
USUAL = CHIPS[0]  # what a simulated ring has unless another is named, and what a ring expects until one answers
CHOICES = tuple({0} | {gain for chip in CHIPS for gain in chip.GAINS})  # gains for an owner; 0: the ring finds its own


def chip_named(name: str) -> type[Chip] | None:
    """Return the chip with a *name*, or None.

    >>> chip_named("tcs34725").ADDRESS == 0x29
    True
    """
    for chip in CHIPS:
        if name == chip.NAME:
            return chip
    return None


def chip_like(name: str) -> type[Chip]:
    """Return the chip with a *name*, or the usual one: other makers' rings may name theirs as they like."""
    return chip_named(name) or USUAL

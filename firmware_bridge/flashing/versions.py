"""Which MicroPython a ring's firmware runs on, and which has a fault that it has to go around."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

OLDEST = (1, 24)  # before, `machine.idle` could sleep for as long as nothing happened, heartbeats and all
CHIPS = ("RP2040", "RP2350")
Version = tuple[int, int, int]

KNOWN_BAD: Mapping[tuple[str, Version], str] = {
    ("RP2350", (1, 28, 0)): (
        "MicroPython 1.28.0 on an RP2350 fails at each I2C write of one byte (micropython#19514), and the ring's colour"
        " sensor needs such writes. Take 1.27.0."
    ),
}
"""What is wrong with a version on a chip, in one sentence and what to take instead: a line for each fault found."""


def too_old(version: Sequence[int | str]) -> bool:
    """Tell whether the firmware can't run on that *version*.

    >>> too_old((1, 23, 0, "")), too_old((1, 24))
    (True, False)
    """
    return tuple(version[:2]) < OLDEST


def known_fault(machine: str, version: Sequence[int | str]) -> str:
    """Return what is known to be wrong with *version* on a *machine* (or chip), empty for nothing.

    >>> known_fault("Raspberry Pi Pico 2 with RP2350", (1, 28, 0, ""))[:18]
    'MicroPython 1.28.0'
    >>> known_fault("RP2350", (1, 28)) == known_fault("RP2350", (1, 28, 0, "preview"))
    True
    >>> known_fault("Raspberry Pi Pico with RP2040", (1, 28, 0, "")), known_fault("RP2350", (1, 28, 1))
    ('', '')
    """
    numbers = (*version, 0, 0)[:3]
    return next((why for (chip, bad), why in KNOWN_BAD.items() if chip in machine and bad == numbers), "")

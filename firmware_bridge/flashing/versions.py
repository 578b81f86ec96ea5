"""The MicroPython versions on which the firmware runs, and their known faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

OLDEST = (1, 24)  # in earlier versions, `machine.idle` could sleep past a heartbeat until something happened
CHIPS = ("RP2040", "RP2350")
Version = tuple[int, int, int]

KNOWN_BAD: Mapping[tuple[str, Version], str] = {
    ("RP2350", (1, 28, 0)): (
        "MicroPython 1.28.0 on an RP2350 fails at each I2C write of one byte (micropython#19514), and the ring's colour"
        " sensor needs such writes. Take 1.27.0."
    ),
}
"""For each bad version on a chip: one sentence that describes the fault and names a version to use instead."""


def too_old(version: Sequence[int | str]) -> bool:
    """Return whether *version* of MicroPython is too old for the firmware.

    >>> too_old((1, 23, 0, "")), too_old((1, 24))
    (True, False)
    """
    return tuple(version[:2]) < OLDEST


def known_fault(machine: str, version: Sequence[int | str]) -> str:
    """Return the known fault of *version* of MicroPython on *machine* (or a chip), or an empty string.

    >>> known_fault("Raspberry Pi Pico 2 with RP2350", (1, 28, 0, ""))[:18]
    'MicroPython 1.28.0'
    >>> known_fault("RP2350", (1, 28)) == known_fault("RP2350", (1, 28, 0, "preview"))
    True
    >>> known_fault("Raspberry Pi Pico with RP2040", (1, 28, 0, "")), known_fault("RP2350", (1, 28, 1))
    ('', '')
    """
    numbers = (*version, 0, 0)[:3]
    return next((why for (chip, bad), why in KNOWN_BAD.items() if chip in machine and bad == numbers), "")

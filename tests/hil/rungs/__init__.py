"""All rungs of this suite, by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from firmware_bridge.device.sensor_chips import CHIPS, USUAL, chip_named
from firmware_bridge.kernel.errors import InputError
from rungs.rung import Missing
from tests.hil.ring import Ring

REAL = "real"
KINDS: Mapping[str, str] = {
    "virtual": "handled:Virtual",
    "virtual-pty": "behind:virtual",
    "gpio": "handled:on_pins",
    "emulated": "handled:on_wasm",
    "emulated-pty": "behind:emulated",
    "emulated-unix": "handled:on_unix",
    "chip": "chip:rung",
    "example": "example:rung",
    REAL: "real:RealRing",
}
"""The module and the function that make each kind of rung. A module is only imported when a rung of it is made."""
EVERY_RUN = ("virtual", "virtual-pty", "gpio", "emulated", "emulated-pty", "emulated-unix")
SENSED = frozenset({"virtual", "gpio", "emulated", "emulated-unix"})
"""Kinds that may have another sensor chip: its name follows, as in `virtual:apds9960`."""
IN_EVERY_RUN_WITH_EACH = ("virtual", "gpio")
NAMED = frozenset({"chip", "example", REAL})
"""Kinds that only run if they are named. The name is followed by a UF2 file, a fault, or the address of a ring."""


def names() -> list[str]:
    """Return the rungs of every run. The fast ones also run with every other sensor chip."""
    sensed = [f"{kind}:{chip.NAME}" for kind in IN_EVERY_RUN_WITH_EACH for chip in CHIPS if chip is not USUAL]
    return [*EVERY_RUN, *sensed]


def no_unix_port() -> str:
    """Return what to install for `emulated-unix`, the only rung that may be missing, or "" if it can run."""
    from firmware_bridge.simulation.emulated.runtimes import command

    try:
        command("unix", Path())
    except InputError as missing:
        return str(missing)
    return ""


def maker(name: str) -> Callable[[], Ring]:
    """Return a function that makes a new ring of the rung *name*. Raise `Missing` if there is no such rung.

    >>> maker("gpio:apds9961")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    rungs.rung.Missing: no such chip: apds9961 (choose from tcs34725, apds9960...)
    """
    kind, colon, more = name.partition(":")
    if kind not in KINDS:
        raise Missing(f"no such rung: {kind} (choose from {', '.join(sorted(KINDS))})")
    if colon and kind not in SENSED | NAMED:
        raise Missing(f"nothing may follow {kind}")
    chip = chip_named(more) if colon else USUAL
    if kind in SENSED and chip is None:
        raise Missing(f"no such chip: {more} (choose from {', '.join(each.NAME for each in CHIPS)})")

    def make() -> Ring:
        module, _, function = KINDS[kind].partition(":")
        ring: Ring = getattr(import_module(f"{__name__}.{module}"), function)(
            *([chip] if kind in SENSED else [more] if kind in NAMED else [])
        )
        ring.name = kind if kind == REAL else name
        return ring

    return make

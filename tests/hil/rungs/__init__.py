"""All rungs: one module each, with a function `rung(folder)` that makes one. A new module here is a new rung.

A rung that some machines don't have also has a function `absent()`, which returns the reason why it is left out. If any
other rung can't be started, its tests fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import ModuleType

from firmware_bridge.device.chips import CHIPS, USUAL, chip_named
from firmware_bridge.device.sensor_chip import Chip
from tests.hil.rung import Missing, Rung

REAL = "real"
CHIP = "chip"
ASKED_FOR = frozenset({REAL, CHIP, "example"})
"""Rungs that only run if they are named."""

SENSED = ("virtual", "gpio")


def names() -> list[str]:
    """Return the rungs of every run, from the virtual ring to those that are most like a real one.

    The cheap ones also run with each other sensor chip, for example `virtual:apds9960`.
    """
    found = _kinds() - ASKED_FOR
    found |= {f"{kind}:{chip.NAME}" for kind in SENSED for chip in CHIPS if chip is not USUAL}
    return sorted(found, key=lambda name: (re.split("[-:]", name)[0] != "virtual", name))


def absent() -> dict[str, str]:
    """Return the rungs that are left out, each with the reason."""
    found = {name: getattr(module(name), "absent", str)() for name in names()}
    return {name: why for name, why in found.items() if why}


def module(name: str) -> ModuleType:
    """Return the module of the rung *name*."""
    return import_module(f"{__name__}.{name.partition(':')[0].replace('-', '_')}")


def made(name: str, folder: Path) -> Rung:
    """Return a new ring of the rung *name*. Raises `Missing`, which says what this machine or the name lacks.

    The ring may use files in *folder*. What follows a colon in the name is passed to the rung, a chip by its class.
    """
    make, more = _asked_for(name)
    ring = make(folder, *more)
    ring.name = name
    return ring


def check(name: str) -> None:
    """Raise `Missing` if there is no rung called *name*. It lists what can be chosen.

    >>> check("gpio:apds9960")
    >>> check("gpio:apds9961")
    Traceback (most recent call last):
    tests.hil.rung.Missing: gpio:apds9961: no such chip: apds9961 (choose from tcs34725, apds9960)
    """
    _asked_for(name)


def _asked_for(name: str) -> tuple[Callable[..., Rung], list[str | type[Chip]]]:
    kind, colon, more = name.partition(":")
    if kind not in _kinds() - {REAL}:
        raise Missing(f"{name}: no such rung: {kind} (choose from {', '.join(sorted(_kinds() - {REAL}))})")
    make: Callable[..., Rung] = module(name).rung
    takes = list(signature(make).parameters)[1:]
    if not colon:
        return make, []
    if not takes:
        raise Missing(f"{name}: nothing may follow {kind}")
    return make, [_chip(name, more) if takes == ["sensor"] else more]


def _chip(name: str, sensor: str) -> type[Chip]:
    chip = chip_named(sensor)
    if chip is None:
        choices = ", ".join(each.NAME for each in CHIPS)
        raise Missing(f"{name}: no such chip: {sensor} (choose from {choices})")
    return chip


def _kinds() -> set[str]:
    return {path.stem.replace("_", "-") for path in Path(__file__).parent.glob("[a-z]*.py")}

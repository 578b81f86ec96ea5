"""All rungs: one module each, with a function `rung(folder)` that makes one. A new module here is a new rung.

A rung that some machines don't have also has a function `absent()`, which returns the reason why it is left out. If any
other rung can't be started, its tests fail.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

from firmware_bridge.device.chips import CHIPS, USUAL
from tests.hil.rung import Rung

REAL = "real"
CHIP = "chip"
ASKED_FOR = frozenset({REAL, CHIP, "example"})
"""Rungs that only run if they are named."""

SENSED = ("virtual", "gpio")


def names() -> list[str]:
    """Return the rungs of every run, from the virtual ring to those that are most like a real one.

    The cheap ones also run with each other sensor chip, for example `virtual:apds9960`.
    """
    found = {path.stem.replace("_", "-") for path in Path(__file__).parent.glob("[a-z]*.py")} - ASKED_FOR
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
    """Return a new ring of the rung *name*. Raises `Missing`, which says what this machine lacks.

    The ring may use files in *folder*. What follows a colon in the name is passed to the rung.
    """
    _, _, more = name.partition(":")
    ring: Rung = module(name).rung(folder, *[more] * bool(more))
    ring.name = name
    return ring

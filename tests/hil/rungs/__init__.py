"""All rungs: a module each, whose `rung(folder)` makes one; whoever adds a module has added a rung.

One that need not be had everywhere has an `absent()` too, which says why it is
left out; any other that cannot be had fails.
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
"""Rungs that are run only when they are named."""

SENSED = ("virtual", "gpio")


def names() -> list[str]:
    """Return the rungs of every run, from the nearest to the host to the nearest to a ring on the desk.

    Those that cost little are run with each other chip of a sensor too: `virtual:apds9960`.
    """
    found = {path.stem.replace("_", "-") for path in Path(__file__).parent.glob("[a-z]*.py")} - ASKED_FOR
    found |= {f"{kind}:{chip.NAME}" for kind in SENSED for chip in CHIPS if chip is not USUAL}
    return sorted(found, key=lambda name: (re.split("[-:]", name)[0] != "virtual", name))


def absent() -> dict[str, str]:
    """Return why a rung is left out, by its name."""
    found = {name: getattr(module(name), "absent", str)() for name in names()}
    return {name: why for name, why in found.items() if why}


def module(name: str) -> ModuleType:
    """Return the module of the rung *name*."""
    return import_module(f"{__name__}.{name.partition(':')[0].replace('-', '_')}")


def made(name: str, folder: Path) -> Rung:
    """Return a fresh ring of the rung *name*, which may keep files in *folder*; `Missing` says what is not there.

    What stands behind a colon in the name is the rung's own.
    """
    _, _, more = name.partition(":")
    ring: Rung = module(name).rung(folder, *[more] * bool(more))
    ring.name = name
    return ring

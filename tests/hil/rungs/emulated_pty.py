"""The emulated board as a process of its own behind a pseudo-terminal, in real time."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from tests.hil.behind import Behind
from tests.hil.rung import Rung


class EmulatedPty(Behind):
    """The ring of `companion ring emulate`."""

    cannot: ClassVar = {"leisure": "each slide takes its own time here: held where time is handed in"}


def rung(folder: Path) -> Rung:
    """Return a new ring."""
    return EmulatedPty(["emulate"], folder)

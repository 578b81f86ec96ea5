"""The emulated board as a process of its own behind a pseudo-terminal, in real time."""

from __future__ import annotations

from pathlib import Path

from tests.hil.behind import Behind
from tests.hil.rung import Rung


def rung(folder: Path) -> Rung:
    """Return a fresh one."""
    return Behind(["emulate"], folder)

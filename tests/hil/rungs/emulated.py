"""The emulated board on MicroPython's WebAssembly port, with its time handed in."""

from __future__ import annotations

from pathlib import Path

from tests.hil.emulated import board
from tests.hil.rung import Rung


def rung(folder: Path) -> Rung:
    """Return a fresh one."""
    return board("wasm")

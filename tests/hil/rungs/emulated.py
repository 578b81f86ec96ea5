"""The emulated board on MicroPython's WebAssembly port, with simulated time."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.device.chips import USUAL
from firmware_bridge.device.sensor_chip import Chip
from tests.hil.emulated import board
from tests.hil.rung import Rung


def rung(folder: Path, sensor: type[Chip] = USUAL) -> Rung:
    """Return a new board with the chip *sensor*."""
    return board("wasm", sensor)

"""The emulated board on MicroPython's unix port, with simulated time. Only where that port is installed."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.device.chips import USUAL
from firmware_bridge.device.sensor_chip import Chip
from firmware_bridge.kernel.errors import BadInput
from firmware_bridge.simulation.emulated.runtimes import command
from tests.hil.emulated import board
from tests.hil.rung import Rung


def absent() -> str:
    """Return what to install for it, "" if it can run."""
    try:
        command("unix", Path())
    except BadInput as missing:
        return str(missing)
    return ""


def rung(folder: Path, sensor: type[Chip] = USUAL) -> Rung:
    """Return a new board with the chip *sensor*."""
    return board("unix", sensor)

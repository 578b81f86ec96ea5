"""The virtual ring in this process, with simulated time and a direct wire."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from random import Random
from typing import ClassVar

from firmware_bridge.device.chips import USUAL
from firmware_bridge.device.sensor_chip import Chip
from firmware_bridge.simulation.physics.world import IDEAL
from firmware_bridge.simulation.virtual import VirtualRing
from tests.hil.handled import Handled
from tests.hil.rung import Rung
from tests.hil.stepped import START_S


class Virtual(Handled):
    """A virtual ring in this process."""

    standing = False
    cannot: ClassVar = {
        "edge times": "its clock leaps over passages: they take no time",
        "unread": "its wire in this program takes all that it says",
    }


def rung(folder: Path, sensor: type[Chip] = USUAL) -> Rung:
    """Return a new ring with the chip *sensor*."""
    boots = (f"{number:08x}" for number in count(1))
    return Virtual(VirtualRing(IDEAL, Random(1), boots.__next__, START_S, chip=sensor))

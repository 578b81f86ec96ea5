"""The emulated board as a rung: the firmware's own bytecode on MicroPython, with simulated hardware and time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random

from firmware_bridge.device.chips import USUAL
from firmware_bridge.device.sensor_chip import Chip
from firmware_bridge.kernel.errors import BadInput
from firmware_bridge.simulation.emulated import EmulatedRing
from firmware_bridge.simulation.emulated.runtimes import PACKAGE, home
from firmware_bridge.simulation.physics.world import IDEAL
from tests.hil.handled import Handled
from tests.hil.rung import Missing, Rung
from tests.hil.stepped import START_S

HEAP_KB = {"wasm": "160 kB", "unix": "320 kB, as its words are twice as long as a board's"}
RESTS_S = 0.2


class Emulated(Handled):
    """A board on one of MicroPython's ports."""

    def __init__(self, ring: EmulatedRing, port: str) -> None:
        super().__init__(ring)
        self._ring = ring
        self._port = port

    def facts(self) -> Mapping[str, object]:
        """Return the MicroPython version and port, and how much memory was used."""
        board = self._ring.board
        board.measure()
        self.wait(RESTS_S)
        facts: dict[str, object] = {
            "port": f"MicroPython{version(self._port)}, {self._port}",
            "heap": HEAP_KB[self._port],
        }
        if board.memory:
            facts["memory used"] = board.memory.used
        if (
            board.memory and self._port == "wasm"
        ):  # The other port only collects garbage when its heap is full, so its free memory says nothing.
            facts["memory free"] = board.memory.least_free
        return facts

    def close(self) -> None:
        """Switch the board off."""
        self._ring.close()


def version(port: str) -> str:
    """Return the version of MicroPython, "" if it isn't known."""
    package = home() / PACKAGE / "package.json"
    if port != "wasm" or not package.is_file():
        return ""
    return f" {json.loads(package.read_text(encoding='utf-8'))['version']}"


def board(port: str, sensor: type[Chip] = USUAL) -> Rung:
    """Return a new board on *port* with the chip *sensor*. Raises `Missing`, which says what to install."""
    try:
        return Emulated(EmulatedRing(IDEAL, Random(1), START_S, port, sensor=sensor), port)
    except BadInput as fault:
        raise Missing(str(fault)) from None

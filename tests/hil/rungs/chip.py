"""The firmware on an emulated RP2040 with MicroPython's own build (`pytest --chip=UF2`), with simulated time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

from firmware_bridge.firmware_image.errors import FirmwareFault
from firmware_bridge.flashing.uf2 import Image, flash_of, read_uf2
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.simulation.chip import ChipBoard, ChipFlash, demand
from firmware_bridge.simulation.emulated import EmulatedRing
from firmware_bridge.simulation.physics.world import IDEAL
from rungs.rung import Missing
from tests.hil.ring import Ring
from tests.hil.rungs.handled import START_S, Handled

STARTS_S = 1.5  # a chip needs half a second before it checks its gate, and half a second to measure white and dark
POKE_US = 50_000  # a host that stops reading blocks the chip once for 1.3 s: its buffer of 64 edges must last so long


class Chip(Handled):
    """A ring on an emulated chip."""

    def __init__(self, ring: EmulatedRing, image: Image) -> None:
        super().__init__(ring)
        ring.poke_us = POKE_US
        self._ring = ring
        self._image = image
        self.wait(STARTS_S)

    @property
    def board(self) -> ChipBoard:
        """The chip."""
        board = self._ring.board
        assert isinstance(board, ChipBoard)
        return board

    def facts(self) -> Mapping[str, object]:
        """Return which build runs on which chip."""
        port = f"{self._image.words}, on an emulated {self._image.chip}"
        return {**super().facts(), "port": port, "uf2": self._image.digest}

    def close(self) -> None:
        """Switch the chip off."""
        self._ring.close()


def rung(uf2: str) -> Ring:
    """Return a new ring with the MicroPython in the file *uf2*."""
    try:
        demand()
        image = read_uf2(Path(uf2))
        flash = ChipFlash(flash_of(Path(uf2)))
        return Chip(EmulatedRing(IDEAL, Random(1), START_S, make=flash.board), image)
    except (InputError, FirmwareFault) as fault:
        raise Missing(str(fault)) from None

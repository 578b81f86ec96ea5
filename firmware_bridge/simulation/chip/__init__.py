"""The chip that is not there: an RP2040 emulated instruction by instruction, with our firmware on it."""

from firmware_bridge.simulation.chip.board import ChipBoard
from firmware_bridge.simulation.chip.flash import ChipFlash
from firmware_bridge.simulation.chip.tools import demand, lacking

__all__ = ["ChipBoard", "ChipFlash", "demand", "lacking"]

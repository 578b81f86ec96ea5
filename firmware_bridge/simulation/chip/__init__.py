"""A board whose chip is emulated: an RP2040, emulated instruction by instruction, runs our firmware."""

from firmware_bridge.simulation.chip.board import ChipBoard
from firmware_bridge.simulation.chip.flash import ChipFlash
from firmware_bridge.simulation.chip.tools import demand, lacking

__all__ = ["ChipBoard", "ChipFlash", "demand", "lacking"]

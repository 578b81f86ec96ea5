"""A board that is not there: MicroPython in a child process, running the firmware unmodified over a simulated gate."""

from firmware_bridge.simulation.emulated.board import EmulatedBoard, Memory
from firmware_bridge.simulation.emulated.child_process import Crashed
from firmware_bridge.simulation.emulated.ring import EmulatedRing

__all__ = ["Crashed", "EmulatedBoard", "EmulatedRing", "Memory"]

"""A board that is not there: MicroPython in a child process, running the firmware unmodified over a simulated gate."""

from firmware_bridge.simulation.emulated.board import EmulatedBoard, HeapUse
from firmware_bridge.simulation.emulated.child_process import Crashed
from firmware_bridge.simulation.emulated.ring import EmulatedRing, began

__all__ = ["Crashed", "EmulatedBoard", "EmulatedRing", "HeapUse", "began"]

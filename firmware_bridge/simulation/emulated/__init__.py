"""An emulated board: MicroPython in a child process runs the unmodified firmware, connected to a simulated gate."""

from firmware_bridge.simulation.emulated.board import EmulatedBoard, HeapUse
from firmware_bridge.simulation.emulated.child_process import Crashed
from firmware_bridge.simulation.emulated.ring import EmulatedRing, began

__all__ = ["Crashed", "EmulatedBoard", "EmulatedRing", "HeapUse", "began"]

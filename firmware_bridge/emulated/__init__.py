"""A board that is not there: MicroPython in a child process, running the firmware unmodified over a simulated gate."""

from firmware_bridge.emulated.board import EmulatedBoard, Memory
from firmware_bridge.emulated.child import Crashed

__all__ = ["Crashed", "EmulatedBoard", "Memory"]

"""A gate that is not there: pins and a sensor's registers in time, for firmware that does not know."""

from firmware_bridge.simulation.testbench.actions import Happened
from firmware_bridge.simulation.testbench.gate import Bus, Change, SimulatedGate
from firmware_bridge.simulation.testbench.tcs34725 import Registers

__all__ = ["Bus", "Change", "Happened", "Registers", "SimulatedGate"]

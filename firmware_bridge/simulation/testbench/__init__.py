"""A gate that is not there: pins and a sensor's registers in time, for firmware that does not know."""

from firmware_bridge.simulation.testbench.actions import HandAction
from firmware_bridge.simulation.testbench.gate import Change, GateBus, SimulatedGate
from firmware_bridge.simulation.testbench.tcs34725 import SensorRegisters

__all__ = ["Change", "GateBus", "HandAction", "SensorRegisters", "SimulatedGate"]

"""A simulated gate at the level of pins and sensor registers, so that unmodified firmware can run on it."""

from firmware_bridge.simulation.testbench.actions import HandAction
from firmware_bridge.simulation.testbench.gate import Change, GateBus, Registers, SimulatedGate, registers_of
from firmware_bridge.simulation.testbench.sensor_registers import SensorRegisters

__all__ = ["Change", "GateBus", "HandAction", "Registers", "SensorRegisters", "SimulatedGate", "registers_of"]

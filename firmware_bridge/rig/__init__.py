"""A gate that is not there: pins and a sensor's registers in time, for firmware that does not know."""

from firmware_bridge.rig.deeds import Happened
from firmware_bridge.rig.rig import Bus, Change, Rig
from firmware_bridge.rig.tcs34725 import Registers

__all__ = ["Bus", "Change", "Happened", "Registers", "Rig"]

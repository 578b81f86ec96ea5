"""A virtual ring: the device's end of the wire in this process, with real bytes, faults and ground truth."""

from firmware_bridge.simulation.virtual.ring import VirtualRing

__all__ = ["VirtualRing"]

"""A virtual ring: it runs in this process as the device's end of a wire, with real bytes, faults and ground truth."""

from firmware_bridge.simulation.virtual.ring import VirtualRing

__all__ = ["VirtualRing"]

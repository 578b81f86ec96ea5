"""A ring that is not there: the other end of the wire, with real bytes, its own faults and a truth to compare with."""

from firmware_bridge.simulation.virtual.ring import VirtualRing

__all__ = ["VirtualRing"]

"""The way to a ring: addresses in, events and views out; knows devices, and no game."""

from firmware_bridge.colour import Judge, Nominal, Reading, calibration_of
from firmware_bridge.faults import BadInput
from firmware_bridge.opening import NoRing, open_ring
from firmware_bridge.ring import Ring
from firmware_bridge.visiting import look_at

__all__ = ["BadInput", "Judge", "NoRing", "Nominal", "Reading", "Ring", "calibration_of", "look_at", "open_ring"]

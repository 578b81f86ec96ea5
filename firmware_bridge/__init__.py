"""Everything between the companion and a ring. Opens the ring at an address, and yields its events and views.

It does not import any game.
"""

from companion.ports.ring import NoRing
from firmware_bridge.client.ring import Ring
from firmware_bridge.colour import Judge, Nominal, Reading, calibration_of
from firmware_bridge.factory.open import open_ring
from firmware_bridge.factory.probe import look_at
from firmware_bridge.kernel.errors import InputError

__all__ = ["InputError", "Judge", "NoRing", "Nominal", "Reading", "Ring", "calibration_of", "look_at", "open_ring"]

"""A hardware-in-the-loop test kit: one promise, one test, every rung from a model to the board on the desk."""

from rungs.rung import Missing, Rung, Spec, Unable
from rungs.wire import Wire, WireLost, open_wire

__all__ = ["Missing", "Rung", "Spec", "Unable", "Wire", "WireLost", "open_wire"]

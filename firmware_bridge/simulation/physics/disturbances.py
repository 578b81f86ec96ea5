"""Faults of light and sensor. Each fault is a change of the world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from firmware_bridge.simulation.physics.world import World

Change = Callable[[World], World]

# Each change creates the cause of a fault. The board has to detect the fault by its own rules.
LIGHT_CHANGES: Mapping[str, Change] = {
    "ambient_light": lambda world: replace(world, ambient=0.8),
    "dirty_window": lambda world: replace(world, drift=world.drift * 0.6),
    "clean_window": lambda world: replace(world, drift=world.drift * 1.5),
}
GLARE: Mapping[str, Change] = {"saturated": lambda world: replace(world, ambient=25.0, ambient_modulation=0.0)}
"""Light that reaches the sensor only through the open gate. It saturates every chip, at any suitable gain."""
MISSING = "sensor_missing"
CAUSES = (*LIGHT_CHANGES, *GLARE, MISSING)
"""Faults of light or sensor during which the cube itself moves normally."""

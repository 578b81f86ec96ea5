"""Faults of light and sensor, each as a change of the world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from firmware_bridge.simulation.physics.world import World

Change = Callable[[World], World]

# Each creates the cause of a fault. Detecting it is left to the board's own rules.
LIGHT_CHANGES: Mapping[str, Change] = {
    "ambient_light": lambda world: replace(world, ambient=0.8),
    "dirty_window": lambda world: replace(world, drift=world.drift * 0.6),
}
GLARE: Mapping[str, Change] = {"saturated": lambda world: replace(world, ambient=25.0, ambient_modulation=0.0)}
"""Light that only reaches the sensor through the open gate. It saturates every chip at any gain that suits it."""
MISSING = "sensor_missing"
CAUSES = (*LIGHT_CHANGES, *GLARE, MISSING)
"""Faults of light or sensor during which the cube itself moves normally."""

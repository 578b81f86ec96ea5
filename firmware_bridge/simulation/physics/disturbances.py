"""What may go wrong with the light at the gate, each as a change of the world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from firmware_bridge.simulation.physics.world import World

Change = Callable[[World], World]

# Each makes the fault's own cause, and leaves it to the rules of the board to notice.
WEATHER: Mapping[str, Change] = {
    "ambient_light": lambda world: replace(world, ambient=0.8),
    "dirty_window": lambda world: replace(world, drift=world.drift * 0.6),
}
GLARE: Mapping[str, Change] = {"saturated": lambda world: replace(world, ambient=5.0, ambient_modulation=0.0)}
"""What shines into the open gate only."""
MISSING = "sensor_missing"
CAUSES = (*WEATHER, *GLARE, MISSING)
"""What goes wrong with light or sensor, while the cube does as it should."""

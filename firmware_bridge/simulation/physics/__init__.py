"""The physics of the simulated world: cubes, light and hands. All simulated rings share this model."""

from firmware_bridge.simulation.physics.bench import Passing, PhysicsBench, References, SensorFrame
from firmware_bridge.simulation.physics.cube import Cube
from firmware_bridge.simulation.physics.motion import KINDS, Edge
from firmware_bridge.simulation.physics.scene import Going, Still

__all__ = ["KINDS", "Cube", "Edge", "Going", "Passing", "PhysicsBench", "References", "SensorFrame", "Still"]

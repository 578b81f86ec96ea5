"""The simulated world at work: cubes, light and hands, one model for every ring that is not real."""

from firmware_bridge.simulation.physics.bench import Passing, PhysicsBench, References, SensorFrame
from firmware_bridge.simulation.physics.cube import Cube
from firmware_bridge.simulation.physics.motion import KINDS, Edge
from firmware_bridge.simulation.physics.scene import Going, Still

__all__ = ["KINDS", "Cube", "Edge", "Going", "Passing", "PhysicsBench", "References", "SensorFrame", "Still"]

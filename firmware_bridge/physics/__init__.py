"""The simulated world at work: cubes, light and hands, one model for every ring that is not real."""

from firmware_bridge.physics.bench import Bench, Frame, Passing, References
from firmware_bridge.physics.cube import Cube
from firmware_bridge.physics.going import Going, Still
from firmware_bridge.physics.motion import KINDS, Edge

__all__ = ["KINDS", "Bench", "Cube", "Edge", "Frame", "Going", "Passing", "References", "Still"]

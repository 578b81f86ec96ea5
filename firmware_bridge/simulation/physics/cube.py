"""The cubes of one copy of the game. Each cube has the paint of its colour, with a fixed deviation of its own."""

from __future__ import annotations

from random import Random

from companion.kernel.values import dataclass
from firmware_bridge.colour.channels import Channels
from firmware_bridge.simulation.physics.world import World


@dataclass(frozen=True)
class Cube:
    """One cube: the name of its colour, and its reflectance (R, G, B, clear; 1 is perfect white)."""

    colour: str
    reflects: Channels


def painted(world: World, colour: str, lots: Random) -> tuple[Cube, ...]:
    """Return the cubes of *colour*.

    Each channel of each cube deviates randomly, with standard deviation `paint_sigma`.
    """
    return tuple(Cube(colour, _shade(world, colour, lots)) for _ in range(world.cubes_per_colour))


def _shade(world: World, colour: str, lots: Random) -> Channels:
    r, g, b, c = (p * (1 + lots.gauss(0, world.paint_sigma)) for p in world.reflectance[colour])
    return r, g, b, c

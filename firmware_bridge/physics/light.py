"""What the colour sensor counts: lamp off cube, board and window, light of the room, noise, whole counts."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, pi, sin, sqrt
from random import Random

from firmware_bridge.reflectance import Channels
from firmware_bridge.world import AMBIENT, FULL_SCALE, World

Counts = tuple[int, int, int, int]

STEP_S = 0.0024
READ_NOISE = 0.5  # counts
SHOT_NOISE = 0.003  # of the signal
OFF: Channels = (0.0, 0.0, 0.0, 0.0)


class Light:
    """The lamp and the room over one passage: flicker has a phase, and so has the moment that it begins."""

    def __init__(self, world: World, dark: Sequence[int], lots: Random) -> None:
        self._world = world
        self._dark = dark
        self._lots = lots
        self._phase = lots.uniform(0, 2 * pi)

    def counts(self, seen: Channels, at: float, lamp: bool = True) -> Counts:
        """Return one frame of one step, begun at *at* seconds, while *seen* of the lamp's light is thrown back."""
        world = self._world
        room = world.white_counts * world.ambient * (1 + world.ambient_modulation * self._flicker(at))
        lit = world.white_counts * world.drift if lamp else 0.0
        r, g, b, c = (
            self._counted(lit * colour * back + room * daylight + dark)
            for colour, back, daylight, dark in zip(world.lamp, seen, AMBIENT, self._dark, strict=True)
        )
        return r, g, b, c

    def _flicker(self, at: float) -> float:
        """The room's wave, from -1 to 1, averaged over a frame."""
        half = pi * self._world.ambient_hz * STEP_S
        damped = sin(half) / half if half else 1.0
        return damped * sin(2 * pi * self._world.ambient_hz * (at + STEP_S / 2) + self._phase)

    def _counted(self, level: float) -> int:
        noise = self._lots.gauss(0, sqrt(READ_NOISE**2 + (SHOT_NOISE * level) ** 2))
        return min(max(floor(level + noise), 0), FULL_SCALE)

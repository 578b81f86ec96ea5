"""What the colour sensor counts: lamp off cube, board and window, light of the room, noise, whole counts."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, pi, sin, sqrt
from random import Random

from firmware_bridge.colour.channels import Channels, Counts
from firmware_bridge.simulation.physics.world import AMBIENT, FULL_SCALE, World

STEP_S = 0.0024
GAIN = 60  # at which a world's counts are told (WORLD.md)
MOST_COUNTS = 65_535  # a register's 16 bits, however long a frame takes
READ_NOISE = 0.5  # counts
SHOT_NOISE = 0.003  # of the signal
OFF: Channels = (0.0, 0.0, 0.0, 0.0)


class Light:
    """The lamp and the room over one passage: flicker has a phase, and so has the moment that it begins.

    *noise* has the lots of the sensor's own noise, if they are not to come
    from *lots*: then what happens does not depend on how many frames are taken.
    """

    def __init__(self, world: World, dark: Sequence[int], lots: Random, noise: Random | None = None) -> None:
        self._world = world
        self._dark = dark
        self._gauss = (noise or lots).gauss
        self._phase = lots.uniform(0, 2 * pi)
        lit = world.white_counts * world.drift
        self._lamp = tuple(lit * colour for colour in world.lamp)
        self._room = world.white_counts * world.ambient

    def counts(self, seen: Channels, at: float, lamp: bool = True, steps: int = 1, gain: int = GAIN) -> Counts:
        """Return one frame of *steps*, begun at *at* seconds, while *seen* of the lamp's light is thrown back."""
        lit = self._lamp if lamp else OFF
        room = self._room and self._room * (1 + self._world.ambient_modulation * self._flicker(at, steps * STEP_S))
        times, most = steps * gain / GAIN, min(steps * FULL_SCALE, MOST_COUNTS)
        r, g, b, c = [
            self._counted((shone * back + room * daylight) * times + dark, most)
            for shone, back, daylight, dark in zip(lit, seen, AMBIENT, self._dark, strict=True)
        ]
        return r, g, b, c

    def _flicker(self, at: float, lasts: float) -> float:
        """The room's wave, from -1 to 1, averaged over a frame."""
        half = pi * self._world.ambient_hz * lasts
        damped = sin(half) / half if half else 1.0
        return damped * sin(2 * pi * self._world.ambient_hz * (at + lasts / 2) + self._phase)

    def _counted(self, level: float, most: int) -> int:
        shot = SHOT_NOISE * level
        counted = floor(level + self._gauss(0, sqrt(READ_NOISE * READ_NOISE + shot * shot)))
        return 0 if counted < 0 else most if counted > most else counted

"""Computes the colour sensor's counts from reflected lamp light (cube, board and window), room light, and noise.

World files use a TCS34725's counts (hardware/WORLD.md), which are converted to those of another chip. A datasheet gives
the response of each filter to three narrow-band lights. From the red, green and blue counts of a TCS34725 we compute
how much of each of these lights a lamp emits, and from that the counts of another chip. The clear channels of two chips
differ by a constant factor. For paint we assume that a colour reflects the same share of light in each channel for
every chip. None of this was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, pi, sin, sqrt
from random import Random

from firmware_bridge.colour.channels import Channels, Counts
from firmware_bridge.device.sensor_chips import USUAL
from firmware_bridge.device.sensor_driver import Chip
from firmware_bridge.simulation.physics.world import AMBIENT, World

GAIN = 60  # the gain for which a world's counts are given (WORLD.md)
BRIGHTEST = 700  # counts of a perfect white in the brightest world, which do not saturate a TCS34725 at `GAIN`

Rows = tuple[tuple[float, ...], ...]


def seen_by(chip: type[Chip], light: Channels) -> Channels:
    """Convert *light*, the counts of a TCS34725 in one step, to the counts of *chip* in one step at the same gain."""
    if chip is USUAL:
        return light
    clear = _clear(chip)
    rows = _product(chip.RESPONSES, _inverse(USUAL.RESPONSES))
    r, g, b = [max(clear * sum(x * y for x, y in zip(row, light, strict=False)), 0.0) for row in rows]
    return r, g, b, clear * light[3]


def usual_gain(chip: type[Chip], white_counts: float) -> int:
    """Return the gain that a ring with this *chip* chooses: the highest gain at which white does not saturate.

    >>> usual_gain(USUAL, 400)
    60
    """
    white = white_counts * _clear(chip) / GAIN
    suiting = [gain for gain in chip.GAINS if white * gain <= BRIGHTEST * chip.FULL / USUAL.FULL]
    return max(suiting, default=min(chip.GAINS))


def _clear(chip: type[Chip]) -> float:
    return chip.CLEAR_RESPONSE / USUAL.CLEAR_RESPONSE


def _product(one: Rows, other: Rows) -> Rows:
    columns = list(zip(*other, strict=True))
    return tuple(tuple(sum(x * y for x, y in zip(row, column, strict=True)) for column in columns) for row in one)


def _inverse(of: Rows) -> Rows:
    """Return the inverse of a 3 x 3 matrix, computed from its cofactors."""
    (a, b, c), (d, e, f), (g, h, i) = of
    whole = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    cofactors = (
        (e * i - f * h, c * h - b * i, b * f - c * e),
        (f * g - d * i, a * i - c * g, c * d - a * f),
        (d * h - e * g, b * g - a * h, a * e - b * d),
    )
    return tuple(tuple(each / whole for each in row) for row in cofactors)


MOST_COUNTS = 65_535  # a sensor's registers have 16 bits
READ_NOISE = 0.5  # counts
SHOT_NOISE = 0.003  # relative to the signal
OFF: Channels = (0.0, 0.0, 0.0, 0.0)


class Light:
    """The lamp and the room light during one passage. Flicker starts at a random phase.

    If *noise* is given, the sensor's noise comes from that random generator, not from *lots*. The course of events then
    does not depend on the number of frames that are taken. *chip* is the sensor. `step_s` is the exposure of one of its
    steps.
    """

    def __init__(
        self,
        world: World,
        dark: Sequence[int],
        lots: Random,
        noise: Random | None = None,
        chip: type[Chip] = USUAL,
    ) -> None:
        self.step_s = chip.STEP_US / 1e6
        self._full = chip.FULL
        self._gain = usual_gain(chip, world.white_counts)
        self._world = world
        self._dark = dark
        self._gauss = (noise or lots).gauss
        self._phase = lots.uniform(0, 2 * pi)
        lit = world.white_counts * world.drift
        self._lamp = tuple(lit * colour for colour in seen_by(chip, world.lamp))
        self._daylight = seen_by(chip, AMBIENT)
        self._room = world.white_counts * world.ambient

    def counts(self, seen: Channels, at: float, lamp: bool = True, steps: int = 1, gain: int = 0) -> Counts:
        """Return the counts of a frame that starts at *at* seconds and takes a number of *steps*.

        *seen* is the reflectance.

        A *gain* of 0 means the gain that a ring chooses in this world.
        """
        lit = self._lamp if lamp else OFF
        room = self._room and self._room * (1 + self._world.ambient_modulation * self._flicker(at, steps * self.step_s))
        times, most = steps * (gain or self._gain) / GAIN, min(steps * self._full, MOST_COUNTS)
        r, g, b, c = [
            self._counted((shone * back + room * daylight) * times + dark, most)
            for shone, back, daylight, dark in zip(lit, seen, self._daylight, self._dark, strict=True)
        ]
        return r, g, b, c

    def _flicker(self, at: float, lasts: float) -> float:
        """Return the flicker of the room light, from -1 to 1, averaged over a frame."""
        half = pi * self._world.ambient_hz * lasts
        damped = sin(half) / half if half else 1.0
        return damped * sin(2 * pi * self._world.ambient_hz * (at + lasts / 2) + self._phase)

    def _counted(self, level: float, most: int) -> int:
        shot = SHOT_NOISE * level
        counted = floor(level + self._gauss(0, sqrt(READ_NOISE * READ_NOISE + shot * shot)))
        return 0 if counted < 0 else most if counted > most else counted

"""How bright the lights of a world are for a chip. A world's counts are a TCS34725's (hardware/WORLD.md).

A datasheet gives the response of each filter to three narrow lights. The red, green and blue of a
TCS34725 say how much of each of these lights there is in a lamp, so they also say what another
chip's filters count of that lamp. The clear channel differs by one factor. Paint is simpler: a
colour reflects the same part of each channel for every chip. Nothing of this was measured.
"""

from __future__ import annotations

from firmware_bridge.colour.channels import Channels
from firmware_bridge.device.chips import USUAL
from firmware_bridge.device.sensor_chip import Chip

GAIN = 60  # the gain for which a world's counts are given (WORLD.md)
BRIGHTEST = 700  # counts of a perfect white in the brightest world: at `GAIN` a TCS34725 is never saturated by it

Rows = tuple[tuple[float, ...], ...]


def seen_by(chip: type[Chip], light: Channels) -> Channels:
    """Return what *chip* counts of a *light* in one step, where a TCS34725 at the same gain counts *light* in one."""
    if chip is USUAL:
        return light
    clear = _clear(chip)
    rows = _product(chip.RESPONSES, _inverse(USUAL.RESPONSES))
    r, g, b = [max(clear * sum(x * y for x, y in zip(row, light, strict=False)), 0.0) for row in rows]
    return r, g, b, clear * light[3]


def usual_gain(chip: type[Chip], white_counts: float) -> int:
    """Return the gain of a ring with *chip* that has adjusted itself: the highest that white does not saturate.

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
    """Return the inverse of a matrix of three rows, by its cofactors."""
    (a, b, c), (d, e, f), (g, h, i) = of
    whole = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    cofactors = (
        (e * i - f * h, c * h - b * i, b * f - c * e),
        (f * g - d * i, a * i - c * g, c * d - a * f),
        (d * h - e * g, b * g - a * h, a * e - b * d),
    )
    return tuple(tuple(each / whole for each in row) for row in cofactors)

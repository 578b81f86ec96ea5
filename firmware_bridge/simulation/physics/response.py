"""Converts the brightness of a world's lights to a chip's counts. World files use a TCS34725's (hardware/WORLD.md).

A datasheet gives the response of each filter to three narrow-band lights. From the red, green and blue counts of a
TCS34725 we compute how much of each of these lights a lamp emits, and from that the counts of another chip. The clear
channels of two chips differ by a constant factor. For paint we assume that a colour reflects the same share of light in
each channel for every chip. None of this was measured.
"""

from __future__ import annotations

from firmware_bridge.colour.channels import Channels
from firmware_bridge.device.chips import USUAL
from firmware_bridge.device.sensor_chip import Chip

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

"""How a chip sees the light of a world, whose counts are those of a TCS34725 (hardware/WORLD.md). Nothing is measured.

A datasheet gives the response of each filter to three narrow lights. The red, green and blue of a
TCS34725 say how much of each of these lights there is. So they also say what another chip's filters
would count. The clear channel differs by one factor.
"""

from __future__ import annotations

from companion.kernel.values import dataclass
from firmware_bridge.colour.channels import Channels
from firmware_bridge.device.chips import USUAL
from firmware_bridge.device.sensor_chip import Chip

GAIN = 60  # the gain for which a world's counts are given (WORLD.md)
BRIGHTEST = 700  # counts of a perfect white in the brightest world: at `GAIN` a TCS34725 is never saturated by it

Rows = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Response:
    """What a chip counts: *rows* (red, green, blue) are sums of a TCS34725's channels; all are times *clear*."""

    rows: Rows
    clear: float

    def counts(self, seen: Channels) -> Channels:
        """Return what the chip counts in one step where a TCS34725 at the same gain counts *seen* in one."""
        r, g, b = [self.clear * sum(x * y for x, y in zip(row, seen, strict=False)) for row in self.rows]
        return r, g, b, self.clear * seen[3]


def response_of(chip: type[Chip]) -> Response | None:
    """Return the response of *chip*, or None for the chip whose counts a world gives."""
    if chip is USUAL:
        return None
    return Response(_product(chip.RESPONSES, _inverse(USUAL.RESPONSES)), chip.CLEAR_RESPONSE / USUAL.CLEAR_RESPONSE)


def usual_gain(chip: type[Chip], white_counts: float) -> int:
    """Return the gain of a ring with *chip* that has adjusted itself: the highest that white does not saturate.

    >>> usual_gain(USUAL, 400)
    60
    """
    response = response_of(chip)
    white = white_counts * (response.clear if response else 1.0) / GAIN
    suiting = [gain for gain in chip.GAINS if white * gain <= BRIGHTEST * chip.FULL / USUAL.FULL]
    return max(suiting, default=min(chip.GAINS))


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

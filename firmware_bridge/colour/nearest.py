"""A second method: the colour whose pass is nearest in chromaticity and lightness.

It assumes nothing about a cube's pose, and is simple to explain and to check by hand. It knows less
than the likelihood: in the simulated world it takes 24 of 6,400 strangers for a known colour, where
the likelihood takes none, and leaves 3 % of the passages of nine colours to the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

from companion.kernel.shown import shows
from companion.ports.ring import Judgement
from firmware_bridge.colour.calibration import Calibration
from firmware_bridge.colour.channels import NOMINAL, Channels
from firmware_bridge.colour.classify import UNKNOWN, decided
from firmware_bridge.colour.judges import NEAR, passes_of, zero_of
from firmware_bridge.colour.likelihood import Likeness
from firmware_bridge.colour.normalise import seen
from firmware_bridge.colour.sample import Reading

LIGHTNESS = 0.05  # of ln of lightness, so that a pose counts less than a hue
DULL = 0.1  # reflectance added to each channel: the hue of a dark cube is mostly gloss and noise
LEAST = 0.01  # distance of two passes that are as good as equal
ITSELF = 4.0  # squared distance: a nominal colour nearer to a calibrated one is another name for it
OPINION = 5.0  # passes that all colours together count for, in the spread of each

Point = tuple[float, float, float]


@shows("id")
class NearestJudge:
    """Judges by the nearest pass of a calibration, with the same rule for what is unsure as every other method.

    A distance counts in units of the usual distance from a pass to the nearest other pass of its colour.
    """

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self.id = calibration.id
        self._zero = zero_of(calibration)
        self._points = {
            colour: [point(each.channels) for each in passes]
            for colour, passes in passes_of(calibration, self._zero).items()
        }
        self._spreads = spreads(self._points)
        self._untaught = [each for colour, each in nominal().items() if self._is_strange(colour, each)]

    def judge(self, reading: Reading, under: Mapping[str, int]) -> Judgement:
        """Return the colour, or no colour if the reading is near to none or to two.

        Nominal colours that were not calibrated compete too, as for the likelihood.
        """
        if not reading.frames:
            return decided({}, under, self.id)
        here = point(seen(reading, self._zero).channels)
        found = {colour: likeness(here, mine, self._spreads[colour]) for colour, mine in self._points.items()}
        taught = all(colour in self._points for colour, count in under.items() if count)
        return decided(found, under, self.id, UNKNOWN if taught else NEAR, self._others(here))

    def _others(self, here: Point) -> list[Likeness]:
        wide = max(self._spreads.values())
        return [likeness(here, [each], wide) for each in self._untaught]

    def _is_strange(self, colour: str, at: Point) -> bool:
        return colour not in self._points and all(
            nearest(at, mine) > ITSELF * self._spreads[other] for other, mine in self._points.items()
        )


def nominal() -> dict[str, Point]:
    """Return the point of each nominal colour."""
    return {colour: point(channels) for colour, channels in NOMINAL.items()}


def likeness(here: Point, passes: Sequence[Point], spread: float) -> Likeness:
    """Return the likelihood of a colour with these *passes*, by the nearest of them; *spread* is a squared distance."""
    distance = nearest(here, passes) / spread
    return Likeness(-(distance + len(here) * log(spread)) / 2, distance)


def point(reflected: Channels) -> Point:
    """Return the shares of red and green in the *reflected* colours, and the lightness, as distances are measured.

    >>> [round(each, 3) for each in point((0.8, 0.8, 0.8, 0.8))]  # grey of any lightness has equal shares
    [0.333, 0.333, -0.005]
    """
    r, g, b, c = (max(each, 0.0) + DULL for each in reflected)
    total = r + g + b
    return r / total, g / total, LIGHTNESS * log(c)


def nearest(here: Point, others: Sequence[Point]) -> float:
    """Return the squared distance from *here* to the nearest of the *others*."""
    return min(sum((a - b) ** 2 for a, b in zip(here, each, strict=True)) for each in others)


def spreads(points: Mapping[str, Sequence[Point]]) -> dict[str, float]:
    """Return the mean squared distance from a pass to the nearest other pass of its colour, by colour.

    Each colour's own passes count together with `OPINION` usual ones, the mean of all colours.
    """
    own = {
        colour: [nearest(each, [*mine[:n], *mine[n + 1 :]]) for n, each in enumerate(mine)] if len(mine) > 1 else []
        for colour, mine in points.items()
    }
    every = [each for distances in own.values() for each in distances]
    usual = sum(every) / max(len(every), 1)
    return {
        colour: max((sum(distances) + OPINION * usual) / (len(distances) + OPINION), LEAST**2)
        for colour, distances in own.items()
    }

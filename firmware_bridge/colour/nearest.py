"""A second method: it chooses the colour whose calibrated pass is nearest in chromaticity and lightness.

It assumes nothing about a cube's pose, and it is simple to explain and to check by hand. But it is less accurate than
the likelihood method. In the simulated world it mistakes 24 of 6,400 cubes of unknown colours for a known colour (the
likelihood method: none), and 3 % of the passages of nine colours remain unsure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

from companion.kernel.shown import shows
from companion.ports.ring import Judgement
from firmware_bridge.colour.calibration import Calibration
from firmware_bridge.colour.channels import NOMINAL, Channels
from firmware_bridge.colour.judges import NEAR, passes_of, zero_of
from firmware_bridge.colour.likelihood import UNKNOWN, Likeness, decided
from firmware_bridge.colour.normalise import seen
from firmware_bridge.colour.sample import Reading

LIGHTNESS = 0.05  # weight of ln(lightness), so that pose counts less than hue
DULL = 0.1  # reflectance added to each channel: the hue of a dark cube is mostly gloss and noise
LEAST = 0.01  # distance at which two passes are practically equal
ITSELF = 4.0  # squared distance; a nominal colour nearer than this to a calibrated one counts as the same colour
OPINION = 5.0  # how many passes the mean of all colours counts as, in the spread of each colour

Point = tuple[float, float, float]


@shows("id")
class NearestJudge:
    """Judges by the nearest pass of a calibration. The rule for what is unsure is the same as for every other method.

    The unit of distance is the typical distance from a pass to the nearest other pass of its colour.
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
        """Judge *reading*. The result names no colour if the reading is near no colour, or near two.

        It also considers the nominal colours that were not calibrated, like the likelihood method.
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
    """Return each nominal colour as a `point`."""
    return {colour: point(channels) for colour, channels in NOMINAL.items()}


def likeness(here: Point, passes: Sequence[Point], spread: float) -> Likeness:
    """Return the likelihood of a colour by the nearest of its *passes* to *here*. *spread* is a squared distance."""
    distance = nearest(here, passes) / spread
    return Likeness(-(distance + len(here) * log(spread)) / 2, distance)


def point(reflected: Channels) -> Point:
    """Return the point of a reflectance: the shares of red and green, and the lightness, scaled for measuring
    distances.

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

    The mean of all colours counts like `OPINION` additional passes of each colour.
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

"""Other judges: nearest centroids, discriminant analysis, shrunk Gaussians, and the optimum, which knows the world.

Each learns from (colour, reading) pairs and returns a colour; some return None if they are uncertain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp, log, pi

from firmware_bridge.colour import Reading
from firmware_bridge.colour.channels import Channels
from firmware_bridge.colour.normalise import Seen, Zero, own_zero, seen
from firmware_bridge.simulation.physics.world import World

Shown = Sequence[tuple[str, Reading]]
Rival = Callable[[Reading], str | None]
Vector = Sequence[float]

SURE = 0.98  # as for our judge
FAR = 25.0
SHRINK = 0.5
LEAST = 1e-3
POSES = [n / 4 for n in range(-18, 19)]  # standard deviations


def rgb(reading: Reading) -> Vector:
    """Return the raw mean counts of red, green and blue."""
    return [sum(frame[k] for frame in reading.frames) / len(reading.frames) for k in range(3)]


def chromaticity(reading: Reading) -> Vector:
    """Return r and g, with ambient and stray light subtracted and white balanced."""
    return lightness(reading)[:2]


def lightness(reading: Reading) -> Vector:
    """Return r, g and ln C, with ambient and stray light subtracted and white balanced."""
    r, g, b, c = (max(channel, LEAST) for channel in seen(reading, own_zero(reading)).channels)
    return [r / (r + g + b), g / (r + g + b), log(c)]


def nearest(shown: Shown, features: Callable[[Reading], Vector]) -> Rival:
    """Return a judge that chooses the colour with the nearest mean, and is never uncertain."""
    centres = {colour: mean(rows) for colour, rows in grouped(shown, features).items()}

    def judge(reading: Reading) -> str | None:
        point = features(reading)
        return min(centres, key=lambda colour: sum((a - b) ** 2 for a, b in zip(point, centres[colour], strict=True)))

    return judge


def discriminant(shown: Shown) -> Rival:
    """Return linear discriminant analysis: one covariance for all colours; uncertain below our judge's threshold."""
    rows = grouped(shown, lightness)
    pooled = average([covariance(each) for each in rows.values()])
    return gaussians({colour: (mean(each), pooled) for colour, each in rows.items()}, far=float("inf"))


def shrunk(shown: Shown) -> Rival:
    """Return a judge with a Gaussian per colour, its covariance averaged with the pooled one; beyond 25, None."""
    rows = grouped(shown, lightness)
    pooled = average([covariance(each) for each in rows.values()])
    own = {colour: average([covariance(each), pooled]) for colour, each in rows.items()}
    return gaussians({colour: (mean(each), own[colour]) for colour, each in rows.items()}, FAR)


def gaussians(known: Mapping[str, tuple[Vector, list[list[float]]]], far: float) -> Rival:
    """Return a judge that chooses the likeliest Gaussian, if it is likely enough and within *far*."""
    inverted = {colour: (centre, *inverse(spread)) for colour, (centre, spread) in known.items()}

    def judge(reading: Reading) -> str | None:
        point = lightness(reading)
        logs, squares = {}, {}
        for colour, (centre, inner, determinant) in inverted.items():
            off = [a - b for a, b in zip(point, centre, strict=True)]
            squares[colour] = sum(off[i] * inner[i][j] * off[j] for i in range(3) for j in range(3))
            logs[colour] = -(squares[colour] + log(determinant)) / 2
        best = chosen(logs)
        return best if best is not None and squares[best] <= far else None

    return judge


def limit(world: World, colours: Sequence[str], white: Channels) -> Rival:
    """Return Bayes' rule with the world's true distributions: the optimum for these readings.

    It knows the true colours, spreads, stray light and white, integrates over poses by quadrature, and uses our judge's
    threshold of probability.
    """
    zero = Zero((world.stray_mean,) * 4, white)

    def judge(reading: Reading) -> str | None:
        one = seen(reading, zero)
        return chosen({colour: density(one, world.reflectance[colour], world) for colour in colours})

    return judge


def density(one: Seen, colour: Channels, world: World) -> float:
    """Return the logarithm of the true density of the reading *one*, up to a constant."""
    logs = []
    for z in POSES:
        pose = exp(world.pose_sigma * z)
        spreads = [(pose * p * world.paint_sigma) ** 2 + noise for p, noise in zip(colour, one.noise, strict=True)]
        off = [channel - pose * p for channel, p in zip(one.channels, colour, strict=True)]
        gloss = world.stray_sigma**2 + one.sway
        weight = sum(1 / spread for spread in spreads)
        pull = sum(each / spread for each, spread in zip(off, spreads, strict=True))
        square = sum(each * each / spread for each, spread in zip(off, spreads, strict=True))
        square -= pull * pull / (1 / gloss + weight)
        volume = sum(map(log, spreads)) + log(1 + gloss * weight) + log(2 * pi)
        logs.append(-(square + volume + z * z) / 2)
    top = max(logs)
    return top + log(sum(exp(each - top) for each in logs))


def chosen(logs: Mapping[str, float]) -> str | None:
    """Return the likeliest colour, or None if it isn't likely enough."""
    best = max(logs, key=lambda colour: logs[colour])
    share = 1 / sum(exp(min(each - logs[best], 0.0)) for each in logs.values())
    return best if share >= SURE else None


def grouped(shown: Shown, features: Callable[[Reading], Vector]) -> dict[str, list[Vector]]:
    """Return the features of each colour's readings."""
    rows: dict[str, list[Vector]] = {}
    for colour, reading in shown:
        rows.setdefault(colour, []).append(features(reading))
    return rows


def mean(rows: Sequence[Vector]) -> list[float]:
    """Return the mean of each column."""
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def covariance(rows: Sequence[Vector]) -> list[list[float]]:
    """Return the covariance of *rows*."""
    centre = mean(rows)
    off = [[a - b for a, b in zip(row, centre, strict=True)] for row in rows]
    size = range(len(centre))
    return [[sum(row[i] * row[j] for row in off) / max(len(rows) - 1, 1) for j in size] for i in size]


def average(matrices: Sequence[list[list[float]]]) -> list[list[float]]:
    """Return the mean of each entry."""
    size = range(len(matrices[0]))
    return [[sum(matrix[i][j] for matrix in matrices) / len(matrices) for j in size] for i in size]


def inverse(matrix: list[list[float]]) -> tuple[list[list[float]], float]:
    """Return the inverse and the determinant of a 3x3 matrix."""
    a, b, c = matrix[0]
    d, e, f = matrix[1]
    g, h, i = matrix[2]
    cofactors = [
        [e * i - f * h, c * h - b * i, b * f - c * e],
        [f * g - d * i, a * i - c * g, c * d - a * f],
        [d * h - e * g, b * g - a * h, a * e - b * d],
    ]
    determinant = max(a * cofactors[0][0] + b * cofactors[1][0] + c * cofactors[2][0], 1e-18)
    return [[each / determinant for each in row] for row in cofactors], determinant

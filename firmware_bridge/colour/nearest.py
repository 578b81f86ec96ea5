"""A judge that was never calibrated: it knows nominal reflectances only, and takes the nearest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log

from companion.ringport import Judgement
from firmware_bridge.colour.reading import Reading, means
from firmware_bridge.reflectance import BLACK_CARD, NOMINAL, WHITE_SHUTTER, Channels

SIGMA_HUE = 0.02  # of r and g
SIGMA_LIGHT = 0.3  # of ln C
UNKNOWN = 25.0  # squared distance beyond which a reading is none of the references
SURE = 0.9  # probability of the nearest below which it is not sure
NEARER = 0.6  # how many times the second's distance the nearest's may be, at most
LEAST = 1e-3  # reflectance that a dark reading is lifted to, so that it has a hue and a logarithm

Features = tuple[float, float, float]


class NearestReference:
    """Takes the reference whose chromaticity and lightness are nearest.

    *under* is not used yet: it may become a prior of the ranking when the
    judge learns probabilities worth the name from a calibration.
    """

    def __init__(self, references: Mapping[str, Channels] = NOMINAL) -> None:
        self._references = {name: features(channels) for name, channels in references.items()}

    def judge(self, reading: Reading, under: Mapping[str, int]) -> Judgement:
        """Return the nearest reference, or no colour when none is near or two are about as near."""
        if not reading.frames:
            return Judgement(None)
        seen = features(reflectance(reading))
        distances = {name: distance(seen, reference) for name, reference in self._references.items()}
        ranking = ranked(distances)
        return Judgement(ranking[0][0] if _sure(sorted(distances.values()), ranking[0][1]) else None, ranking)


def _sure(nearest: Sequence[float], probability: float) -> bool:
    """Tell whether one reference is near, and clearly nearer than any other."""
    clearly = len(nearest) < 2 or nearest[0] <= NEARER**2 * nearest[1]
    return clearly and nearest[0] <= UNKNOWN and probability >= SURE


def reflectance(reading: Reading) -> Channels:
    """Return how much light came back in each channel, between the black card and the white shutter."""
    r, g, b, c = (
        dark + (mean - black) / max(white - black, 1.0) * (bright - dark)
        for mean, black, white, dark, bright in zip(
            means(reading.frames), reading.black, reading.white, BLACK_CARD, WHITE_SHUTTER, strict=True
        )
    )
    return r, g, b, c


def features(channels: Channels) -> Features:
    """Return chromaticity r and g and the logarithm of the clear channel."""
    r, g, b, c = (max(value, LEAST) for value in channels)
    return r / (r + g + b), g / (r + g + b), log(c)


def distance(one: Features, other: Features) -> float:
    """Return the squared distance in standard deviations."""
    scales = (SIGMA_HUE, SIGMA_HUE, SIGMA_LIGHT)
    return sum(((a - b) / scale) ** 2 for a, b, scale in zip(one, other, scales, strict=True))


def ranked(distances: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Return the colours with their probabilities, likeliest first."""
    nearest = min(distances.values())
    weights = {name: exp((nearest - far) / 2) for name, far in distances.items()}
    total = sum(weights.values())
    shares = ((name, round(weight / total, 4)) for name, weight in weights.items())
    return tuple(sorted(shares, key=lambda share: -share[1]))

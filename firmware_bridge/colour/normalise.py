"""Converts counts to reflectance by removing the effects of the room, the window and the lamp."""

from __future__ import annotations

from collections.abc import Sequence
from operator import sub

from companion.kernel.values import dataclass
from firmware_bridge.colour.channels import BLACK_CARD, WHITE_SHUTTER, Channels
from firmware_bridge.colour.sample import Reading, means

READ_VARIANCE = 0.34  # of one frame, in counts squared: half a count of noise (sensor's datasheet), and rounding
SIGNAL_NOISE = 0.003  # noise, relative to the counts
RELIABLE = 4  # from this number of frames on, flicker can be distinguished from noise
WINDOW: Channels = (0.12, 0.12, 0.12, 0.12)
IN_TIME = 0.2  # share of the room light that may flicker unnoticed if frames are in step with it
BRIGHTER_LAMP = 0.02  # a smaller increase of the white is noise; a larger one is stray light


@dataclass(frozen=True)
class Zero:
    """The zero point of a ring: the window's stray light, and the white reference minus the dark one, in counts.

    *stray* is relative to what a perfect white reflects.
    """

    stray: Channels
    white: Channels


@dataclass(frozen=True)
class Seen:
    """The mean reflectance of one passage (R, G, B, clear), after subtracting the light of window and room.

    *noise* is the variance of each channel. *sway* is the variance of an error common to all four
    (flicker of the room). *shift* is the likely size of a constant common error (more stray light
    than at calibration).
    """

    channels: Channels
    noise: Channels
    sway: float = 0.0
    shift: float = 0.0


def zero(black: Channels, white: Channels) -> Zero:
    """Return the zero point of a ring from its black and white references in counts, both minus the dark reference.

    If the black card appears darker than possible, the stray light is taken as zero.
    """
    shares = [dark / max(bright, 1.0) for dark, bright in zip(black, white, strict=True)]
    r, g, b, c = [
        max((share * bright - dark) / max(1 - share, 0.1), 0.0)
        for share, dark, bright in zip(shares, BLACK_CARD, WHITE_SHUTTER, strict=True)
    ]
    return Zero((r, g, b, c), white)


def own_zero(reading: Reading) -> Zero:
    """Return the zero point of a ring without calibration, from the references in *reading*."""
    return zero(_less(reading.black, reading.dark), _less(reading.white, reading.dark))


def seen(reading: Reading, at: Zero) -> Seen:
    """Return the reflectance of *reading* relative to the zero point *at*. It must have frames."""
    white = [max(count - off, 1.0) for count, off in zip(reading.white, reading.dark, strict=True)]
    unit = [bright / (top + stray) for bright, top, stray in zip(white, WHITE_SHUTTER, at.stray, strict=True)]
    counts = means(reading.frames)
    compared = zip(counts, reading.dark, unit, at.stray, strict=True)
    r, g, b, c = [(count - off) / scale - stray for count, off, scale, stray in compared]
    return Seen((r, g, b, c), _noise(counts, unit, len(reading.frames)), _sway(reading, unit), _shift(white, at))


def _noise(counts: Channels, unit: Sequence[float], frames: int) -> Channels:
    """Return the variance of the sensor's noise in the mean of *frames* frames."""
    r, g, b, c = [
        (READ_VARIANCE + (SIGNAL_NOISE * count) ** 2) / frames / scale**2
        for count, scale in zip(counts, unit, strict=True)
    ]
    return r, g, b, c


def _sway(reading: Reading, unit: Sequence[float]) -> float:
    """Return the variance that flicker leaves in the mean of the clear channel.

    From only a few frames the flicker cannot be estimated, so all room light is assumed to flicker. Frames in step with
    the flicker do not show it, so at least a part of the room light is always assumed to flicker.
    """
    frames = len(reading.frames)
    room = (max(reading.dark[3], 0.0) / unit[3]) ** 2
    if frames < RELIABLE:
        return room / 2 / frames
    clear = [frame[3] for frame in reading.frames]
    mean = sum(clear) / frames
    spread = sum([(count - mean) ** 2 for count in clear]) / (frames - 1)
    own = READ_VARIANCE + (SIGNAL_NOISE * mean) ** 2
    return max(spread - 3 * own, 0.0) / frames / unit[3] ** 2 + IN_TIME**2 * room


def _shift(white: Sequence[float], at: Zero) -> float:
    """Return how much stray light may have been added since calibration: the increase of the white. (Lamps do not get
    brighter.)
    """
    grown = sum([now / max(then, 1.0) for now, then in zip(white, at.white, strict=True)]) / len(white) - 1
    if grown < BRIGHTER_LAMP:
        return 0.0
    return grown / (1 + grown) * (WHITE_SHUTTER[3] + at.stray[3])


def _less(counts: Channels, dark: Channels) -> Channels:
    r, g, b, c = map(sub, counts, dark)
    return r, g, b, c

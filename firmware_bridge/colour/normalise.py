"""From counts to reflectance: what the room, the window and the lamp add or take is taken out again."""

from __future__ import annotations

from collections.abc import Sequence
from operator import sub

from companion.kernel.values import dataclass
from firmware_bridge.colour.channels import BLACK_CARD, WHITE_SHUTTER, Channels
from firmware_bridge.colour.sample import Reading, means

READ_VARIANCE = 0.34  # counts squared of one frame: half a count of noise (sensor's datasheet), and whole counts
SIGNAL_NOISE = 0.003  # of the counts
RELIABLE = 4  # frames from which flicker can be told from noise
WINDOW: Channels = (0.12, 0.12, 0.12, 0.12)
IN_TIME = 0.2  # of the room's light: flicker that may hide in frames that keep time with it
BRIGHTER_LAMP = 0.02  # a white brighter by so little is noise; more of it is stray light, or else the lamp


@dataclass(frozen=True)
class Zero:
    """What a ring shows where nothing is: the window's stray light, and the white of that moment (counts, room's off).

    *stray* is in parts of what a perfect white throws back.
    """

    stray: Channels
    white: Channels


@dataclass(frozen=True)
class Seen:
    """One passage's mean reflectance (R, G, B, clear), window and room taken out.

    *noise* is the variance of each channel; *sway* that of an error common to
    all four (flicker of the room), *shift* how much of such an error is
    likely for good (more stray light than at calibration).
    """

    channels: Channels
    noise: Channels
    sway: float = 0.0
    shift: float = 0.0


def zero(black: Channels, white: Channels) -> Zero:
    """Return the zero of a ring from its black card and white shutter, both less the lamp-off room, in counts.

    A card that is no darker than can be is taken for what it is: it cannot
    show less stray light than none.
    """
    shares = [dark / max(bright, 1.0) for dark, bright in zip(black, white, strict=True)]
    r, g, b, c = [
        max((share * bright - dark) / max(1 - share, 0.1), 0.0)
        for share, dark, bright in zip(shares, BLACK_CARD, WHITE_SHUTTER, strict=True)
    ]
    return Zero((r, g, b, c), white)


def own_zero(reading: Reading) -> Zero:
    """Return the zero that *reading* itself brings along, for a ring that was never calibrated."""
    return zero(_less(reading.black, reading.dark), _less(reading.white, reading.dark))


def seen(reading: Reading, at: Zero) -> Seen:
    """Return what *reading*, which has frames, saw, compared with the zero *at*."""
    white = [max(count - off, 1.0) for count, off in zip(reading.white, reading.dark, strict=True)]
    unit = [bright / (top + stray) for bright, top, stray in zip(white, WHITE_SHUTTER, at.stray, strict=True)]
    counts = means(reading.frames)
    compared = zip(counts, reading.dark, unit, at.stray, strict=True)
    r, g, b, c = [(count - off) / scale - stray for count, off, scale, stray in compared]
    return Seen((r, g, b, c), _noise(counts, unit, len(reading.frames)), _sway(reading, unit), _shift(white, at))


def _noise(counts: Channels, unit: Sequence[float], frames: int) -> Channels:
    """The sensor's own noise, in the mean of so many frames."""
    r, g, b, c = [
        (READ_VARIANCE + (SIGNAL_NOISE * count) ** 2) / frames / scale**2
        for count, scale in zip(counts, unit, strict=True)
    ]
    return r, g, b, c


def _sway(reading: Reading, unit: Sequence[float]) -> float:
    """The variance of what flicker leaves in the mean of the clear channel.

    A few frames cannot tell: then all of the room's light may come and go.
    And frames that keep time with the flicker never can, so some of it always may.
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
    """How much more stray light there may be than at calibration: the white shines more, and no lamp grows brighter."""
    grown = sum([now / max(then, 1.0) for now, then in zip(white, at.white, strict=True)]) / len(white) - 1
    if grown < BRIGHTER_LAMP:
        return 0.0
    return grown / (1 + grown) * (WHITE_SHUTTER[3] + at.stray[3])


def _less(counts: Channels, dark: Channels) -> Channels:
    r, g, b, c = map(sub, counts, dark)
    return r, g, b, c

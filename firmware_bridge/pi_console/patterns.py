"""Blink patterns and tone sequences as data, and functions that evaluate them at a given time."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi

from companion.ports.console import Led, Shape, Sound

Pattern = tuple[tuple[float, int], ...]
"""Pairs of a level and its duration in milliseconds. Levels are 0 to 1; those of tones are in hertz."""

BLINK_MS = 250
"""Half of a blink: two blinks per second, well below the three that may cause seizures."""
GAP_MS = 500
BREATH_STEPS, BREATH_STEP_MS = 32, 125
DIM = 0.15


def _breath() -> Pattern:
    """Return one cycle of four seconds, from dim to full and back."""
    depth = (1 - DIM) / 2
    levels = (DIM + depth * (1 - cos(2 * pi * step / BREATH_STEPS)) for step in range(BREATH_STEPS))
    return tuple((round(level, 3), BREATH_STEP_MS) for level in levels)


SHAPES: Mapping[Shape, Pattern] = {
    Shape.DARK: ((0.0, 1000),),
    Shape.DIM: ((DIM, 1000),),
    Shape.STEADY: ((1.0, 4000),),
    Shape.BREATH: _breath(),
    Shape.PULSES: ((1.0, 500), (0.0, 500)),
    Shape.DOUBLE: ((1.0, BLINK_MS), (0.0, BLINK_MS), (1.0, BLINK_MS), (0.0, 1750)),
    Shape.LONG_SHORT: ((1.0, 1200), (0.0, 400), (1.0, 300), (0.0, 900)),
}
LEDS: Mapping[Led, Pattern] = {
    Led.OFF: ((0.0, 1000),),
    Led.ON: ((1.0, 1000),),
    Led.BLINK: ((1.0, 400), (0.0, 400)),
}
TONES: Mapping[Sound, Pattern] = {
    Sound.TURN: ((523.0, 120), (784.0, 180)),
    Sound.TICK: ((880.0, 80),),
    Sound.LOW: ((262.0, 350),),
    Sound.LAST: ((659.0, 40),),
    Sound.OVER: ((392.0, 140), (0.0, 80), (330.0, 170)),
    Sound.UNSURE: ((587.0, 120), (0.0, 80), (587.0, 120)),
    Sound.REFUSED: ((175.0, 180),),
}
"""Each under 400 ms; pages use the same sounds."""


def after_blinks(blinks: int, shape: Pattern) -> Pattern:
    """Return *shape* preceded by *blinks* short blinks, with a dark pause before and after them."""
    if not blinks:
        return shape
    dark = (0.0, GAP_MS)
    return (dark, *((1.0, BLINK_MS), (0.0, BLINK_MS)) * blinks, dark, *shape)


def length_ms(pattern: Pattern) -> int:
    """Return the duration of one repetition.

    >>> length_ms(((1.0, 400), (0.0, 400)))
    800
    """
    return sum(ms for _, ms in pattern)


def level(pattern: Pattern, at_ms: float) -> float:
    """Return the level of the repeating *pattern* at a time.

    >>> level(((1.0, 400), (0.0, 100)), at_ms=950)
    0.0
    """
    return _place(pattern, at_ms)[0]


def change_ms(pattern: Pattern, at_ms: float) -> float | None:
    """Return the time until the next part begins, or None if there is only one part."""
    return _place(pattern, at_ms)[1] if len(pattern) > 1 else None


def _place(pattern: Pattern, at_ms: float) -> tuple[float, float]:
    left = at_ms % length_ms(pattern)
    for height, ms in pattern:
        if left < ms:
            return height, ms - left
        left -= ms
    raise AssertionError("a moment lies in some part of a pattern")

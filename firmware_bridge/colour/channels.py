"""How much light each colour of cube throws back: nominal values (R, G, B, clear), not measured on a real ring."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Channels = tuple[float, float, float, float]
Counts = tuple[int, int, int, int]
"""One frame of the sensor as it counts: red, green, blue, clear."""

BLACK_CARD: Channels = (0.034, 0.034, 0.034, 0.034)
WHITE_SHUTTER: Channels = (0.888, 0.887, 0.886, 0.887)

NOMINAL: Mapping[str, Channels] = MappingProxyType(
    {
        "red": (0.298, 0.070, 0.082, 0.138),
        "orange": (0.497, 0.229, 0.136, 0.287),
        "yellow": (0.718, 0.540, 0.256, 0.516),
        "green": (0.140, 0.256, 0.134, 0.185),
        "blue": (0.045, 0.082, 0.216, 0.108),
        "purple": (0.086, 0.066, 0.111, 0.083),
        "white": (0.888, 0.887, 0.886, 0.887),
        "black": (0.033, 0.034, 0.034, 0.034),
        "wood": (0.504, 0.382, 0.312, 0.400),
    }
)

"""The nominal reflectance (R, G, B, clear) of each colour of cube. The values were not measured on a real ring."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeGuard

from companion.kernel.fields import Fields, is_number, not_that, number
from companion.kernel.said import said

Channels = tuple[float, float, float, float]
Counts = tuple[int, int, int, int]
"""One frame in the sensor's counts: red, green, blue, clear."""

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


_FOUR = said("a list of four numbers [R, G, B, C]")


def channels_in(fields: Fields, name: str, least: float, most: float) -> Channels:
    """Return the field called *name* as four numbers from *least* to *most*.

    Raise `Malformed` if it is anything else.
    """
    return channels_of(fields.wanted(name, _FOUR, _are_four), fields.where(name), least, most)


def channels_of(value: object, where: str, least: float, most: float) -> Channels:
    """Return *value* as four numbers from *least* to *most*. Raise `Malformed` that names the invalid number."""
    if not _are_four(value):
        raise not_that(where, _FOUR, value)
    for at, each in enumerate(value):
        if not is_number(each, least, most):  # checked first for speed: a calibration has forty thousand numbers
            number(each, f"{where}[{at}]", least, most)
    r, g, b, c = map(float, value)
    return r, g, b, c


def _are_four(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list | tuple) and len(value) == 4

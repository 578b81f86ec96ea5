"""The parameters of the simulated world, and a parser for world files that checks every field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, not_that
from companion.kernel.said import said
from companion.kernel.text_file import read_text
from firmware_bridge.colour.channels import NOMINAL, Channels, channels_of
from firmware_bridge.kernel.errors import InputError

LAMPS: Mapping[str, Channels] = {"5000K": (0.336, 0.374, 0.303, 1.0), "4100K": (0.386, 0.358, 0.273, 1.0)}
AMBIENT: Channels = (0.36, 0.36, 0.28, 1.0)
LONGEST_NAME = 40  # characters of a colour's name, so that it fits in a line together with its count

LIMITS: Mapping[str, tuple[float, float]] = {
    "edge_mm": (2, 30),
    "white_counts": (100, 700),
    "drift": (0.1, 2),
    "pose_sigma": (0, 2),
    "paint_sigma": (0, 1),
    "stray_mean": (0, 1),
    "stray_sigma": (0, 1),
    "board": (0, 1),
    "ambient": (0, 2),
    "ambient_hz": (0, 10_000),
    "ambient_modulation": (0, 1),
    "speed_mm_s": (1, 3_000),
    "speed_sigma": (0, 2),
    "speed_change": (0, 1),
    "edge_jitter_ms": (0, 100),
}


@dataclass(frozen=True)
class Rates:
    """The probability per slide of each event that is not one clean passage."""

    back: float = 0.02
    pair: float = 0.03
    poke: float = 0.01
    stuck: float = 0.0
    glitch: float = 0.005
    surplus: float = 0.0
    lift: float = 0.0


NO_FAULTS = Rates(0, 0, 0, 0, 0, 0, 0)


@dataclass(frozen=True)
class World:
    """One world. The fields have the names of the world file; hardware/WORLD.md describes them."""

    edge_mm: float = 8.0
    white_counts: float = 400
    drift: float = 1.0
    lamp: Channels = LAMPS["5000K"]
    pose_sigma: float = 0.2
    paint_sigma: float = 0.04
    stray_mean: float = 0.12
    stray_sigma: float = 0.03
    board: float = 0.05
    ambient: float = 0.0
    ambient_hz: float = 100
    ambient_modulation: float = 0.3
    speed_mm_s: float = 80.0
    speed_sigma: float = 0.3
    speed_change: float = 0.3
    edge_jitter_ms: float = 0.1
    cubes_per_colour: int = 6
    rates: Rates = field(default_factory=Rates)
    reflectance: Mapping[str, Channels] = field(default_factory=lambda: NOMINAL)
    after_calibration: World | None = None


IDEAL = World(
    pose_sigma=0,
    paint_sigma=0,
    stray_sigma=0,
    speed_sigma=0,
    speed_change=0,
    edge_jitter_ms=0,
    rates=NO_FAULTS,
)
"""A world without random faults, so that exactly the steps of a script happen. Only the sensor's noise remains."""


def read_world(path: Path) -> World:
    """Parse the world file at *path*. Raise InputError if it is invalid."""
    import tomllib

    try:
        table = tomllib.loads(read_text(path))
    except OSError as fault:
        raise InputError(f"{path}: {fault.strerror or fault}") from None
    except Malformed as fault:
        raise InputError(f"{path}: {fault.reason}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise InputError(f"{path}: not TOML: {fault}") from None
    try:
        return world(table)
    except InputError as fault:
        raise InputError(f"{path}: {fault}") from None


def world(table: Mapping[str, object]) -> World:
    """Return the world that *table* describes. Raise InputError that names an invalid field.

    >>> world({"edge_mm": 10, "rates": {"back": 0.1}}).rates.back
    0.1
    """
    try:
        fields = Fields(table)
        later = fields.inner("after_calibration") if fields.has("after_calibration") else None
        start = _changed(World(), fields)
        return start if later is None else replace(start, after_calibration=_changed(start, later))
    except Malformed as fault:
        raise InputError(fault.reason) from None


def _changed(start: World, fields: Fields) -> World:
    found: dict[str, Any] = {name: fields.number(name, *LIMITS[name]) for name in LIMITS if fields.has(name)}
    if fields.has("cubes_per_colour"):
        found["cubes_per_colour"] = fields.whole("cubes_per_colour", 1, 1_000)
    if fields.has("lamp"):
        found["lamp"] = _lamp(fields)
    if fields.has("rates"):
        found["rates"] = _rates(start.rates, fields.inner("rates"))
    if fields.has("reflectance"):
        found["reflectance"] = {**start.reflectance, **_reflectance(fields.inner("reflectance"))}
    fields.nothing_else()
    return replace(start, **found)


def _rates(start: Rates, given: Fields) -> Rates:
    names = [each.name for each in fields(Rates)]
    given.only(*names)
    return replace(start, **{name: given.number(name, 0, 1) for name in names if given.has(name)})


def _lamp(fields: Fields) -> Channels:
    lamp = fields.take("lamp")
    if isinstance(lamp, str):
        if lamp not in LAMPS:
            raise not_that(fields.where("lamp"), said("one of %(words)s", words=", ".join(LAMPS)), lamp)
        return LAMPS[lamp]
    return channels_of(lamp, fields.where("lamp"), 0, 2)


def _reflectance(fields: Fields) -> dict[str, Channels]:
    named = fields.rest()
    for name in named:
        plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum() and name == name.lower()
        if not plain or len(name) > LONGEST_NAME:
            raise InputError(
                f"a colour's name must be 1 to {LONGEST_NAME} lower-case letters, digits, - and _: `{name}`"
            )
    return {name: channels_of(value, fields.where(name), 0, 2) for name, value in named.items()}

"""The simulated world's figures, read from a world file, every field checked; `physics` brings them to life."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from firmware_bridge.colour.channels import NOMINAL, Channels
from firmware_bridge.kernel.errors import BadInput

LAMPS: Mapping[str, Channels] = {"5000K": (0.336, 0.374, 0.303, 1.0), "4100K": (0.386, 0.358, 0.273, 1.0)}
AMBIENT: Channels = (0.36, 0.36, 0.28, 1.0)
FULL_SCALE = 1024
LONGEST_NAME = 40  # characters of a colour: with its count it has to fit in a line

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
    "cubes_per_colour": (1, 1_000),
}


@dataclass(frozen=True)
class Rates:
    """How often, per slide, something other than one clean passage happens (probabilities)."""

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
    """One world; the names are those of the world file."""

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
"""A world in which a script does exactly what it says; the sensor's own noise alone is left."""


def read_world(path: Path) -> World:
    """Return the world that the file at *path* describes; BadInput with what is wrong."""
    import tomllib

    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise BadInput(f"{path}: {fault.strerror or fault}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise BadInput(f"{path}: not TOML: {fault}") from None
    try:
        return world(table)
    except BadInput as fault:
        raise BadInput(f"{path}: {fault}") from None


def world(table: Mapping[str, object]) -> World:
    """Return the world that *table* describes; BadInput with the field that is wrong."""
    plain = {name: value for name, value in table.items() if name != "after_calibration"}
    start = _changed(World(), plain)
    if "after_calibration" not in table:
        return start
    later = _table("after_calibration", table["after_calibration"])
    return replace(start, after_calibration=_changed(start, later))


def _changed(start: World, table: Mapping[str, object]) -> World:
    found: dict[str, object] = {}
    for name, value in table.items():
        match name:
            case "lamp":
                found[name] = _lamp(value)
            case "rates":
                found[name] = _rates(start.rates, _table(name, value))
            case "reflectance":
                found[name] = {**start.reflectance, **_reflectance(_table(name, value))}
            case "cubes_per_colour":
                found[name] = _cubes(value)
            case _:
                found[name] = _number(name, value, LIMITS)
    return replace(start, **found)  # type: ignore[arg-type]  # each value was checked for its own field


def _table(name: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise BadInput(f"`{name}` must be a table")
    return value


def _number(name: str, value: object, limits: Mapping[str, tuple[float, float]]) -> float:
    if name not in limits:
        raise BadInput(f"unknown field `{name}`")
    low, high = limits[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise BadInput(f"`{name}` must be a number from {low:g} to {high:g}")
    return value


def _cubes(value: object) -> int:
    number = _number("cubes_per_colour", value, LIMITS)
    if not isinstance(number, int):
        raise BadInput("`cubes_per_colour` must be a whole number")
    return number


def _rates(start: Rates, table: Mapping[str, object]) -> Rates:
    limits = {each.name: (0.0, 1.0) for each in fields(Rates)}
    found = {name: _number(name, value, limits) for name, value in table.items()}
    return replace(start, **found)


def _lamp(value: object) -> Channels:
    if isinstance(value, str) and value in LAMPS:
        return LAMPS[value]
    return _channels("lamp", value)


def _reflectance(table: Mapping[str, object]) -> dict[str, Channels]:
    for name in table:
        plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum() and name == name.lower()
        if not plain or len(name) > LONGEST_NAME:
            raise BadInput(f"a colour's name must be 1 to {LONGEST_NAME} lower-case letters, digits, - and _: `{name}`")
    return {name: _channels(f"reflectance.{name}", value) for name, value in table.items()}


def _channels(name: str, value: object) -> Channels:
    if not isinstance(value, list) or len(value) != 4:
        raise BadInput(f"`{name}` must be four numbers [R, G, B, C]")
    r, g, b, c = (_number(name, each, {name: (0, 2)}) for each in value)
    return r, g, b, c

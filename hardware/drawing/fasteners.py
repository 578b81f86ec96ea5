"""Screws and nuts in their places. A screw in a hole whose thread it cuts itself is drawn as thick as the hole."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from manifold3d import Manifold

from hardware.drawing.bodies import Point, joined, rod

SUNK = 0.4  # depth of a countersunk head below a flat roof; half a millimetre more in the round wall
NUT_M2 = (4.0, 1.6)  # across the flats, height: ISO 4032


@dataclass(frozen=True)
class ScrewKind:
    """One kind of screw: diameters of its thread, of its core (used where it cuts its own thread) and of its head.

    `high` is the height of the head. All sizes are millimetres.
    """

    thread: float
    core: float
    head: float
    high: float
    sunk: bool = False


M2 = ScrewKind(2.0, 1.68, 4.0, 1.6)  # pan head, ISO 7045
M3 = ScrewKind(3.0, 2.58, 5.6, 2.4)  # pan head, ISO 7045
M3_SUNK = ScrewKind(3.0, 2.58, 5.5, 1.65, sunk=True)  # ISO 7046


@dataclass(frozen=True)
class Screw:
    """One screw: the position of its head's underside (of its top, if sunk), its direction and its lengths.

    The free length `free` is the part of `long` that goes through a clearance hole.
    """

    kind: ScrewKind
    at: tuple[float, float, float]
    along: tuple[float, float, float]
    long: float
    free: float

    def point(self, depth: float) -> Point:
        """Return the point on its axis at *depth* millimetres."""
        return [float(v) for v in np.array(self.at) + depth * np.array(self.along)]

    def body(self) -> Manifold:
        """Return the screw as a body."""
        kind = self.kind
        if kind.sunk:
            head = rod(self.at, self.point(kind.high), kind.head / 2, kind.thread / 2)
        else:
            head = rod(self.point(-kind.high), self.at, kind.head / 2)
        parts = ((0, self.free, kind.thread), (self.free, self.long, kind.core))
        shaft = [rod(self.point(a), self.point(b), wide / 2) for a, b, wide in parts if b > a]
        return joined([head, *shaft])


def screws(z: dict[str, Any], s1_up: float = 0, s2_up: float = 0) -> dict[str, Screw]:
    """Return all screws by name; *s1_up* and *s2_up* are the millimetres by which the switches are set higher."""
    return {**_gate_screws(z), **_switch_screws(z, s1_up, s2_up), **_turret_screws(z)}


def _gate_screws(z: dict[str, Any]) -> dict[str, Screw]:
    found = {"stop screw": Screw(M2, (*z["stop"], z["stop_head"]), (0, 0, 1), z["stop_long"], 0)}
    for side, (y, high) in zip(("left", "right"), z["gate_screws"], strict=True):
        at = (sqrt(z["ring_in"] ** 2 - y**2) + SUNK + 0.5, y, high)
        wall = sqrt(z["ring_out"] ** 2 - y**2) - at[0] - 0.5
        found[f"gate screw, {side}"] = Screw(M3_SUNK, at, (1, 0, 0), 8, wall)
    x, high = z["hood_screw"]
    skin = 2 + z["slack"]
    found["hood screw, left"] = Screw(M3, (x, z["left"] - skin, high), (0, 1, 0), 8, skin)
    found["hood screw, right"] = Screw(M3, (x, z["right"] + skin, high), (0, -1, 0), 8, skin)
    return found


def _switch_screws(z: dict[str, Any], s1_up: float, s2_up: float) -> dict[str, Screw]:
    found = {}
    for name, sign in (("inner", -1), ("outer", 1)):
        x = z["s1_middle"] + sign * z["s1"][1][0] / 2
        at = (x, z["right"] - 1.9, z["s1_hole_z"] + s1_up)
        found[f"S1 screw, {name}"] = Screw(M2, at, (0, -1, 0), z["m2_long"], z["m2_long"])
    for name, sign in (("left", -1), ("right", 1)):
        at = (-z["ring_out"] - z["pod"][0], sign * z["s2"][1][0] / 2, z["s2_hole_z"] + s2_up)
        found[f"S2 screw, {name}"] = Screw(M2, at, (1, 0, 0), z["m2_long"], z["m2_long"])
    return found


def _turret_screws(z: dict[str, Any]) -> dict[str, Screw]:
    found = {}
    for number, (x, y) in enumerate(z["posts"]):
        at = (x, y, z["cup"] + SUNK)
        found[f"turret screw {number}"] = Screw(M3_SUNK, at, (0, 0, 1), 8, z["roof"] - SUNK)
    top = z["cup"] + z["roof"] + z["turret"] - 4
    for number, (x, y) in enumerate((x, y) for x in (-1, 1) for y in (-1, 1)):
        at = (x * z["perfboard_holes"][0] / 2, y * z["perfboard_holes"][1] / 2, top - 1.6)
        found[f"board screw {number}"] = Screw(M2, at, (0, 0, 1), 6, 1.6)
    return found


def nuts(z: dict[str, Any], s1_up: float = 0, s2_up: float = 0) -> dict[str, Manifold]:
    """Return the nuts of both switches, each on its screw behind the switch."""
    wide, high = NUT_M2
    found = {}
    for name, screw in _switch_screws(z, s1_up, s2_up).items():
        pocket = z["s1_sides"][0] if name.startswith("S1") else -z["ring_out"] - z["fit"]
        depth = abs(pocket - (screw.at[1] if name.startswith("S1") else screw.at[0]))
        nut = rod(screw.point(depth), screw.point(depth + high), wide / sqrt(3), corners=6, turned=30)
        hole = rod(screw.point(depth - 1), screw.point(depth + high + 1), 1.0)
        found[name.replace("screw", "nut")] = nut - hole
    return found

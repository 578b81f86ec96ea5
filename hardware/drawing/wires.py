"""The wires from each leg and terminal to the board, as they are built: leg, joint in its sleeve, wire."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist, sqrt
from typing import Any

from manifold3d import Manifold

from hardware.drawing import fittings
from hardware.drawing.bodies import Point, joined, way

LEG, SLEEVE, WIRE = (
    0.3,
    0.7,
    0.55,
)  # radii in millimetres: of a leg 0.5 mm square with its coating, thin shrink tube, insulated wire of 0.14 mm²
HIGH = 38.8 - 36  # height of the window's lowest row above the roof
STEP = 1.3


@dataclass(frozen=True)
class HookupWire:
    """One wire: the designator of its part, its leg, its joint, and its path to the board."""

    of: str
    leg: Sequence[Point]
    joint: Sequence[Point]
    rest: Sequence[Point]

    def body(self) -> Manifold:
        """Return leg, joint and wire as one body."""
        parts = ((self.leg, LEG), (self.joint, SLEEVE), (self.rest, WIRE))
        return joined(way(points, radius) for points, radius in parts if points)

    def begun(self, height: float) -> Manifold:
        """Return leg, joint and the wire up to *height*, for pictures of an unfinished ring."""
        kept = [point for point in self.rest if point[2] <= height]
        return HookupWire(self.of, self.leg, self.joint, kept).body()

    def long(self) -> float:
        """Return the length of wire from its joint to the board, in millimetres."""
        return sum(dist(a, b) for a, b in pairwise([self.joint[0], *self.rest]))


def wires(z: dict[str, Any]) -> list[HookupWire]:
    """Return every wire through the window, and the two of the lift switch."""
    through = [*_left(z), *_lamp(z), *_sensor(z), *_gate_switch(z), *_right(z)]
    return [*(_inward(z, wire, number) for number, wire in enumerate(through)), *_lift_switch(z)]


def _window(z: dict[str, Any], column: int, row: int) -> Point:
    """Return a place in front of the window: columns 0 to 10 from the left, rows 0 to 3 from below."""
    return (z["ring_out"] + 1.6, -7.2 + 1.44 * column, z["cup"] + z["roof"] + HIGH + STEP * row)


def _inward(z: dict[str, Any], wire: HookupWire, number: int) -> HookupWire:
    """Return *wire* extended from the window to its place at the board's edge."""
    x, y, high = wire.rest[-1]
    board = z["cup"] + z["roof"] + z["turret"] - 5.6
    at = -20.5 + 2.54 * number
    inside = [(x - 9, y, high), (39, at * 0.8, high + 6), (33.6, at, board)]
    return HookupWire(wire.of, wire.leg, wire.joint, [*wire.rest, *inside])


def _legs(z: dict[str, Any], names: Sequence[str]) -> Iterator[tuple[str, float]]:
    for name in names:
        for side in (-1, 1):
            yield name, z[fittings.EYES[name][0]] + side * fittings.PITCH / 2


def _base(z: dict[str, Any]) -> float:
    return float(z["lane_w"] / 2 + z["led_wall"] + fittings.TALL)


def _right(z: dict[str, Any]) -> Iterator[HookupWire]:
    """Yield the wires of the right side: straight out, one below another into the channel, and up behind the gate."""
    base, high, ring = _base(z), z["beam_z"], z["ring_out"] + z["slack"] / 2
    for number, (name, x) in enumerate(_legs(z, ("Q3", "D2"))):
        aside = x + (-0.6, -0.4, 0.4, 0.6)[number]
        row, column = z["felt"] + (1.9, 1.9, 0.65, 0.65)[number], z["duct"][0] + (1.0, 2.4)[number % 2]
        rise = sqrt(ring**2 - column**2) + (2.45, 2.45, 1.15, 1.15)[number]
        leg = [(x, base, high), (x, base + 1.5, high)]
        joint = [leg[1], (aside, base + 5.5, high)]
        rest = [joint[1], (aside, base + 6.2, high - 0.2), (aside, base + 6.9, row), (aside - 1, column, row)]
        rest += [(rise, column, row), (rise, column, z["deck"] + 1.5), _window(z, 10, number)]
        yield HookupWire(name, leg, joint, rest)


def _left(z: dict[str, Any]) -> Iterator[HookupWire]:
    """Yield the wires of the left side: bent upwards, in the groove to the hood, and past the lamp on both sides."""
    base, high, y = -_base(z), z["beam_z"], (z["left"] + z["groove_y"]) / 2
    lamp = z["spot_x"]
    for number, (name, x) in enumerate(_legs(z, ("D1", "Q4"))):
        aside = (x - 0.8, x - 0.6, x + 1.1, x + 0.7)[number]
        past = (lamp - 4.4, lamp - 3.0, lamp + 2.75, lamp + 4.0)[number]
        leg = [(x, base, high), (x, y + 0.6, high), (x, y, high + 0.7)]
        joint = [leg[2], (aside, y, high + 5.7)]
        over = z["hood_foot"] + 2.2
        rest = [joint[1], (past, y - 0.3, over), (past, y - 0.3, z["deck"] + 4)]
        if number > 1:
            rest += [(lamp - 8, -12, z["deck"] + 10 + 2 * number)]
        yield HookupWire(name, leg, joint, [*rest, _window(z, 0, number)])


def _lamp(z: dict[str, Any]) -> Iterator[HookupWire]:
    """Yield the lamp's wires; its legs are bent upwards."""
    tip, out = fittings.lamp_axis(z)
    for number, side in enumerate((-1, 1)):
        x = z["spot_x"] + side * fittings.PITCH / 2
        ends = [(x, *(float(tip[k] + far * out[k]) for k in (1, 2))) for far in (fittings.TALL, fittings.TALL + 1.5)]
        y, high = ends[1][1], ends[1][2]
        leg = [*ends, (x, y - 0.3, high + 0.9)]
        joint = [leg[2], (x, y - 0.3, high + 5)]
        rest = [joint[1], (x, y, high + 6), (z["ring_out"] + 5, -11, high + 13), _window(z, 1, number)]
        yield HookupWire("D3", leg, joint, rest)


def _sensor(z: dict[str, Any]) -> Iterator[HookupWire]:
    """Yield the sensor's wires: from the pads on the board's back, past the ends of the hood's ribs."""
    (x, y), (long, wide) = z["board_at"], z["board_size"]
    for number, pad in enumerate((-2, -1, 0, 2, 3)):
        at = (x + fittings.PITCH * pad, y + wide / 2 - 1.52)
        if z["pins_at"] == "end":
            at = (x + long / 2 - 1.52, y + fittings.PITCH * pad)
        top = z["deck"] + 1.5
        high = top + 1.6 + 1.1 * number
        joint = [(*at, top), (*at, top + 1.5)]
        rest = [joint[1], (*at, high), (z["ring_out"] + 3, 8.2, high), _window(z, 3 + number, 0)]
        if z["pins_at"] == "end":
            rest[2:2] = [(at[0], 8.2, high)]
        yield HookupWire("U2", [], joint, rest)


def _gate_switch(z: dict[str, Any]) -> Iterator[HookupWire]:
    face = z["s1_hole_z"] - z["s1"][1][1]
    top = face + z["s1"][0][2] + z["s1"][7][0]
    for number, terminal in enumerate(z["s1"][6][:2]):
        x, y = z["s1_middle"] + terminal, z["plunger"][1]
        joint = [(x, y, top - 1), (x, y, top + 4)]
        rest = [joint[1], (x - 2, y - 1, top + 6), (z["ring_out"] + 4, 12, 33 + number), _window(z, 9, 2 + number)]
        yield HookupWire("S1", [], joint, rest)


def _lift_switch(z: dict[str, Any]) -> Iterator[HookupWire]:
    """Yield the lift switch's wires: up next to the cable's clamp, and above the plug to the board's other edge."""
    x = -z["ring_out"] - 2 * z["fit"] - z["s2"][0][1] / 2
    top = z["s2_hole_z"] - z["s2"][1][1] + z["s2"][0][2] + z["s2"][7][0]
    roof = z["cup"] + z["roof"]
    for number, terminal in enumerate(z["s2"][6][1:]):
        aside = (x + 0.4 + 1.5 * number, z["s2_half"] - 1.0)
        joint = [(x, terminal, top - 1), (x, terminal, top + 3)]
        rest = [
            joint[1],
            (*aside, roof - 3),
            (*aside, roof + 3),
            (-45, min(9, z["s2_half"] - 1.0), roof + 8),
            (-33.6, 10 + 2.54 * number, roof + 18.4),
        ]
        yield HookupWire("S2", [], joint, rest)

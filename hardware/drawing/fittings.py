"""The bought parts as simple bodies in their places, for pictures and for the search for collisions.

Sizes come from the makers' data sheets where gate/bought.scad names them. An LED is drawn at its largest
permitted size.
"""

from math import cos, radians, sin
from typing import Any

import numpy as np
import trimesh
from manifold3d import Manifold

from hardware.drawing.bodies import Point, box, joined, mesh, rod, span

Placed = dict[str, trimesh.Trimesh]
BARREL, COLLAR, TALL = 3.0, (3.8, 1.0), 5.2  # of a 3 mm part: barrel's diameter, its collar, its length without legs
PITCH = 2.54
EYES = {"D1": ("beam_a", -1), "Q3": ("beam_a", 1), "D2": ("beam_b", 1), "Q4": ("beam_b", -1)}
PICO = (51.0, 21.0, 1.0)
SOCKET, SPACER = 8.5, 2.5  # heights under the Pico: of the socket, and of the plastic around its pins
USB = (5.6, 7.5, 2.7)  # the Pico's USB socket, which protrudes 1.3 mm
OVERMOULD = (
    22.0,
    10.6,
    8.5,
)  # of a Micro-B plug: the largest in the Micro-USB specification 1.01; its length is common knowledge (K)
RELIEF = (11.0, 2.5)  # length and radius of its strain relief (K)


def eyes(z: dict[str, Any]) -> Placed:
    """Return emitters and receivers; the emitters of the two beams are on opposite sides."""
    front = z["lane_w"] / 2 + z["led_wall"]
    return {name: mesh(_led((z[x], side * front, z["beam_z"]), (0, side, 0))) for name, (x, side) in EYES.items()}


def lamp(z: dict[str, Any]) -> trimesh.Trimesh:
    """Return the white lamp, tilted towards the spot."""
    start, out = lamp_axis(z)
    return mesh(_led(start, out))


def lamp_axis(z: dict[str, Any]) -> tuple[np.ndarray, tuple[float, float, float]]:
    """Return the position of the lamp's tip and the direction of its legs."""
    lean = radians(z["lamp_lean"])
    out = (0.0, -sin(lean), cos(lean))
    return np.array([z["spot_x"], 0, z["edge"]]) + (z["lamp_far"] - z["led_barrel"]) * np.array(out), out


def sensor(z: dict[str, Any]) -> trimesh.Trimesh:
    """Return the sensor's board, face down in its seat, with its own lamp and the solder of its pins."""
    low = z["deck"] - z["board_thick"]
    (x, y), (long, wide) = z["board_at"], z["board_size"]
    board = box((x, y, low + z["board_thick"] / 2), (long, wide, z["board_thick"]))
    chip = box((z["spot_x"], 0, low - 0.325), (2.0, 2.4, 0.65))
    light = box((z["spot_x"] - 3.2, -0.5, low - 0.95), (3.4, 3.0, 1.9))
    side = z["pins_at"] == "side"
    row = (17.0, 1.8) if side else (1.8, 14.6)  # length and width of a row of seven pins, or of six
    at = (x, y + wide / 2 - 1.52) if side else (x + long / 2 - 1.52, y)
    solder = span(
        (at[0] - row[0] / 2, at[1] - row[1] / 2, low - 1.5), (at[0] + row[0] / 2, at[1] + row[1] / 2, z["deck"] + 1.5)
    )
    return mesh(joined([board, chip, light, solder]))


def switch(kind: list[Any], up: float = 0) -> Manifold:
    """Return one microswitch with its face down at height *up*, its screw holes, and its terminals on top."""
    (long, thick, high), (apart, depth, hole), *_ = kind
    body = box((0, 0, up + high / 2), (long, thick, high))
    for x in (-apart / 2, apart / 2):
        body -= rod((x, -thick, up + depth), (x, thick, up + depth), hole / 2)
    reach, wide = kind[7]
    return joined([body, *(box((x, 0, up + high + reach / 2), (wide, 0.5, reach)) for x in kind[6])])


def gate_switch(z: dict[str, Any], up: float = 0) -> trimesh.Trimesh:
    """Return the gate switch, *up* millimetres higher than drawn."""
    face = z["s1_hole_z"] - z["s1"][1][1] + up
    return mesh(switch(z["s1"], face).translate((z["s1_middle"], z["plunger"][1], 0)))


def plunger(z: dict[str, Any], depth: float | None = None, up: float = 0) -> trimesh.Trimesh:
    """Return the gate switch's plunger, its tip *depth* below the holes, or extended as far as possible."""
    along, across = z["s1"][3]
    top = z["s1_hole_z"] + up
    tip = top - (z["s1"][2][0] if depth is None else depth)
    face = top - z["s1"][1][1]
    x, y = z["plunger"]
    return mesh(span((x - along / 2, y - across / 2, tip), (x + along / 2, y + across / 2, face)))


def lift_switch(z: dict[str, Any], up: float = 0) -> trimesh.Trimesh:
    """Return the lift switch in its shaft, with its lever on the foot, while the ring is on the table."""
    kind = z["s2"]
    face = z["s2_hole_z"] - kind[1][1] + up
    body = switch(kind, face)
    tip, root = (kind[4] - 0.3, 0.0, z["foot_top"]), (kind[0][0] / 2 - 3, 0.0, face - 0.3)
    lever = rod((tip[0], 0, tip[2] + 0.15), root, 0.15).scale((1, kind[3][1] / 0.3, 1))
    x = -z["ring_out"] - 2 * z["fit"] - kind[0][1] / 2
    return mesh((body + lever).rotate((0, 0, 90)).translate((x, 0, 0)))


def electronics(z: dict[str, Any]) -> Placed:
    """Return the board, Pico, pixel, piezo, and the USB plug with its cable, in their places in the turret."""
    top = z["cup"] + z["roof"] + z["turret"] - 4
    x = z["pico_x"]
    board = box((0, 0, top - 0.8), (*z["perfboard"], 1.6))
    for sx in (-1, 1):
        for sy in (-1, 1):
            hole = [sx * z["perfboard_holes"][0] / 2, sy * z["perfboard_holes"][1] / 2]
            board -= rod((*hole, top - 3), (*hole, top + 1), 1.05)
    tail = top - 1.6 - SOCKET - SPACER
    strips = [span((x - 25.4, y - 1.27, tail), (x + 25.4, y + 1.27, top - 1.6)) for y in (-8.89, 8.89)]
    joints = [span((x - 25.4, y - 0.8, top), (x + 25.4, y + 0.8, top + 2)) for y in (-8.89, 8.89)]
    pico = box((x, 0, tail - PICO[2] / 2), PICO)
    face = tail - PICO[2]
    usb = span((x - PICO[0] / 2 - 1.3, -USB[1] / 2, face - USB[2]), (x - PICO[0] / 2 - 1.3 + USB[0], USB[1] / 2, face))
    button = box((x - PICO[0] / 2 + 12.75, 3, face - 1.375), (4.5, 3.35, 2.75))
    chips = box((x - 0.5, 0, face - 0.4), (7, 7, 0.8))
    edge = z["ring_in"] - 10
    return {
        "board": mesh(joined([board, *joints])),
        "Pico": mesh(joined([*strips, pico, usb, button, chips])),
        "plug": mesh(plug(z, face - USB[2] / 2)),
        "pixel": mesh(box((edge, 0, top + 2.7), (10, 10, 2.4))),
        "piezo": mesh(rod((0, edge, top + 3.4), (0, edge, top + 3.9), 10)),
    }


def plug(z: dict[str, Any], high: float) -> Manifold:
    """Return the USB plug with the largest permitted overmould, and its cable up to and through the clamp."""
    x0 = z["pico_x"] - PICO[0] / 2 - 1.3 - 0.5
    x1 = x0 - OVERMOULD[0]
    out = -z["ring_out"] - z["pod"][0]
    at = z["cable_top"] - z["cable"] / 2 + 0.25
    grip = span((x1, -OVERMOULD[1] / 2, high - OVERMOULD[2] / 2), (x0, OVERMOULD[1] / 2, high + OVERMOULD[2] / 2))
    bent = [(x1, 0, high), (x1 - RELIEF[0], 0, high + 0.5 * (at - high))]
    ends: list[Point] = [bent[1], (out + 5, 0, at), (out - 25, 0, at)]
    thin = (z["cable"] - 0.6) / 2  # as the clamp presses it
    return joined([grip, rod(*bent, RELIEF[1]), rod(ends[0], ends[1], thin), rod(ends[1], ends[2], thin)])


def cube(z: dict[str, Any], x: float, turned: float = 0) -> trimesh.Trimesh:
    """Return a cube on the table with its middle at *x*, rotated by *turned* degrees."""
    body = trimesh.creation.box((z["edge"],) * 3)
    body.apply_transform(trimesh.transformations.rotation_matrix(radians(turned), (0, 0, 1)))
    body.apply_translation((x, 0, z["edge"] / 2))
    return body


def path(z: dict[str, Any]) -> trimesh.Trimesh:
    """Return the space that a cube can sweep on its way out; it is as wide as the cube's diagonal."""
    x0, x1 = z["ring_in"] - 10, z["exit_x"] + 14
    half = z["edge"] * 2**0.5 / 2
    return mesh(span((x0, -half, 0), (x1, half, z["edge"])))


def beam(z: dict[str, Any], x: float) -> trimesh.Trimesh:
    """Return the middle of a beam from emitter to receiver, as a thin rod."""
    return mesh(box((x, 0, z["beam_z"]), (0.4, z["lane_w"] + 2 * z["led_wall"], 0.4)))


def sight(z: dict[str, Any]) -> trimesh.Trimesh:
    """Return the line of sight from the sensor's face to the top of a cube, as a thin rod."""
    low, high = z["edge"] + 0.1, z["sensor_z"]
    return mesh(box((z["spot_x"], 0, (low + high) / 2), (0.5, 0.5, high - low)))


def _led(front: Any, out: Any) -> Manifold:
    """Return a 3 mm LED with its tip at *front* and its legs in the direction *out*; wires.py draws the legs."""
    tip, way = np.array(front, dtype=float), np.array(out, dtype=float)
    r = BARREL / 2
    dome = Manifold.sphere(r, 24).translate(tuple(tip + r * way))
    barrel = rod(tip + r * way, tip + TALL * way, r, corners=24)
    collar = rod(tip + (TALL - COLLAR[1]) * way, tip + TALL * way, COLLAR[0] / 2, corners=24)
    return joined([dome, barrel, collar])

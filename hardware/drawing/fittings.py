"""What is bought and not printed, as simple bodies in their places, so that pictures and collisions know of it."""

from math import cos, radians, sin
from typing import Any

import numpy as np
import trimesh

Placed = dict[str, trimesh.Trimesh]
LED_BODY = 3.0
LEADS = 7.0


def eyes(z: dict[str, Any]) -> Placed:
    """Return emitters and receivers: each beam's emitter sits on the other side than its neighbour's."""
    front = z["lane_w"] / 2 + z["led_wall"]
    places = {"D1": ("beam_a", -1), "Q3": ("beam_a", 1), "D2": ("beam_b", 1), "Q4": ("beam_b", -1)}
    return {name: _led((z[x], side * front, z["beam_z"]), (0, side, 0)) for name, (x, side) in places.items()}


def lamp(z: dict[str, Any]) -> trimesh.Trimesh:
    """Return the white lamp, leaning, with its light towards the spot."""
    lean = radians(z["lamp_lean"])
    out = (0.0, -sin(lean), cos(lean))
    start = np.array([z["spot_x"], 0, z["edge"]]) + (z["lamp_far"] - 4.3) * np.array(out)
    return _led(start, out)


def sensor(z: dict[str, Any]) -> trimesh.Trimesh:
    """Return the sensor's board, face down in its seat."""
    low = z["deck"] - z["board_thick"]
    middle = z["spot_x"] - z["chip"]
    board = _box((middle, 0, low + z["board_thick"] / 2), (z["board"] - 0.2, z["board"] - 0.2, z["board_thick"]))
    chip = _box((z["spot_x"], 0, low - 0.4), (2.4, 2.0, 0.8))
    pins = _box((middle, z["board"] / 2 - 1.6, z["deck"] + 1.2), (17, 2.4, 2.4))
    return trimesh.util.concatenate([board, chip, pins])


def gate_switch(z: dict[str, Any]) -> trimesh.Trimesh:
    """Return the gate's switch, its plunger down on the shutter's shoulder."""
    length, thick, high = z["switch"]
    foot = z["slot_z1"] + 0.8
    body = _box((*z["plunger"], foot + high / 2), (length - 0.4, thick - 0.4, high))
    terminals = [_box((z["plunger"][0] + x, z["plunger"][1], foot + high + 2), (0.8, 2, 4)) for x in (-5, 0, 5)]
    return trimesh.util.concatenate([body, *terminals])


def plunger(z: dict[str, Any]) -> trimesh.Trimesh:
    """Return the gate switch's plunger as it stands out when nothing presses it."""
    low, high = z["slot_z1"] - 0.9, z["slot_z1"] + 0.8
    return _box((*z["plunger"], (low + high) / 2), (1.6, 1.6, high - low))


def stop_screw(z: dict[str, Any]) -> trimesh.Trimesh:
    """Return the screw that keeps the shutter."""
    body = trimesh.creation.cylinder(z["stop_r"], 8, sections=32)
    body.apply_translation((*z["stop"], z["slot_z0"]))
    return body


def lift_switch(z: dict[str, Any]) -> trimesh.Trimesh:
    """Return the lift switch in its shaft, its plunger down on the table."""
    length, thick, high = z["switch"]
    x = -z["ring_out"] - 0.2 - thick / 2
    body = _box((x, 0, 1.6 + high / 2), (thick - 0.4, length - 0.4, high))
    plunger = _box((x, 2, 0.8), (2, 2, 1.6))
    terminals = [_box((x, y, 3.6 + high), (2, 0.8, 4)) for y in (-5, 0, 5)]
    return trimesh.util.concatenate([body, plunger, *terminals])


def electronics(z: dict[str, Any]) -> Placed:
    """Return the board that hangs in the turret, and the Pico on its socket with the plug."""
    top = z["cup"] + z["roof"] + z["turret"] - 4
    board = _box((0, 0, top - 0.8), (*z["perfboard"], 1.6))
    sockets = [_box((-8, y, top - 1.6 - 4.2), (51, 2.5, 8.4)) for y in (-8.9, 8.9)]
    pico = _box((-8, 0, top - 10.9), (51, 21, 1.0))
    parts = [_box((-8 - 25.5 + 2, 0, top - 12.8), (6, 8, 2.8)), _box((-2, 0, top - 12), (7, 7, 1.2))]
    return {
        "board": trimesh.util.concatenate([board, *sockets]),
        "Pico": trimesh.util.concatenate([pico, *parts]),
    }


def cube(z: dict[str, Any], x: float, turned: float = 0) -> trimesh.Trimesh:
    """Return one cube on the table, its middle at *x*, *turned* by degrees."""
    body = trimesh.creation.box((z["edge"],) * 3)
    body.apply_transform(trimesh.transformations.rotation_matrix(radians(turned), (0, 0, 1)))
    body.apply_translation((x, 0, z["edge"] / 2))
    return body


def path(z: dict[str, Any]) -> trimesh.Trimesh:
    """Return all that a cube sweeps on its way out, however it is turned: as wide as its diagonal."""
    x0, x1 = z["ring_in"] - 10, z["exit_x"] + 14
    return _box(((x0 + x1) / 2, 0, z["edge"] / 2), (x1 - x0, z["edge"] * 2**0.5, z["edge"]))


def beam(z: dict[str, Any], x: float) -> trimesh.Trimesh:
    """Return a beam's middle from emitter to receiver, thin as a thread."""
    return _box((x, 0, z["beam_z"]), (0.4, z["lane_w"] + 2 * z["led_wall"], 0.4))


def sight(z: dict[str, Any]) -> trimesh.Trimesh:
    """Return what the sensor looks along, from its face to a cube's top."""
    low, high = z["edge"] + 0.1, z["sensor_z"]
    return _box((z["spot_x"], 0, (low + high) / 2), (0.5, 0.5, high - low))


def _box(middle: tuple[float, ...], size: tuple[float, ...]) -> trimesh.Trimesh:
    body = trimesh.creation.box(size)
    body.apply_translation(middle)
    return body


def _led(front: Any, out: Any) -> trimesh.Trimesh:
    """A 3 mm part whose dome begins at *front*; its leads point *out*."""
    r = LED_BODY / 2
    pieces = [trimesh.creation.cylinder(r, 3.8, sections=24), trimesh.creation.icosphere(2, r)]
    pieces[0].apply_translation((0, 0, r + 1.9))
    pieces[1].apply_translation((0, 0, r))
    for x in (-1.27, 1.27):
        lead = trimesh.creation.box((0.5, 0.5, LEADS))
        lead.apply_translation((x, 0, 5.0 + LEADS / 2))
        pieces.append(lead)
    body = trimesh.util.concatenate(pieces)
    body.apply_transform(trimesh.geometry.align_vectors((0, 0, 1), np.array(out, dtype=float)))
    body.apply_translation(np.array(front, dtype=float))
    return body

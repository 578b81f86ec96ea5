"""Dimensioned sections of the gate: along the lane, from above at the beams, and across the lane at the spot."""

from collections.abc import Callable, Sequence
from math import cos, radians, sin, tan
from typing import Any

import numpy as np
import trimesh
from manifold3d import CrossSection, Manifold

from hardware.drawing import fittings, solids
from hardware.drawing.pictures import BOARD, CUBES, EYE, LAMP, SWITCH, TINTS, PictureParts
from hardware.drawing.sheet import Point, Sheet

Outlines = list[Sequence[Point]]
Place = Callable[[float, float], tuple[float, float]]
Window = tuple[float, float, float, float]  # left, low, right, high
EVERYTHING: Window = (-500.0, -500.0, 500.0, 500.0)
WAYS = {"along": (0, 2, 1), "above": (0, 1, 2), "across": (1, 2, 0)}  # axes: right, up, direction of view
CHIP = 0.5  # width of the sensor's light-sensitive area, millimetres (to be checked)


def cut(mesh: trimesh.Trimesh, way: str, at: float, window: Window = EVERYTHING) -> Outlines:
    """Return the outlines of a section of *mesh* within *window*.

    *way* is "along" the lane (*at* is y), "above" the table (z) or "across" the lane (x).
    """
    right, up, deep = WAYS[way]
    turned = mesh.copy()
    turned.vertices = np.column_stack((mesh.vertices[:, right], mesh.vertices[:, up], mesh.vertices[:, deep]))
    if way == "along":  # the order x, z, y mirrors the mesh
        turned.faces = turned.faces[:, ::-1]
    body: Manifold = solids.solid(turned)
    low_u, low_v, high_u, high_v = window
    frame = CrossSection.square((high_u - low_u, high_v - low_v)).translate((low_u, low_v))
    return [outline.tolist() for outline in (body.slice(at) ^ frame).to_polygons()]


def spot(z: dict[str, Any]) -> float:
    """Return the width of the sensor's spot on top of a cube, as its light-sensitive area sees it through the tube."""
    beyond = (z["lane_h"] - z["edge"]) / (z["sensor_z"] - z["lane_h"])
    return float(z["tube"] + (z["tube"] + CHIP) * beyond)


def sections(ring: PictureParts) -> dict[str, Sheet]:
    """Return the three sections by name."""
    return {"lane-along": along(ring), "lane-above": above(ring), "lane-across": across(ring)}


def along(ring: PictureParts) -> Sheet:
    """Return the section along the lane from the ring's inside to the exit, with a cube under the sensor."""
    z, scale = ring.z, 13.5
    sheet = Sheet(
        1120,
        810,
        "Cut along the lane",
        f"millimetres, heights from the table; a cube of {z['edge']:g} under the sensor, one on its way",
    )
    at = _place(-330, 740, scale)
    _table(sheet, at, 28, 106)
    for part, hatch in (("ring", "hatch"), ("turret", "other"), ("hood", "hatch")):
        sheet.face(_put(cut(ring.mesh[part], "along", 0.01, (30, -1, 110, 47.5)), at), TINTS[part], hatch)
    sheet.face(_put(cut(ring.mesh["gate"], "along", 0.01), at), TINTS["gate"], "other")
    _body(sheet, at, fittings.cube(z, z["spot_x"]), "along", 0.01, CUBES["red"])
    _body(sheet, at, fittings.cube(z, z["spot_x"] - 2.6 * z["edge"]), "along", 0.01, CUBES["blue"])
    _sight(sheet, at, z)
    _body(sheet, at, fittings.sensor(z), "along", 0.01, BOARD)
    for x, name in ((z["beam_a"], "A"), (z["beam_b"], "B")):
        centre = at(x, z["beam_z"])
        sheet.raw(f'<circle class="eye" cx="{centre[0]:.1f}" cy="{centre[1]:.1f}" r="{z["slit"] / 2 * scale:.1f}"/>')
        sheet.text((centre[0], centre[1] + 5), name, "name", "middle")
    _measure_along(sheet, at, z)
    _name_along(sheet, at, z)
    return sheet


def _measure_along(sheet: Sheet, at: Place, z: dict[str, Any]) -> None:
    x = z["exit_x"]
    sheet.measure(at(x + 2, 0), at(x + 2, z["lane_h"]), f"lane {z['lane_h']:g}")
    sheet.measure(at(z["beam_a"], 0), at(z["beam_b"], 0), f"{z['beam_gap']:g}", -22)
    left = z["spot_x"] - 2.6 * z["edge"] - z["edge"] / 2
    sheet.measure(at(left - 1.4, 0), at(left - 1.4, z["edge"]), f"edge {z['edge']:g}")
    sheet.measure(
        at(z["spot_x"] + 6.2, z["edge"]), at(z["spot_x"] + 6.2, z["sensor_z"]), f"{z['sensor_z'] - z['edge']:.1f}"
    )


def _name_along(sheet: Sheet, at: Place, z: dict[str, Any]) -> None:
    sheet.label(at(z["spot_x"], z["edge"] + 0.2), (800, 660), f"spot {spot(z):.1f} wide", "through the tube")
    sheet.label(at(z["spot_x"] - 5, z["deck"] - 0.6), (760, 330), "U2", "sensor, face down")
    sheet.label(at(84, z["hood_foot"] + 5), (900, 480), "hood", "its brow shades the exit")
    sheet.label(at(51, 41), (392, 262), "wires", "from the hood\ninto the turret")
    sheet.label(at(48.6, 24), (170, 420), "ring's wall")
    sheet.label(
        at(z["beam_b"], z["beam_z"] - 0.6), (800, 780), "beams", f"{z['beam_z']:g} above the table; A inner, B outer"
    )


def above(ring: PictureParts) -> Sheet:
    """Return the section at the height of the beams: emitters, receivers, funnel and lips."""
    z, scale = ring.z, 15.5
    sheet = Sheet(
        1120,
        846,
        "Cut at the height of the beams",
        "seen from above; each beam's emitter sits on the other side than its neighbour's",
    )
    at = _place(-400, 482, scale)
    height = z["beam_z"]
    sheet.face(_put(cut(ring.mesh["ring"], "above", height, (34, -23, 60, 23)), at), TINTS["ring"], "hatch")
    sheet.face(_put(cut(ring.mesh["gate"], "above", height), at), TINTS["gate"], "other")
    for name, mesh in fittings.eyes(z).items():
        _body(sheet, at, mesh, "above", height, EYE if name[0] == "D" else "#B9B3CC")
    _body(sheet, at, fittings.cube(z, z["spot_x"] + 17, 38), "above", height, CUBES["red"])
    _body(sheet, at, fittings.cube(z, z["ring_in"] - 5.5, 12), "above", height, CUBES["blue"])
    half = z["lane_w"] / 2 + z["led_wall"] + 0.2
    for x in (z["beam_a"], z["beam_b"]):
        sheet.line([at(x, -half), at(x, half)], "beam")
    sheet.line([at(36, 0), at(z["exit_x"] + 16, 0)], "axis")
    w = z["lane_w"] / 2
    sheet.measure(at(69.5, -w), at(69.5, w), f"lane {z['lane_w']:g}", 0, -40)
    sheet.measure(at(z["beam_a"], -half - 9.5), at(z["beam_b"], -half - 9.5), f"{z['beam_gap']:g}", -10)
    _funnel(sheet, at, z)
    _name_above(sheet, at, z)
    return sheet


def _funnel(sheet: Sheet, at: Place, z: dict[str, Any]) -> None:
    w = z["lane_w"] / 2
    mouth = z["ring_in"] + z["funnel_long"]
    away = tan(radians(z["funnel"]))
    sheet.line([at(mouth, -w), at(mouth - 9, -w)], "measure")
    arc = [at(mouth - 7.5 * cos(radians(a)), -w - 7.5 * sin(radians(a))) for a in range(0, int(z["funnel"]) + 1, 4)]
    sheet.line(arc, "measure")
    sheet.text((arc[5][0] - 8, arc[5][1] + 5), f"{z['funnel']:g}°", "figure", "end")
    sheet.label(at(mouth - 4, -w - 4 * away - 0.4), (190, 686), "funnel", "on this side only")


def _name_above(sheet: Sheet, at: Place, z: dict[str, Any]) -> None:
    w = z["lane_w"] / 2
    sheet.label(at(z["exit_x"] - 0.9, -w - 0.9), (930, 606), "lip", f"radius {z['lip']:g}")
    y = w + z["led_wall"] + 2.5
    for name, x, side, where in (
        ("Q3", "beam_a", 1, (505, 98)), ("D2", "beam_b", 1, (640, 98)),
        ("D1", "beam_a", -1, (470, 814)), ("Q4", "beam_b", -1, (660, 814)),
    ):  # fmt: skip
        what = "emitter" if name[0] == "D" else "receiver"
        sheet.label(at(z[x], side * y), where, name, f"{what} of {x[-1].upper()}")
    sheet.label(at(z["stop"][0], z["stop"][1]), (930, 246), "M2 screw", "keeps the shutter")
    sheet.label(at(46, 15), (200, 206), "ring")


def across(ring: PictureParts) -> Sheet:
    """Return the section across the lane at the spot: sensor, tilted lamp, the shutter's slot and its switch."""
    z, scale = ring.z, 16.5
    sheet = Sheet(
        1120, 760, "Cut across the lane at the spot", "the shutter closed: its white lies where a cube's top would be"
    )
    at = _place(560, 640, scale)
    where = z["spot_x"] + 0.01
    _table(sheet, at, -24, 32)
    sheet.face(_put(cut(ring.mesh["gate"], "across", where), at), TINTS["gate"], "other")
    sheet.face(_put(cut(ring.mesh["hood"], "across", where, (-50, 0, 50, 33)), at), TINTS["hood"], "hatch")
    _light(sheet, at, z)
    _sight(sheet, at, {**z, "spot_x": 0.0})
    sheet.face(_put(cut(ring.mesh["shutter"], "across", where), at), TINTS["shutter"])
    _body(sheet, at, fittings.sensor(z), "across", where, BOARD)
    _body(sheet, at, fittings.lamp(z), "across", where, LAMP)
    _body(sheet, at, fittings.gate_switch(z), "across", where, SWITCH)
    w = z["lane_w"] / 2
    sheet.measure(at(-w, 0), at(w, 0), f"lane {z['lane_w']:g}", -26)
    sheet.measure(at(-w + 1.2, 0), at(-w + 1.2, z["lane_h"]), f"{z['lane_h']:g}", 0, -24)
    sheet.measure(at(w - 1.2, z["shutter_top"]), at(w - 1.2, 0), f"{z['shutter_top']:g}")
    half = w + z["led_wall"]
    sheet.line([at(-half, z["beam_z"]), at(half, z["beam_z"])], "beam")
    sheet.label(at(-3, z["shutter_top"] - 0.5), (190, 690), "shutter", "white, matt")
    sheet.label(at(0, z["deck"] - 0.5), (570, 130), "U2", "sensor")
    lean = radians(z["lamp_lean"])
    sheet.label(at(-15 * sin(lean), z["edge"] + 15 * cos(lean)), (170, 330), "D3", f"lamp, leaning {z['lamp_lean']:g}°")
    sheet.label(
        at(z["plunger"][1], z["slot_z1"] + 4), (950, 440), "S1", "gate switch, its\nplunger on the\nshutter's shoulder"
    )
    sheet.label(at(z["right"] + 5, 4), (985, 680), "grip", "for the thumb")
    sheet.label(at(z["right"] + 1.3, 24), (1000, 180), "hood")
    return sheet


def _place(left: float, foot: float, scale: float) -> Place:
    return lambda u, v: (left + u * scale, foot - v * scale)


def _put(outlines: Outlines, at: Place) -> Outlines:
    return [[at(u, v) for u, v in outline] for outline in outlines]


def _body(sheet: Sheet, at: Place, mesh: trimesh.Trimesh, way: str, where: float, colour: str) -> None:
    sheet.face(_put(cut(mesh, way, where), at), colour)


def _table(sheet: Sheet, at: Place, low: float, high: float) -> None:
    (x0, y), (x1, _) = at(low, 0), at(high, 0)
    sheet.raw(f'<rect x="{x0:.1f}" y="{y:.1f}" width="{x1 - x0:.1f}" height="9" fill="#CFC8B8"/>')
    sheet.line([(x0, y), (x1, y)], "axis")


def _sight(sheet: Sheet, at: Place, z: dict[str, Any]) -> None:
    x, wide, chip = z["spot_x"], spot(z) / 2, CHIP / 2
    corners = [
        at(x - chip, z["sensor_z"]),
        at(x + chip, z["sensor_z"]),
        at(x + wide, z["edge"]),
        at(x - wide, z["edge"]),
    ]
    sheet.raw(f'<polygon class="light" points="{" ".join(f"{u:.1f},{v:.1f}" for u, v in corners)}"/>')


def _light(sheet: Sheet, at: Place, z: dict[str, Any]) -> None:
    lean, far = radians(z["lamp_lean"]), z["lamp_far"] - 4.3
    out, beside = (-sin(lean), cos(lean)), (cos(lean), sin(lean))
    ends = [(0.0, 1.0), (0.0, -1.0), (far, -1.2), (far, 1.2)]
    corners = [at(t * out[0] + s * beside[0], z["edge"] + t * out[1] + s * beside[1]) for t, s in ends]
    sheet.raw(f'<polygon class="light" points="{" ".join(f"{u:.1f},{v:.1f}" for u, v in corners)}"/>')

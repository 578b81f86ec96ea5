"""Shaded pictures of the ring: whole, taken apart, the gate from below, the turret's inside, and the bench jig."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import trimesh

from hardware.drawing import fittings, solids, wires
from hardware.drawing.bodies import mesh
from hardware.drawing.shading import Floats, Piece, View, shaded
from hardware.drawing.sheet import PAPER, Sheet

TINTS = {
    "gate": "#8DAAE0", "shutter": "#FFFFFF", "ring": "#A2A5B2", "turret": "#C3C5CD", "hood": "#D09ABB",
    "jig": "#DCCB9C", "pusher": "#E8A58F", "foot": "#E0C36A", "clamp": "#9FC7B0",
}  # fmt: skip
BOARD, EYE, LAMP, SWITCH, METAL = "#2E9A78", "#5A4A78", "#F7DF7A", "#4A4E5E", "#D8D2C0"
WIRES = {"D1": "#C62F22", "D2": "#8B4FB0", "Q3": "#3F72CC", "Q4": "#E8E2D0"}
OUT, LIFT = 46.0, 62.0  # distances in the picture of the ring taken apart, millimetres
CUBES = {"red": "#D8483B", "blue": "#3F72CC", "yellow": "#F4C60A", "green": "#2E9A78"}

Seen = Callable[[float, float, float], tuple[float, float]]


@dataclass(frozen=True)
class PictureParts:
    """The meshes of a ring by part, and the dimensions from which they were drawn."""

    mesh: dict[str, trimesh.Trimesh]
    z: dict[str, Any]

    def piece(self, part: str, by: tuple[float, float, float] = (0, 0, 0), **more: Any) -> Piece:
        """Return a printed part in its colour, moved *by* millimetres."""
        return Piece(moved(self.mesh[part], by), TINTS[part], **more)


def made(edge: int, into: Path, **settings: solids.Setting) -> PictureParts:
    """Return the ring for cubes of *edge* millimetres; the meshes are cached in the folder *into*."""
    meshes = [solids.mesh(path) for path in solids.stls(into, (edge,), **settings)]
    return PictureParts(dict(zip(solids.PARTS, meshes, strict=True)), solids.sizes(edge, **settings))


def moved(mesh: trimesh.Trimesh, by: tuple[float, float, float] | Floats) -> trimesh.Trimesh:
    """Return a copy of *mesh*, moved *by* millimetres."""
    copy = mesh.copy()
    copy.apply_translation(by)
    return copy


def pictures(ring: PictureParts) -> dict[str, Sheet]:
    """Return all shaded pictures by name."""
    drawn: dict[str, Callable[[PictureParts], Sheet]] = {
        "ring": whole, "apart": apart, "gate-below": below, "turret-inside": inside, "jig": jig,
    }  # fmt: skip
    return {name: draw(ring) for name, draw in drawn.items()}


def whole(ring: PictureParts) -> Sheet:
    """Return the picture of the ring on the table, with a cube that has just come out."""
    z = ring.z
    view = View(52, 24, (10, -4, 31), 6.3, (1120, 760))
    pieces = [ring.piece(part) for part in ("ring", "gate", "shutter", "turret", "hood")]
    pieces += [Piece(fittings.cube(z, z["exit_x"] + 24, 20), CUBES["red"])]
    sheet = _sheet(
        "The ring",
        f"for cubes of {z['edge']:g} mm; drawn from the printed parts, not yet built by anyone",
        pieces,
        view,
    )
    at = _seen(view)
    sheet.label(at(20, 30, 62.4), (975, 160), "turret", "Pico, pixel, piezo")
    sheet.label(at(-20, 45.8, 18), (985, 440), "ring", f"{z['inner']:g} mm inside")
    sheet.label(at(76, -10, 30), (190, 250), "hood", "keeps the room's\nlight out")
    sheet.label(at(z["exit_x"], z["right"] - 5, 5), (560, 715), "gate", "lane, beams, sensor")
    sheet.label(at(64, z["right"] + 6, z["shutter_top"]), (790, 655), "shutter", "white, under the thumb")
    sheet.label(at(z["exit_x"] + 24, 0, z["edge"]), (180, 735), "a station")
    return sheet


def apart(ring: PictureParts) -> Sheet:
    """Return the picture of the ring taken apart, with each part along its direction of assembly."""
    view = View(48, 20, (30, 3, 68), 4.9, (1120, 1120))
    said = "printed parts in colour; bought ones plain"
    sheet = _sheet("Apart", said, _pulled(ring), view)
    _name_outside(sheet, _seen(view), ring.z)
    _name_gate(sheet, _seen(view), ring.z)
    return sheet


def _pulled(ring: PictureParts) -> list[Piece]:
    """Return all parts, each moved out along its direction of assembly."""
    z = ring.z
    eyes = fittings.eyes(z)
    pull = {"D1": (OUT, -16, 0), "Q4": (OUT, -16, 0), "Q3": (OUT, 16, 0), "D2": (OUT, 16, 0)}
    boards = fittings.electronics(z)
    return [
        ring.piece("ring"),
        ring.piece("gate", (OUT, 0, 0)),
        ring.piece("shutter", (OUT, 34, 0)),
        ring.piece("hood", (OUT, 0, 66)),
        ring.piece("turret", (0, 0, LIFT + 34)),
        Piece(moved(fittings.sensor(z), (OUT, 0, 24)), BOARD),
        Piece(moved(fittings.lamp(z), (OUT, -12, 9)), LAMP),
        Piece(moved(fittings.gate_switch(z), (OUT, 0, 22)), SWITCH),
        Piece(moved(fittings.lift_switch(z), (-9, 0, 46)), SWITCH),
        ring.piece("foot", (-9, 0, 36)),
        ring.piece("clamp", (-26, 0, LIFT + 20)),
        Piece(moved(boards["board"], (0, 0, 30)), BOARD),
        Piece(moved(boards["Pico"], (0, 0, 16)), METAL),
        *(Piece(moved(mesh, pull[name]), EYE if name[0] == "D" else "#8A84A0") for name, mesh in eyes.items()),
    ]


def _name_outside(sheet: Sheet, at: Seen, z: dict[str, Any]) -> None:
    """Label the parts visible from outside: ring, turret and the parts between them."""
    sheet.label(
        at(0, 40, z["cup"] + z["roof"] + LIFT + 50),
        (940, 50),
        "turret",
        "four M3 screws from\nbelow, through the roof",
    )
    sheet.label(at(-10, 24, 85), (940, 410), "board", "sockets for U1; hangs\non four M2 screws")
    sheet.label(at(-20, 10.5, 62), (940, 500), "U1", "the Pico, its plug\nto the back")
    sheet.label(at(0, 46, 20), (940, 720), "ring", "felt under its rim")
    sheet.label(at(-60, 6, 62), (940, 590), "S2, foot", "lift switch and its\nfoot, from above")
    sheet.label(at(-82, 6, 118), (985, 262), "clamp", "holds the cable")


def _name_gate(sheet: Sheet, at: Seen, z: dict[str, Any]) -> None:
    """Label the gate and the parts in it."""
    sheet.label(at(OUT + 72, -14, 92), (165, 330), "hood", "two M3 screws\ninto the gate")
    sheet.label(at(OUT + 56, -10, z["deck"] + 24), (160, 640), "U2", "sensor,\nface down")
    sheet.label(at(OUT + 61, -25.5, 27), (110, 710), "D3", "white lamp")
    sheet.label(at(OUT + z["beam_b"], -30, z["beam_z"]), (130, 850), "D1, Q4", "pushed in\nfrom this side")
    sheet.label(at(OUT + 74.2, -13, 5), (168, 1010), "gate", "two M3 screws from\ninside the ring")
    sheet.label(at(OUT + z["beam_b"], 30, z["beam_z"]), (500, 1085), "Q3, D2", "from the other side")
    sheet.label(at(OUT + 64, 56, 5), (720, 1000), "shutter", "slides in; one M2 screw\nfrom below keeps it")
    sheet.label(at(OUT + z["plunger"][0], z["plunger"][1] + 4, 31), (352, 706), "S1", "gate\nswitch")


def below(ring: PictureParts) -> Sheet:
    """Return the picture of the gate upside down, with emitters and receivers going in."""
    z = ring.z
    view = View(-30, -42, (61, 4, 9), 14.5, (1120, 760))
    eyes = fittings.eyes(z)
    pieces = [ring.piece("gate"), ring.piece("shutter", (0, z["travel"], 0))]
    pieces += [Piece(mesh, EYE if name[0] == "D" else "#8A84A0") for name, mesh in eyes.items()]
    pieces += [Piece(fittings.lamp(z), LAMP)]
    pieces += [Piece(mesh(w.begun(z["deck"] + 4.5)), WIRES[w.of]) for w in wires.wires(z) if w.of in WIRES]
    sheet = _sheet("The gate from below", "the shutter open; two parts on each side, one of each kind", pieces, view)
    at = _seen(view)
    x_a, x_b, out = z["beam_a"], z["beam_b"], z["lane_w"] / 2 + 8
    sheet.label(at(x_a, -out, z["beam_z"]), (150, 320), "D1", "emitter of beam A")
    sheet.label(at(x_b, -out, z["beam_z"]), (150, 420), "Q4", "receiver of beam B")
    sheet.label(at(x_a, out, z["beam_z"]), (930, 330), "Q3", "receiver of A")
    sheet.label(at(x_b, out, z["beam_z"]), (930, 240), "D2", "emitter of B")
    sheet.label(at(*z["stop"], z["felt"]), (640, 690), "M2 screw", "the shutter's way ends\nat it, closed and open")
    sheet.label(
        at(z["ring_in"] + 3, -z["lane_w"] / 2 - 2, 5), (230, 640), "funnel", "on one side only:\ntwo would hold an arch"
    )
    sheet.label(at(z["exit_x"] - 1, z["lane_w"] / 2 + 0.6, 5), (760, 130), "lips", "rounded, radius 3")
    return sheet


def inside(ring: PictureParts) -> Sheet:
    """Return the picture of the turret upside down, with the board and the way of the wires."""
    z = ring.z
    view = View(130, -48, (-3, 0, 52), 7.4, (1120, 820))
    boards = fittings.electronics(z)
    pieces = [ring.piece("turret"), Piece(boards["board"], BOARD), Piece(boards["Pico"], METAL)]
    pieces += [Piece(boards["plug"], SWITCH), ring.piece("clamp")]
    sheet = _sheet("The turret's inside", "seen from below: this is how it lies on the bench", pieces, view)
    at = _seen(view)
    foot = z["cup"] + z["roof"]
    sheet.label(at(*z["posts"][1], foot), (560, 160), "posts", "M3, from the roof")
    sheet.label(at(20, -20, foot + 18.4), (150, 640), "board", "50 by 70 mm,\non four M2 posts")
    sheet.label(at(10, 0, foot + 9), (150, 320), "U1", "Pico on sockets,\nUSB to the back")
    sheet.label(at(-z["ring_out"] - 6, 0, foot + 5), (960, 440), "cable", "the clamp holds it")
    sheet.label(at(z["ring_in"], -7, foot + 5), (150, 530), "window", "wires to the hood")
    return sheet


def jig(ring: PictureParts) -> Sheet:
    """Return the picture of the bench jig with the gate in it and a cube in the lane."""
    z = ring.z
    view = View(-58, 34, (8, 0, 2), 5.8, (1120, 720))
    at_zero = z["spot_x"] - z["edge"] / 2
    back = -24.0
    pieces = [
        ring.piece("jig"),
        ring.piece("gate"),
        ring.piece("pusher", (at_zero + back - 110, 0, 0)),
        Piece(fittings.cube(z, z["spot_x"] + back), CUBES["blue"]),
        Piece(fittings.sensor(z), BOARD),
    ]
    sheet = _sheet("The bench jig", "the gate alone, and a cube at a known place", pieces, view)
    at = _seen(view)
    line = at_zero + back - z["jig_reach"]
    sheet.label(at(line, 4, 1.4), (150, 600), "read here", "0: the cube's middle\nis under the sensor")
    sheet.label(at(-20, 10, 3.2), (380, 150), "scale", "one line a millimetre")
    sheet.label(at(line - 34, -3, 8), (150, 520), "pusher", "its tongue stays\nbelow the beams")
    sheet.label(at(z["spot_x"] + back, 0, z["edge"]), (590, 220), "a cube")
    sheet.label(at(46, z["left"] - 3, 9), (420, 640), "a piece of the ring's wall")
    sheet.label(at(z["exit_x"], 2, z["deck"] - 4), (980, 250), "gate")
    return sheet


def _sheet(title: str, subtitle: str, pieces: list[Piece], view: View) -> Sheet:
    sheet = Sheet(*view.size, title, subtitle)
    sheet.picture(shaded(pieces, view, PAPER))
    return sheet


def _seen(view: View) -> Seen:
    def at(x: float, y: float, z: float) -> tuple[float, float]:
        right, down, _ = view.seen(np.array([[x, y, z]]))[0]
        return float(right), float(down)

    return at

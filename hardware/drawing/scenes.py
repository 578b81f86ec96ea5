"""Pictures with automatic layout: things fill the sheet, labels are in two columns, dashes show how parts go in."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import trimesh

from hardware.drawing.bodies import Point
from hardware.drawing.shading import Floats, Piece, View, shaded
from hardware.drawing.sheet import PAPER, Sheet

SIZE = (1000, 620)
COLUMN, TOP, FOOT = 208, 92, 24  # pixels: width of a column of labels, margins above and below the picture
ROW, MORE = 26, 18  # pixels: height of a label's name, and of each further line


@dataclass(frozen=True)
class Name:
    """A label: the position of its thing, the name, and further lines of text."""

    at: Point
    name: str
    more: str = ""

    @property
    def high(self) -> int:
        """Its height in its column, in pixels."""
        return ROW + MORE * len(self.more.splitlines())


@dataclass(frozen=True)
class Pulled:
    """A part drawn away from its place, by the offset `by` in millimetres."""

    mesh: trimesh.Trimesh
    colour: str
    by: Point

    @property
    def piece(self) -> Piece:
        """The part where it is drawn."""
        moved = self.mesh.copy()
        moved.apply_translation(self.by)
        return Piece(moved, self.colour)

    @property
    def ways(self) -> tuple[Floats, Floats]:
        """The ends of the part's path: where it is drawn and where it belongs."""
        middle = self.mesh.bounds.mean(axis=0)
        return middle + np.array(self.by, dtype=float), middle


def scene(
    title: str, said: str, things: Sequence[Piece | Pulled], names: Sequence[Name], eye: tuple[float, float]
) -> Sheet:
    """Return *things* with labels, seen from *eye* (degrees around and above), as large as the sheet allows."""
    pieces = [thing.piece if isinstance(thing, Pulled) else thing for thing in things]
    view = fitted(pieces, *eye)
    sheet = Sheet(*SIZE, title, said)
    sheet.picture(shaded(pieces, view, PAPER))
    for thing in things:
        if isinstance(thing, Pulled):
            ends = view.seen(np.array(thing.ways))
            sheet.line([(float(x), float(y)) for x, y, _ in ends], "axis")
    for name, thing_at, at in placed(names, view):
        sheet.label(thing_at, at, name.name, name.more)
    return sheet


def fitted(pieces: Sequence[Piece], around: float, above: float) -> View:
    """Return the view in which *pieces* fill the sheet between the columns of labels."""
    right, up, _ = View(around, above, (0, 0, 0), 1, SIZE).axes()
    corners = np.vstack([piece.mesh.vertices for piece in pieces])
    flat = np.column_stack((corners @ right, corners @ up))
    low, high = flat.min(axis=0), flat.max(axis=0)
    room = (SIZE[0] - 2 * COLUMN, SIZE[1] - TOP - FOOT)
    scale = float(min(room / (high - low)))
    across, upwards = (low + high) / 2
    upwards += (TOP - FOOT) / 2 / scale
    x, y, z = (float(v) for v in right * across + up * upwards)
    return View(around, above, (x, y, z), scale, SIZE)


def placed(names: Sequence[Name], view: View) -> list[tuple[Name, tuple[float, float], tuple[float, float]]]:
    """Return for each label the position of the labelled thing, and the label's own position. Labels do not overlap.

    A label is in the column nearer to its thing, at the same height if there is room.
    """
    found = []
    seen = [(name, view.seen(np.array([name.at], dtype=float))[0]) for name in names]
    for side, at_x in ((-1, COLUMN - 20.0), (1, SIZE[0] - COLUMN + 20.0)):
        mine = sorted((one for one in seen if (one[1][0] >= SIZE[0] / 2) == (side > 0)), key=lambda one: one[1][1])
        y = float(TOP)
        free = SIZE[1] - FOOT - TOP - sum(name.high for name, _ in mine)
        for name, where in mine:
            wanted = max(y, min(float(where[1]), y + free))
            free -= int(wanted - y)
            found.append((name, (float(where[0]), float(where[1])), (at_x, wanted)))
            y = wanted + name.high
    return found

"""`python -m hardware.drawing.renders`: draw every part from all sides into build/renders, for inspection."""

from itertools import starmap

import trimesh
from PIL import Image

from hardware.drawing import pictures, solids
from hardware.drawing.__main__ import BUILD
from hardware.drawing.shading import Piece, View, shaded
from hardware.drawing.sheet import PAPER

INTO = BUILD.parent / "renders"
SIDES = {  # degrees around and above: the four sides, top, bottom, and eight corners
    "front": (0, 1), "right": (90, 1), "back": (180, 1), "left": (270, 1), "top": (0, 89), "bottom": (0, -89),
    "corner 1": (40, 30), "corner 2": (130, 30), "corner 3": (220, 30), "corner 4": (310, 30),
    "corner 5": (40, -35), "corner 6": (130, -35), "corner 7": (220, -35), "corner 8": (310, -35),
}  # fmt: skip
CELL, COLUMNS = (620, 520), 4


def seen(mesh: trimesh.Trimesh, colour: str, around: float, above: float) -> Image.Image:
    """Return a picture of *mesh* from one side, as large as the cell allows."""
    middle = mesh.bounds.mean(axis=0)
    view = View(around, above, (float(middle[0]), float(middle[1]), float(middle[2])), 1.0, CELL)
    corners = view.seen(trimesh.bounds.corners(mesh.bounds))[:, :2]
    wide, high = corners.max(axis=0) - corners.min(axis=0)
    scale = 0.94 * min(CELL[0] / wide, CELL[1] / high)
    return shaded([Piece(mesh, colour)], View(around, above, view.middle, float(scale), CELL), PAPER)


def sheet(mesh: trimesh.Trimesh, colour: str) -> Image.Image:
    """Return a sheet with pictures of *mesh* from all sides."""
    cells = list(starmap(lambda around, above: seen(mesh, colour, around, above), SIDES.values()))
    rows = -(-len(cells) // COLUMNS)
    page = Image.new("RGB", (CELL[0] * COLUMNS, CELL[1] * rows), PAPER)
    for number, cell in enumerate(cells):
        page.paste(cell, (CELL[0] * (number % COLUMNS), CELL[1] * (number // COLUMNS)))
    return page


def main() -> None:
    """Draw the sheets of all parts for both edges of cubes."""
    INTO.mkdir(parents=True, exist_ok=True)
    for edge in solids.EDGES:
        ring = pictures.made(edge, BUILD)
        for part, mesh in ring.mesh.items():
            path = INTO / f"{part}-{edge}mm.png"
            sheet(mesh, pictures.TINTS[part]).save(path)
            print(path)


if __name__ == "__main__":
    main()

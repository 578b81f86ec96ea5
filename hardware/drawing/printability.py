"""Measures each mesh in its print orientation: thinnest wall, overhangs, bridges and area of the first layer.

Each layer is examined on a grid. Material above other material is supported. Material over air is a bridge if
both its ends are supported in some direction. It is an overhang if they are not, or if it protrudes by at
most 2.2 mm.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np
import trimesh
from manifold3d import CrossSection, FillRule, JoinType, Manifold
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from hardware.drawing import solids

Grid = NDArray[np.bool_]
LAYER, CELL = 0.2, 0.25  # millimetres: a layer's height, the grid's pitch
LEAN = 0.3  # a layer may protrude this far over the one below without bridging: 56 degrees from vertical
SLICE = 0.6  # distance between the cuts that measure walls; a place thin in only one cut is a tip
CRUMB_MM2 = 0.4  # area of a cut that may be thinner: corners and the ends of slopes
SHORT = 2.2  # an overhang up to this length needs no support at its other end
ARC = 0.7  # how far a bridge may deviate from the straight line between its ends, as in a round wall
HOLE = 1.5  # radius of a hole that a bridge may have
WALLS = [round(0.4 + 0.1 * step, 1) for step in range(17)]
WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))
LIES = {  # rotation of each part on the bed, degrees
    "gate": (180, 0, 0), "shutter": (180, 0, 0), "ring": (180, 0, 0), "turret": (180, 0, 0), "hood": (180, 0, 0),
    "foot": (0, 90, 0), "clamp": (0, 0, 0), "jig": (0, 0, 0), "pusher": (0, 0, 0),
}  # fmt: skip


@dataclass(frozen=True)
class Printed:
    """The figures of one printed part: lengths in millimetres, the first layer in square millimetres."""

    wall: float
    overhang: float
    bridge: float
    first_layer: float


def measured(part: str, mesh: trimesh.Trimesh) -> Printed:
    """Return the figures of *part*."""
    body = solids.solid(mesh).rotate(LIES[part])
    low = body.bounding_box()
    body = body.translate((-low[0] + 1, -low[1] + 1, -low[2]))
    overhang, bridge = _over_air(body)
    return Printed(_thinnest(body), overhang, bridge, round(float(body.slice(0.05).area()), 0))


def table(meshes: Mapping[int, Mapping[str, trimesh.Trimesh]]) -> str:
    """Return the figures of all parts for each edge as the table in README.md."""
    head = "| part | thinnest wall | stands out over air | longest bridge | first layer, cm² |\n|---|---|---|---|---|\n"
    rows = {edge: {part: measured(part, mesh) for part, mesh in parts.items()} for edge, parts in meshes.items()}
    return head + "".join(row(part, [told[part] for told in rows.values()]) for part in LIES)


def row(part: str, told: Sequence[Printed]) -> str:
    """Return one part's row of the table; figures that differ between the edges are separated by a slash."""
    columns = [[getattr(one, field.name) for one in told] for field in fields(Printed)]
    columns[-1] = [round(area / 100, 1) for area in columns[-1]]
    cells = [" / ".join(f"{figure:g}" if figure else "–" for figure in dict.fromkeys(column)) for column in columns]
    return f"| {part} | " + " | ".join(cells) + " |\n"


def _thinnest(body: Manifold) -> float:
    """Return the thinnest wall in millimetres, found by morphological opening of cuts in three directions."""
    stacks = [_cuts(body.rotate(turn)) for turn in ((0, 0, 0), (90, 0, 0), (0, 90, 0))]
    for wall in WALLS:
        if any(_thinner(cuts, wall) for cuts in stacks):
            return round(wall - 0.1, 1)
    return WALLS[-1]


def _cuts(body: Manifold) -> list[CrossSection]:
    low, high = body.bounding_box()[2], body.bounding_box()[5]
    return [body.slice(float(at)) for at in np.arange(low + SLICE / 2, high, SLICE)]


def _thinner(cuts: list[CrossSection], wall: float) -> bool:
    """Return whether something is thinner than *wall* at the same place in two neighbouring cuts."""
    rests = [_rest(cut, wall / 2) for cut in cuts]
    return any(part.area() > CRUMB_MM2 for a, b in pairwise(rests) for part in (a ^ b).decompose())


def _rest(cut: CrossSection, r: float) -> CrossSection:
    return cut - cut.offset(-r, JoinType.Miter, 20).offset(r + 0.01, JoinType.Miter, 20)


def _over_air(body: Manifold) -> tuple[float, float]:
    """Return the longest overhang and the longest bridge in millimetres."""
    top = body.bounding_box()
    shape = (int(top[4] / CELL) + 8, int(top[3] / CELL) + 8)
    heights = np.arange(LAYER / 2, top[5], LAYER)
    overhang = bridge = 0.0
    below = body.slice(float(heights[0]))
    for height in heights[1:]:
        layer = body.slice(float(height))
        free = layer - below.offset(LEAN, JoinType.Round)
        if free.area() > 0.3:
            held = (layer ^ below.offset(LEAN, JoinType.Round)).offset(ARC, JoinType.Round)
            over_air = free.offset(HOLE + ARC, JoinType.Round).offset(-HOLE, JoinType.Round)
            pieces = [_grid(piece, shape) for piece in free.decompose()]
            for out, over in _spans(pieces, _grid(over_air, shape), _grid(held, shape)):
                overhang, bridge = max(overhang, out), max(bridge, over)
        below = layer
    return round(overhang, 1), round(bridge, 1)


def _grid(cut: CrossSection, shape: tuple[int, int]) -> Grid:
    image = Image.new("1", (shape[1], shape[0]))
    drawn = ImageDraw.Draw(image)
    for outline in sorted(cut.to_polygons(), key=lambda one: -abs(CrossSection([one], FillRule.NonZero).area())):
        solid = CrossSection([outline], FillRule.Positive).area() > 0
        drawn.polygon([(x / CELL, y / CELL) for x, y in outline], fill=int(solid))
    return np.array(image, dtype=bool)


def _spans(pieces: Sequence[Grid], passed: Grid, held: Grid) -> Iterator[tuple[float, float]]:
    """For each piece of a layer, yield the longest overhang and bridge, each measured in the shortest direction."""
    passed = passed & ~held
    shortest = np.full(held.shape, np.inf)
    for dx, dy in WAYS:
        ahead, behind = (_reach(passed, held, [(sign * dx, sign * dy)]) for sign in (1, -1))
        shortest = np.minimum(shortest, (ahead + behind - 1) * np.hypot(dx, dy) * CELL + 2 * (ARC + LEAN))
    round_about = [(sign * dx, sign * dy) for dx, dy in WAYS for sign in (1, -1)]
    out = (_reach(passed, held, round_about) - 0.5) * CELL + ARC + LEAN
    for piece in pieces:
        free = piece & ~held
        farthest = float(out[free].max(initial=0.0))
        bridged = free & np.isfinite(shortest) & (farthest > SHORT)
        yield float(out[free & ~bridged].max(initial=0.0)), float(shortest[bridged].max(initial=0.0))


def _reach(free: Grid, held: Grid, ways: list[tuple[int, int]]) -> NDArray[np.float64]:
    """Return for each free cell the number of steps along *ways* over free cells to a supported one, or infinity."""
    steps = np.where(held, 0.0, np.inf)
    for _ in range(max(free.shape)):
        came = np.minimum.reduce([np.roll(steps, (-dy, -dx), axis=(0, 1)) for dx, dy in ways]) + 1
        better = free & (came < steps)
        if not better.any():
            break
        steps[better] = came[better]
    return steps

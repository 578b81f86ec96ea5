"""Simple bodies in millimetres (boxes, rods and wires), which can be joined into closed meshes."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import trimesh
from manifold3d import Manifold

Point = Sequence[float]
ROUND = 20  # corners of the polygon that stands for a circle


def box(middle: Point, size: Point) -> Manifold:
    """Return a box with its centre at *middle*."""
    return Manifold.cube(tuple(size), center=True).translate(tuple(middle))


def span(low: Point, high: Point) -> Manifold:
    """Return a box between two opposite corners."""
    return box([(a + b) / 2 for a, b in zip(low, high, strict=True)], [b - a for a, b in zip(low, high, strict=True)])


def rod(
    a: Point, b: Point, radius: float, end: float | None = None, corners: int = ROUND, turned: float = 0
) -> Manifold:
    """Return a cylinder from *a* to *b*, or a cone with the radius *end* at *b*; *turned* is a rotation in degrees."""
    start, along = np.array(a, dtype=float), np.subtract(b, a).astype(float)
    length = float(np.linalg.norm(along))
    body = Manifold.cylinder(length, radius, radius if end is None else end, corners).rotate((0, 0, turned))
    return body.transform(_turned(along / length, start))


def way(points: Sequence[Point], radius: float) -> Manifold:
    """Return a wire of constant *radius* through *points*."""
    rods = [rod(a, b, radius, corners=10) for a, b in pairwise(points)]
    knees = [Manifold.sphere(radius, 10).translate(tuple(point)) for point in points[1:-1]]
    return joined([*rods, *knees])


def joined(bodies: Iterable[Manifold]) -> Manifold:
    """Return the union of *bodies*."""
    whole = Manifold()
    for body in bodies:
        whole += body
    return whole


def mesh(body: Manifold) -> trimesh.Trimesh:
    """Return *body* as a mesh."""
    told = body.to_mesh()
    return trimesh.Trimesh(told.vert_properties[:, :3].astype(float), told.tri_verts.astype(int))


def _turned(to: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the transformation that turns the z axis into the direction *to* and moves the origin to *at*."""
    side = np.cross((0, 0, 1), to) if abs(to[2]) < 0.9 else np.cross((0, 1, 0), to)
    side = side / np.linalg.norm(side)
    return np.column_stack((side, np.cross(to, side), to, at))

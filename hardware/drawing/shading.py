"""A small renderer for shaded solids with dark outlines, which needs no display."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np
import trimesh
from numpy.typing import NDArray
from PIL import Image

Floats = NDArray[np.float64]
FINER = 2  # pixels computed per pixel of the picture, in each direction
SUN = np.array([-0.35, 0.45, 0.82])  # components to the right, upwards and towards the eye
BEHIND = -1.0e9
INK = (26, 29, 41)


@dataclass(frozen=True)
class Piece:
    """One thing in a picture; everything in front of the plane *cut* (a point and a normal) is left out."""

    mesh: trimesh.Trimesh
    colour: str
    cut: tuple[Sequence[float], Sequence[float]] | None = None
    clear: bool = False


@dataclass(frozen=True)
class View:
    """The position of the eye: degrees around and above, the point in the middle, pixels per millimetre, the size."""

    around: float
    above: float
    middle: tuple[float, float, float]
    scale: float
    size: tuple[int, int]

    def axes(self) -> Floats:
        """Return the picture's directions right, up and towards the eye as vectors in the coordinates of the model."""
        a, e = radians(self.around), radians(self.above)
        towards = np.array([cos(e) * cos(a), cos(e) * sin(a), sin(e)])
        right = np.array([-sin(a), cos(a), 0.0])
        return np.array([right, np.cross(towards, right), towards])

    def seen(self, points: Floats) -> Floats:
        """Return the positions of *points* in the picture: pixels right and down, millimetres towards the eye."""
        flat = (np.asarray(points, dtype=float) - np.array(self.middle)) @ self.axes().T
        width, height = self.size
        return np.column_stack((width / 2 + flat[:, 0] * self.scale, height / 2 - flat[:, 1] * self.scale, flat[:, 2]))


class Canvas:
    """Depth, colour, direction and owner of each pixel, where the owner is the number of a piece."""

    def __init__(self, view: View, paper: str) -> None:
        width, height = view.size[0] * FINER, view.size[1] * FINER
        self.view = view
        self.depth = np.full((height, width), BEHIND)
        self.colour = np.tile(_rgb(paper), (height, width, 1))
        self.facing = np.zeros((height, width, 3))
        self.owner = np.zeros((height, width), dtype=np.int16)

    def lay(self, piece: Piece, owner: int) -> None:
        """Draw the parts of *piece* that are in front of everything drawn so far."""
        at = self.view.seen(piece.mesh.vertices)
        at[:, :2] *= FINER
        normals = piece.mesh.face_normals @ self.view.axes().T
        light, within = _rgb(piece.colour), _rgb(piece.colour) * 0.55 + np.array([198, 47, 34]) * 0.45
        for face, normal in zip(piece.mesh.faces, normals, strict=True):
            if normal[2] <= 0 and piece.cut is None:
                continue
            shade = light * _lit(normal) if normal[2] > 0 else within
            facing = normal if normal[2] > 0 else np.array([0.0, 0.0, 1.0])
            self._face(at[face], shade, facing, owner, piece)

    def _face(self, corners: Floats, shade: Floats, facing: Floats, owner: int, piece: Piece) -> None:
        low = np.maximum(np.floor(corners[:, :2].min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(corners[:, :2].max(axis=0)).astype(int) + 1, self.depth.shape[::-1])
        (x0, y0), (x1, y1) = corners[1, :2] - corners[0, :2], corners[2, :2] - corners[0, :2]
        area = x0 * y1 - x1 * y0
        if abs(area) < 1e-9 or (high <= low).any():
            return
        xs = np.arange(low[0], high[0])[None, :] + 0.5 - corners[0, 0]
        ys = np.arange(low[1], high[1])[:, None] + 0.5 - corners[0, 1]
        b, c = (xs * y1 - ys * x1) / area, (ys * x0 - xs * y0) / area
        depth = corners[0, 2] + b * (corners[1, 2] - corners[0, 2]) + c * (corners[2, 2] - corners[0, 2])
        box = (slice(low[1], high[1]), slice(low[0], high[0]))
        hit = (b >= -1e-6) & (c >= -1e-6) & (b + c <= 1 + 1e-6) & (depth > self.depth[box])
        if piece.cut is not None:
            hit &= self._kept(low, high, depth, piece.cut)
        self.depth[box][hit], self.colour[box][hit] = depth[hit], shade
        self.facing[box][hit], self.owner[box][hit] = facing, owner

    def _kept(
        self,
        low: NDArray[np.int64],
        high: NDArray[np.int64],
        depth: Floats,
        cut: tuple[Sequence[float], Sequence[float]],
    ) -> NDArray[np.bool_]:
        width, height = self.view.size
        right, up, towards = self.view.axes()
        xs = ((np.arange(low[0], high[0]) + 0.5) / FINER - width / 2) / self.view.scale
        ys = (height / 2 - (np.arange(low[1], high[1]) + 0.5) / FINER) / self.view.scale
        normal = np.array(cut[1])
        offset = (np.array(self.view.middle) - np.array(cut[0])) @ normal
        ahead = offset + xs[None, :] * (right @ normal) + ys[:, None] * (up @ normal) + depth * (towards @ normal)
        return np.asarray(ahead <= 0)

    def inked(self) -> Image.Image:
        """Return the picture with outlines at edges and corners."""
        image = self.colour.copy()
        image[self._edges()] = INK
        full = Image.fromarray(np.clip(image, 0, 255).astype(np.uint8))
        return full.resize(self.view.size, Image.Resampling.BOX)

    def _edges(self) -> NDArray[np.bool_]:
        edge = np.zeros(self.depth.shape, dtype=bool)
        for along in (0, 1):
            here: list[slice] = [slice(None)] * 2
            there: list[slice] = [slice(None)] * 2
            here[along], there[along] = slice(None, -1), slice(1, None)
            a, b = tuple(here), tuple(there)
            turns = (self.facing[a] * self.facing[b]).sum(axis=2) < 0.8
            jumps = np.abs(self.depth[a] - self.depth[b]) > 1.2
            other = self.owner[a] != self.owner[b]
            edge[a] |= ((turns | jumps) & (self.owner[a] + self.owner[b] > 0)) | other
        return edge


def shaded(pieces: Sequence[Piece], view: View, paper: str) -> Image.Image:
    """Return a picture of *pieces* as seen in *view*, on a background of the colour *paper*."""
    canvas = Canvas(view, paper)
    for owner, piece in enumerate(pieces, start=1):
        canvas.lay(piece, owner)
    return canvas.inked()


def _lit(normal: Floats) -> float:
    return float(0.62 + 0.38 * max(0.0, normal @ SUN / np.linalg.norm(SUN)) + 0.06 * normal[1])


def _rgb(colour: str) -> Floats:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)

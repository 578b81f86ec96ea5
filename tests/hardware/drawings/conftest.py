"""The printed parts for both edges, drawn once for each change of their sources, as solids that can be cut."""

from collections.abc import Callable
from pathlib import Path

import pytest
import trimesh
from manifold3d import Manifold

from hardware.drawing import pictures, solids

BUILD = Path(__file__).parents[3] / "build" / "drawings"


@pytest.fixture(scope="session")
def made() -> Callable[[int], pictures.PictureParts]:
    """Return a function that returns the ring for cubes of a given edge: its meshes and measures."""
    kept: dict[int, pictures.PictureParts] = {}

    def of(edge: int) -> pictures.PictureParts:
        if edge not in kept:
            kept[edge] = pictures.made(edge, BUILD)
        return kept[edge]

    return of


@pytest.fixture(
    params=[solids.EDGES[0], *(pytest.param(edge, marks=pytest.mark.long) for edge in solids.EDGES[1:])],
    ids=lambda edge: f"{edge}mm",
)
def ring(request: pytest.FixtureRequest, made: Callable[[int], pictures.PictureParts]) -> pictures.PictureParts:
    """The ring for each cube size in turn."""
    return made(request.param)


@pytest.fixture
def common() -> Callable[[trimesh.Trimesh, trimesh.Trimesh], float]:
    """Return a function that gives the common volume of two bodies, in cubic millimetres."""

    def of(one: trimesh.Trimesh, other: trimesh.Trimesh) -> float:
        shared: Manifold = solids.solid(one) ^ solids.solid(other)
        return float(shared.volume())

    return of

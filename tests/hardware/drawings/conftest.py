"""The solids of both edges, drawn once for each change of their sources, and parts as solids that can be cut."""

from collections.abc import Callable
from pathlib import Path

import pytest
import trimesh
from manifold3d import Manifold

from hardware.drawing import pictures, solids

BUILD = Path(__file__).parents[3] / "build" / "drawings"


@pytest.fixture(scope="session")
def made() -> Callable[[int], pictures.PictureParts]:
    """Return the ring for cubes of an edge: its meshes and measures."""
    kept: dict[int, pictures.PictureParts] = {}

    def of(edge: int) -> pictures.PictureParts:
        if edge not in kept:
            kept[edge] = pictures.made(edge, BUILD)
        return kept[edge]

    return of


@pytest.fixture(params=solids.EDGES, ids=lambda edge: f"{edge}mm")
def ring(request: pytest.FixtureRequest, made: Callable[[int], pictures.PictureParts]) -> pictures.PictureParts:
    """Return the ring for one edge after the other."""
    return made(request.param)


@pytest.fixture
def common() -> Callable[[trimesh.Trimesh, trimesh.Trimesh], float]:
    """Return how many cubic millimetres two bodies share."""

    def of(one: trimesh.Trimesh, other: trimesh.Trimesh) -> float:
        shared: Manifold = solids.solid(one) ^ solids.solid(other)
        return float(shared.volume())

    return of

"""What the sensor sees at a given time: a passage through the gate, or something that does not move."""

from __future__ import annotations

from collections.abc import Sequence

from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from firmware_bridge.colour.channels import Channels, Counts
from firmware_bridge.simulation.physics.cube import Cube
from firmware_bridge.simulation.physics.light import Light
from firmware_bridge.simulation.physics.motion import Path
from firmware_bridge.simulation.physics.world import World

SPOT_MM = 3.0
LOOKS = 4  # how often within one step the coverage of the spot is sampled
MOST_LOOKS = 64

Crossing = tuple[str, bool, float]
"""A beam, whether it becomes blocked, and the time in seconds since the start of the path."""


@dataclass(frozen=True)
class PassageScene:
    """The values that stay constant during one passage: each cube and its pose, the stray light, the lamp and room
    light.
    """

    posed: tuple[tuple[Cube, float], ...]
    stray: float
    light: Light


@dataclass(frozen=True)
class Still:
    """Something that does not move: the shutter, a black card or the bare board."""

    seen: Channels
    light: Light

    def counts(self, at: float, steps: int = 1, gain: int = 0, lamp: bool = True) -> Counts:
        """Return one frame of *steps*, started at *at* seconds."""
        return self.light.counts(self.seen, at, lamp, steps, gain)


@shows("edges")
class Going:
    """One passage that can be sampled at any time; times are in seconds from the start of its *way*."""

    def __init__(self, world: World, way: Path, edges: Sequence[Crossing], shown: PassageScene) -> None:
        self.edges = tuple(edges)
        self.ends = max(way.ends, self.edges[-1][2])
        self._edge, self._board = world.edge_mm, world.board
        self._near = (world.edge_mm / 2 - SPOT_MM) / 2
        self._way = way
        self._shown = shown

    def counts(self, at: float, steps: int = 1, gain: int = 0, lamp: bool = True) -> Counts:
        """Return one frame of *steps*, started at *at* seconds."""
        return self._shown.light.counts(self._spot(at, steps), at, lamp, steps, gain)

    def _spot(self, at: float, steps: int) -> Channels:
        """Return the reflectance of the spot during one frame: the sum of the cubes' part, the board's part and the
        window.
        """
        posed, shares = self._shown.posed, self._shares(at, steps)
        bare = self._board * (1 - sum(shares)) + self._shown.stray
        r, g, b, c = (
            bare + sum(share * pose * cube.reflects[k] for share, (cube, pose) in zip(shares, posed, strict=True))
            for k in range(4)
        )
        return r, g, b, c

    def _shares(self, at: float, steps: int) -> list[float]:
        """Return the mean share of the spot that each cube covers during one frame."""
        way, near, edge, cubes = self._way, self._near, self._edge, len(self._shown.posed)
        step_s = self._shown.light.step_s
        if steps == cubes == 1 and all(SPOT_MM <= way.at(each) - near <= edge for each in (at, at + step_s)):
            return [1.0]
        looks = min(LOOKS * steps, MOST_LOOKS)
        fronts = [way.at(at + steps * step_s * (k + 0.5) / looks) - near for k in range(looks)]
        return [sum(covered(d - n * edge, edge) for d in fronts) / looks for n in range(cubes)]


def covered(travelled: float, edge: float) -> float:
    """Return the share of the spot (0 to 1) that a cube covers after its front has *travelled* into it, in mm.

    >>> covered(1.5, edge=8.0), covered(5.0, edge=8.0), covered(9.5, edge=8.0)
    (0.5, 1.0, 0.5)
    """
    return min(max(min(travelled / SPOT_MM, (edge + SPOT_MM - travelled) / SPOT_MM), 0.0), 1.0)

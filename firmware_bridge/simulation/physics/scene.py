"""What the sensor sees at any moment: a passage on its way through the gate, or what lies still under it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from firmware_bridge.colour.channels import Channels, Counts
from firmware_bridge.simulation.physics.cube import Cube
from firmware_bridge.simulation.physics.light import GAIN, STEP_S, Light
from firmware_bridge.simulation.physics.motion import Path
from firmware_bridge.simulation.physics.world import World

SPOT_MM = 3.0
LOOKS = 4  # how often within one step the coverage of the spot is taken
MOST_LOOKS = 64

Crossing = tuple[str, bool, float]
"""A beam, whether it is blocked from now on, and when: seconds on the way."""


@dataclass(frozen=True)
class PassageScene:
    """What holds for one passage as a whole: each cube and how it lies, gloss and stray light, lamp and room."""

    posed: tuple[tuple[Cube, float], ...]
    stray: float
    light: Light


@dataclass(frozen=True)
class Still:
    """Something that does not move: the shutter, a black card, the bare board."""

    seen: Channels
    light: Light

    def counts(self, at: float, steps: int = 1, gain: int = GAIN, lamp: bool = True) -> Counts:
        """Return one frame of *steps*, begun at *at* seconds."""
        return self.light.counts(self.seen, at, lamp, steps, gain)


@shows("edges")
class Going:
    """One passage that may be asked at any time, in seconds from the beginning of its *way*."""

    def __init__(self, world: World, way: Path, edges: Sequence[Crossing], shown: PassageScene) -> None:
        self.edges = tuple(edges)
        self.ends = max(way.ends, self.edges[-1][2])
        self._edge, self._board = world.edge_mm, world.board
        self._near = (world.edge_mm / 2 - SPOT_MM) / 2
        self._way = way
        self._shown = shown

    def counts(self, at: float, steps: int = 1, gain: int = GAIN, lamp: bool = True) -> Counts:
        """Return one frame of *steps*, begun at *at*."""
        return self._shown.light.counts(self._spot(at, steps), at, lamp, steps, gain)

    def _spot(self, at: float, steps: int) -> Channels:
        """What the spot throws back over one frame: the cubes as far as they cover it, the board, the window."""
        posed, shares = self._shown.posed, self._shares(at, steps)
        bare = self._board * (1 - sum(shares)) + self._shown.stray
        r, g, b, c = (
            bare + sum(share * pose * cube.reflects[k] for share, (cube, pose) in zip(shares, posed, strict=True))
            for k in range(4)
        )
        return r, g, b, c

    def _shares(self, at: float, steps: int) -> list[float]:
        """How much of the spot each of the cubes covers in the mean of one frame."""
        way, near, edge, cubes = self._way, self._near, self._edge, len(self._shown.posed)
        if steps == cubes == 1 and all(SPOT_MM <= way.at(each) - near <= edge for each in (at, at + STEP_S)):
            return [1.0]
        looks = min(LOOKS * steps, MOST_LOOKS)
        fronts = [way.at(at + steps * STEP_S * (k + 0.5) / looks) - near for k in range(looks)]
        return [sum(covered(d - n * edge, edge) for d in fronts) / looks for n in range(cubes)]


def covered(travelled: float, edge: float) -> float:
    """Return how much of the spot (0 to 1) a cube covers whose front has *travelled* so far into it."""
    return min(max(min(travelled / SPOT_MM, (edge + SPOT_MM - travelled) / SPOT_MM), 0.0), 1.0)

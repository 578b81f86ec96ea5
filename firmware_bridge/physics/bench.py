"""One simulated gate with its copy's cubes: what its beams and its sensor tell while something happens at it.

The model is documented in hardware/WORLD.md. Nothing of it was measured on a
real ring.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, exp
from random import Random

from firmware_bridge.physics.cube import Cube, painted
from firmware_bridge.physics.light import STEP_S, Counts, Light
from firmware_bridge.physics.motion import Edge, Path, blink, edges, path
from firmware_bridge.reflectance import BLACK_CARD, WHITE_SHUTTER, Channels
from firmware_bridge.wire.frames import chosen
from firmware_bridge.world import World

FRAME_S = 2 * STEP_S
SPOT_MM = 3.0
SLOWEST_MM_S, FASTEST_MM_S = 1.0, 3_000.0
LOOKS = 4  # how often within one frame the coverage of the spot is taken
REFERENCE_FRAMES = 8
REFERENCES = ("black", "white", "dark")


@dataclass(frozen=True)
class Frame:
    """What the sensor counted (R, G, B, clear) in one step; *at_us*: the middle of it, after the first edge."""

    at_us: int
    counts: Counts


@dataclass(frozen=True)
class References:
    """Sums over `REFERENCE_FRAMES` frames: over a black card, from the white shutter, and with the lamp off."""

    black: Counts
    white: Counts
    dark: Counts


@dataclass(frozen=True)
class Passing:
    """What beams and sensor saw: edges in microseconds after the first, frames of that time and just around."""

    edges: tuple[Edge, ...]
    frames: tuple[Frame, ...] = ()


@dataclass(frozen=True)
class Shown:
    """What holds for one passage as a whole: each cube and how it lies, gloss and stray light, lamp and room."""

    posed: tuple[tuple[Cube, float], ...]
    stray: float
    light: Light


class Bench:
    """A gate in a *world*; the same lots give the same cubes and the same readings."""

    def __init__(self, world: World, lots: Random) -> None:
        self.world = world
        self._lots = lots
        self._dark = [lots.randrange(2) for _ in range(4)]
        self._cubes = {colour: painted(world, colour, lots) for colour in sorted(world.reflectance)}

    def cubes(self, colour: str) -> tuple[Cube, ...]:
        """Return this copy's cubes of *colour*."""
        return self._cubes[colour]

    def age(self) -> None:
        """Let the world become what it is after calibration: same gate, same cubes, another lamp or light."""
        self.world = self.world.after_calibration or self.world

    def speed(self) -> float:
        """Return how fast (mm/s) a hand slides this time."""
        drawn = self.world.speed_mm_s * exp(self._lots.gauss(0, self.world.speed_sigma))
        return min(max(drawn, SLOWEST_MM_S), FASTEST_MM_S)

    def references(self) -> References:
        """Return fresh references: no cube's gloss, and the light of the room as it is now."""
        light = Light(self.world, self._dark, self._lots)
        return References(*(self._reference(what, light) for what in REFERENCES))

    def reference(self, what: str) -> Counts:
        """Return one of `REFERENCES`, taken by itself."""
        return self._reference(what, Light(self.world, self._dark, self._lots))

    def passing(
        self, kind: str, cubes: Sequence[Cube] = (), speed_mm_s: float = 0.0, told_only: bool = False
    ) -> Passing:
        """Let *cubes* do *kind* (one of `KINDS`); two of them touch. No speed given: the hand's own.

        Every frame is counted, or, as most take time in vain, those alone
        that a device tells (*told_only*).
        """
        if kind == "glitch":
            return Passing(_stamped(blink(self._lots)))
        world, lots = self.world, self._lots
        edge, gap = world.edge_mm, world.edge_mm / 2
        length = edge * max(len(cubes), 1)
        speed = speed_mm_s or self.speed()
        way = path(kind, length, gap, SPOT_MM, speed, world.speed_change, lots)
        seen = edges(way, length, gap, world.edge_jitter_ms / 1000, lots)
        shown = self._shown(cubes)
        stamped, frames = _stamped(seen), self._begun(seen[0][2], seen[-1][2])
        if told_only:
            frames = {at_us: frames[at_us] for at_us in chosen(list(stamped), list(frames))}
        counted = (Frame(at_us, shown.light.counts(self._spot(way, at, shown), at)) for at_us, at in frames.items())
        return Passing(stamped, tuple(counted))

    def _shown(self, cubes: Sequence[Cube]) -> Shown:
        world, lots = self.world, self._lots
        posed = tuple((cube, exp(lots.gauss(0, world.pose_sigma))) for cube in cubes)
        stray = max(lots.gauss(world.stray_mean, world.stray_sigma), 0.0)
        return Shown(posed, stray, Light(world, self._dark, lots))

    def _begun(self, first: float, last: float) -> dict[int, float]:
        """When each frame from before the *first* edge to after the *last* begins, by its middle in microseconds.

        The sensor runs by itself, and does not wait for a cube.
        """
        begin = first - FRAME_S - self._lots.uniform(0, FRAME_S)
        starts = (begin + n * FRAME_S for n in range(ceil((last + FRAME_S - begin) / FRAME_S)))
        return {round((at + STEP_S / 2 - first) * 1e6): at for at in starts}

    def _spot(self, way: Path, at: float, shown: Shown) -> Channels:
        """What the spot throws back over one frame: the cubes as far as they cover it, the board, the window."""
        shares = self._shares(way, at, len(shown.posed))
        bare = self.world.board * (1 - sum(shares)) + shown.stray
        r, g, b, c = (
            bare + sum(share * pose * cube.reflects[k] for share, (cube, pose) in zip(shares, shown.posed, strict=True))
            for k in range(4)
        )
        return r, g, b, c

    def _shares(self, way: Path, at: float, cubes: int) -> list[float]:
        """How much of the spot each of *cubes* covers in the mean of one frame."""
        edge, near = self.world.edge_mm, (self.world.edge_mm / 2 - SPOT_MM) / 2
        if cubes == 1 and all(SPOT_MM <= way.at(each) - near <= edge for each in (at, at + STEP_S)):
            return [1.0]
        fronts = [way.at(at + STEP_S * (k + 0.5) / LOOKS) - near for k in range(LOOKS)]
        return [sum(covered(d - n * edge, edge) for d in fronts) / LOOKS for n in range(cubes)]

    def _reference(self, what: str, light: Light) -> Counts:
        back = WHITE_SHUTTER if what == "white" else BLACK_CARD
        shone = _shone(back, self.world.stray_mean)
        frames = [light.counts(shone, n * FRAME_S, lamp=what != "dark") for n in range(REFERENCE_FRAMES)]
        r, g, b, c = (sum(channel) for channel in zip(*frames, strict=True))
        return r, g, b, c


def covered(travelled: float, edge: float) -> float:
    """Return how much of the spot (0 to 1) a cube covers whose front has *travelled* so far into it."""
    return min(max(min(travelled / SPOT_MM, (edge + SPOT_MM - travelled) / SPOT_MM), 0.0), 1.0)


def _shone(back: Channels, window: float) -> Channels:
    r, g, b, c = (each + window for each in back)
    return r, g, b, c


def _stamped(seen: Sequence[tuple[str, bool, float]]) -> tuple[Edge, ...]:
    first = seen[0][2]
    return tuple((beam, on, round((at - first) * 1e6)) for beam, on, at in seen)

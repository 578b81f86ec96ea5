"""One simulated gate with its copy's cubes: what its beams and its sensor tell while something happens at it.

The model is documented in hardware/WORLD.md. Nothing of it was measured on a
real ring.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, exp
from random import Random

from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from firmware_bridge.colour.channels import BLACK_CARD, WHITE_SHUTTER, Channels, Counts
from firmware_bridge.device.frame_filter import chosen
from firmware_bridge.simulation.physics.cube import Cube, painted
from firmware_bridge.simulation.physics.light import STEP_S, Light
from firmware_bridge.simulation.physics.motion import Edge, Path, blink, edges, followed, path
from firmware_bridge.simulation.physics.scene import SPOT_MM, Crossing, Going, PassageScene, Still
from firmware_bridge.simulation.physics.world import World

FRAME_S = 2 * STEP_S
SLOWEST_MM_S, FASTEST_MM_S = 1.0, 3_000.0
REFERENCE_FRAMES = 8
REFERENCES = ("black", "white", "dark")
AWAY = Path([(0.0, -1e3)])  # where nothing is: a beam that blinks is no cube


@dataclass(frozen=True)
class SensorFrame:
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
    frames: tuple[SensorFrame, ...] = ()


@shows("_dark", "_cubes")
class PhysicsBench:
    """A gate in a *world*; the same lots give the same cubes and the same readings.

    The sensor's noise comes from *noise* where given, and then what happens is
    the same however many frames are taken.
    """

    def __init__(self, world: World, lots: Random, noise: Random | None = None) -> None:
        self.world = world
        self._lots = lots
        self._noise = noise or lots
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
        going = self.going(kind, cubes, speed_mm_s)
        stamped, frames = _stamped(going.edges), self._begun(going.edges[0][2], going.edges[-1][2])
        if told_only:
            frames = {at_us: frames[at_us] for at_us in chosen(list(stamped), list(frames))}
        return Passing(stamped, tuple(SensorFrame(at_us, going.counts(at)) for at_us, at in frames.items()))

    def going(self, kind: str, cubes: Sequence[Cube] = (), speed_mm_s: float = 0.0) -> Going:
        """Let *cubes* do *kind*, as in `passing`, to be asked for any frame at any time."""
        world, lots = self.world, self._lots
        if kind == "glitch":
            return Going(world, AWAY, blink(lots), self._shown(()))
        edge, gap = world.edge_mm, world.edge_mm / 2
        length = edge * max(len(cubes), 1)
        speed = speed_mm_s or self.speed()
        way = path(kind, length, gap, SPOT_MM, speed, world.speed_change, lots)
        seen = edges(way, length, gap, world.edge_jitter_ms / 1000, lots)
        return Going(world, way, followed(seen) if kind == "waiting" else seen, self._shown(cubes))

    def still(self, what: str) -> Still:
        """Return what is under the sensor while nothing moves: the `white` shutter, the `black` card, the `board`.

        Its flicker begins where the noise's lots say, and not at the cost of
        those that say what happens.
        """
        board = self.world.board
        back = {"white": WHITE_SHUTTER, "black": BLACK_CARD, "board": (board, board, board, board)}[what]
        return Still(_shone(back, self.world.stray_mean), Light(self.world, self._dark, self._noise))

    def _shown(self, cubes: Sequence[Cube]) -> PassageScene:
        world, lots = self.world, self._lots
        posed = tuple((cube, exp(lots.gauss(0, world.pose_sigma))) for cube in cubes)
        stray = max(lots.gauss(world.stray_mean, world.stray_sigma), 0.0)
        return PassageScene(posed, stray, Light(world, self._dark, lots, self._noise))

    def _begun(self, first: float, last: float) -> dict[int, float]:
        """When each frame from before the *first* edge to after the *last* begins, by its middle in microseconds.

        The sensor runs by itself, and does not wait for a cube.
        """
        begin = first - FRAME_S - self._lots.uniform(0, FRAME_S)
        starts = (begin + n * FRAME_S for n in range(ceil((last + FRAME_S - begin) / FRAME_S)))
        return {round((at + STEP_S / 2 - first) * 1e6): at for at in starts}

    def _reference(self, what: str, light: Light) -> Counts:
        back = WHITE_SHUTTER if what == "white" else BLACK_CARD
        shone = _shone(back, self.world.stray_mean)
        frames = [light.counts(shone, n * FRAME_S, lamp=what != "dark") for n in range(REFERENCE_FRAMES)]
        r, g, b, c = (sum(channel) for channel in zip(*frames, strict=True))
        return r, g, b, c


def _shone(back: Channels, window: float) -> Channels:
    r, g, b, c = (each + window for each in back)
    return r, g, b, c


def _stamped(seen: Sequence[Crossing]) -> tuple[Edge, ...]:
    first = seen[0][2]
    return tuple((beam, on, round((at - first) * 1e6)) for beam, on, at in seen)

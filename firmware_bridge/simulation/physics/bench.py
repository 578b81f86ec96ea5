"""A simulated gate and the cubes of one game. Computes what the beams and the sensor see when something happens.

The model is documented in hardware/WORLD.md. None of it has been measured on a real ring.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, exp
from random import Random

from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from firmware_bridge.colour.channels import BLACK_CARD, WHITE_SHUTTER, Channels, Counts
from firmware_bridge.device.frame_filter import chosen
from firmware_bridge.device.sensor_chips import USUAL
from firmware_bridge.device.sensor_driver import Chip, frame_us
from firmware_bridge.simulation.physics.cube import Cube, painted
from firmware_bridge.simulation.physics.light import Light
from firmware_bridge.simulation.physics.motion import Edge, Path, blink, edges, followed, path
from firmware_bridge.simulation.physics.scene import SPOT_MM, Crossing, Going, PassageScene, Still
from firmware_bridge.simulation.physics.world import World

SLOWEST_MM_S, FASTEST_MM_S = 1.0, 3_000.0
REFERENCE_FRAMES = 8
REFERENCES = ("black", "white", "dark")
AWAY = Path([(0.0, -1e3)])  # far away, because a blinking beam is not a cube


@dataclass(frozen=True)
class SensorFrame:
    """One frame of the sensor: its counts (R, G, B, clear), and the time from the first edge to the frame's middle."""

    at_us: int
    counts: Counts


@dataclass(frozen=True)
class References:
    """The references: black card, white shutter, and lamp off. Each is the sum of `REFERENCE_FRAMES` frames."""

    black: Counts
    white: Counts
    dark: Counts


@dataclass(frozen=True)
class Passing:
    """What beams and sensor saw of one passage.

    *edges* are in microseconds after the first edge; *frames* are the sensor's frames around them.
    """

    edges: tuple[Edge, ...]
    frames: tuple[SensorFrame, ...] = ()


@shows("_dark", "_cubes")
class PhysicsBench:
    """A gate in *world*, with *chip* as its sensor. The same seed of *lots* gives the same cubes and readings.

    If *noise* is given, the sensor's noise comes from that random generator. The course of events then does not depend
    on the number of frames that are taken.
    """

    def __init__(self, world: World, lots: Random, noise: Random | None = None, chip: type[Chip] = USUAL) -> None:
        self.world = world
        self.chip = chip
        self._lots = lots
        self._noise = noise or lots
        self._dark = [lots.randrange(2) for _ in range(4)]
        self._cubes = {colour: painted(world, colour, lots) for colour in sorted(world.reflectance)}

    def cubes(self, colour: str) -> tuple[Cube, ...]:
        """Return this copy's cubes of *colour*."""
        return self._cubes[colour]

    def age(self) -> None:
        """Switch to the world's `after_calibration` values.

        Gate and cubes stay the same; lamp or light may differ.
        """
        self.world = self.world.after_calibration or self.world

    def speed(self) -> float:
        """Return the speed of the next slide in mm/s."""
        drawn = self.world.speed_mm_s * exp(self._lots.gauss(0, self.world.speed_sigma))
        return min(max(drawn, SLOWEST_MM_S), FASTEST_MM_S)

    def references(self) -> References:
        """Take and return new references in the present light. They have no gloss, unlike cubes."""
        light = self._light(self._lots)
        return References(*(self._reference(what, light) for what in REFERENCES))

    def reference(self, what: str) -> Counts:
        """Take and return the reference *what*, one of `REFERENCES`."""
        return self._reference(what, self._light(self._lots))

    def passing(
        self, kind: str, cubes: Sequence[Cube] = (), speed_mm_s: float = 0.0, reported_only: bool = False
    ) -> Passing:
        """Simulate a passage of this *kind* (one of `KINDS`) with *cubes*. Two cubes touch each other.

        Speed 0 means random.

        With *reported_only*, only the frames that a device would report are computed, which is much faster.
        """
        if kind == "glitch":
            return Passing(_stamped(blink(self._lots)))
        going = self.going(kind, cubes, speed_mm_s)
        stamped, frames = _stamped(going.edges), self._begun(going.edges[0][2], going.edges[-1][2])
        if reported_only:
            frames = {at_us: frames[at_us] for at_us in chosen(list(stamped), list(frames), self.chip)}
        return Passing(stamped, tuple(SensorFrame(at_us, going.counts(at)) for at_us, at in frames.items()))

    def going(self, kind: str, cubes: Sequence[Cube] = (), speed_mm_s: float = 0.0) -> Going:
        """Begin a passage like `passing`, but return an object that computes frames on request."""
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
        """Return the scene while nothing moves. *what* is the `white` shutter, the `black` card or the `board`.

        The phase of the flicker is drawn from *noise*, so it does not affect the random choices of later events.
        """
        board = self.world.board
        back = {"white": WHITE_SHUTTER, "black": BLACK_CARD, "board": (board, board, board, board)}[what]
        return Still(_shone(back, self.world.stray_mean), self._light(self._noise))

    def _shown(self, cubes: Sequence[Cube]) -> PassageScene:
        world, lots = self.world, self._lots
        posed = tuple((cube, exp(lots.gauss(0, world.pose_sigma))) for cube in cubes)
        stray = max(lots.gauss(world.stray_mean, world.stray_sigma), 0.0)
        return PassageScene(posed, stray, self._light(lots, self._noise))

    def _begun(self, first: float, last: float) -> dict[int, float]:
        """Return the start in seconds of each frame around a passage, keyed by the middle of the frame in microseconds.

        They begin before the *first* edge and end after the *last* one. The sensor runs freely and does
        not wait for a cube.
        """
        frame_s, step_s = frame_us(self.chip) / 1e6, self.chip.STEP_US / 1e6
        begin = first - frame_s - self._lots.uniform(0, frame_s)
        starts = (begin + n * frame_s for n in range(ceil((last + frame_s - begin) / frame_s)))
        return {round((at + step_s / 2 - first) * 1e6): at for at in starts}

    def _light(self, lots: Random, noise: Random | None = None) -> Light:
        return Light(self.world, self._dark, lots, noise, self.chip)

    def _reference(self, what: str, light: Light) -> Counts:
        back = WHITE_SHUTTER if what == "white" else BLACK_CARD
        shone = _shone(back, self.world.stray_mean)
        frames = [
            light.counts(shone, n * frame_us(self.chip) / 1e6, lamp=what != "dark") for n in range(REFERENCE_FRAMES)
        ]
        r, g, b, c = (sum(channel) for channel in zip(*frames, strict=True))
        return r, g, b, c


def _shone(back: Channels, window: float) -> Channels:
    r, g, b, c = (each + window for each in back)
    return r, g, b, c


def _stamped(seen: Sequence[Crossing]) -> tuple[Edge, ...]:
    first = seen[0][2]
    return tuple((beam, on, round((at - first) * 1e6)) for beam, on, at in seen)

"""The virtual ring: the device's protocol and controller on the simulated world, without wire, clock or threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from random import Random

from companion.kernel.shown import shows
from firmware_bridge.colour.channels import Counts
from firmware_bridge.device.clock import PICO_PERIOD, ExtendedClock
from firmware_bridge.device.codec import VERSION, counts, whole
from firmware_bridge.device.controller import Controller, ControllerHands, colour, reference, tone
from firmware_bridge.device.endpoint import Endpoint
from firmware_bridge.device.sensor_chips import USUAL
from firmware_bridge.device.sensor_driver import Chip
from firmware_bridge.device.shake_detector import SHAKES
from firmware_bridge.simulation.physics import Cube, Passing, PhysicsBench
from firmware_bridge.simulation.physics.below import Below
from firmware_bridge.simulation.physics.disturbances import GLARE, LIGHT_CHANGES, MISSING
from firmware_bridge.simulation.physics.kinds import NO_CUBES, VERDICTS, kinds, second_generator
from firmware_bridge.simulation.physics.world import World
from firmware_bridge.simulation.script.ground_truth import GroundTruth

# The colour sensor of a virtual ring, and the faults that it can have.


@shows("_trouble")
class Optics:
    """The sensor of one ring at *bench*. The reference of the black card is taken when the object is created."""

    def __init__(self, bench: PhysicsBench) -> None:
        self.black = bench.reference("black")
        self._bench = bench
        self._trouble = ""
        self.connected = True

    @property
    def answers(self) -> bool:
        """True while the sensor answers."""
        return self.connected and self._trouble != MISSING

    def look(self, what: str) -> Counts:
        """Take the reference *what* and return it. The black reference is stored until it is taken again."""
        counts = self._bench.reference(what)
        if what == "black":
            self.black = counts
        return counts

    @contextmanager
    def trouble(self, fault: str) -> Iterator[None]:
        """A context in which the cause of *fault* is present. Faults without an optical cause change nothing."""
        usual, self._trouble = self._bench.world, fault
        self._bench.world = LIGHT_CHANGES.get(fault, _as_it_is)(usual)
        try:
            yield
        finally:
            self._bench.world, self._trouble = usual, ""

    def passing(self, kind: str, cubes: Sequence[Cube], speed_mm_s: float) -> Passing:
        """Simulate a passage of this *kind* with *cubes*, in the current light.

        Without a working sensor, the passage has no frames.
        """
        usual = self._bench.world
        self._bench.world = GLARE.get(self._trouble, _as_it_is)(usual)
        seen = self._bench.passing(kind, cubes, speed_mm_s, reported_only=True)
        self._bench.world = usual
        return seen if self.answers else Passing(seen.edges)


def _as_it_is(world: World) -> World:
    return world


FIRMWARE = "0.1.0"
BETWEEN_US = 300_000  # from one cube to the next, and from the gate to the first
LIFTED_US = 1_500_000
JOLT_US = 120_000
ROOM_FOR_A_SLIDE = 80  # lines; a passage takes nine, and the world's rates may add one event of each kind
CALIBRATING = 900_000_000  # tokens from here on belong to a calibration, never to a draw
SHORTLY_US = 2_000_000  # how long before its wrap the counter starts, after a restart with *wrapped*


@shows("_calibrating", "_count", "_unwritten")
class VirtualRing(ControllerHands):
    """A simulated ring. It reports that it is simulated.

    *lots* draws stations (all equally likely) and faults.

    Beams and sensor use a second random generator with the same seed, so they do not affect which stations are drawn.
    *boot* returns a unique name for each start of the device. A name must never repeat, so names are not drawn from
    *lots*. A passage takes no time: the ring's clock jumps ahead by its duration. *chip* is its sensor.
    """

    def __init__(
        self,
        world: World,
        lots: Random,
        boot: Callable[[], str],
        now: float,
        device: str = "virtual",
        chip: type[Chip] = USUAL,
    ) -> None:
        self._lots = lots
        physics = second_generator(lots)
        self._bench = PhysicsBench(world, physics, chip=chip)
        self._optics = Optics(self._bench)
        self._below = Below(self._bench.cubes, lots, physics)
        self._calibrating = False
        self._boot = boot
        self._device = device
        self._count = 0
        self._unwritten: list[GroundTruth] = []
        self._lost: list[GroundTruth] = []
        self.restart(now, "power")

    @property
    def world(self) -> World:
        """The world as it is now."""
        return self._bench.world

    @property
    def under(self) -> Counter[str]:
        """The stations below the ring."""
        return self._below.stations

    @property
    def armed(self) -> int:
        """The token that passages carry now, or 0 if there is none."""
        return self._link.token

    @property
    def has_room(self) -> bool:
        """True if all events that one slide can cause can be stored."""
        return self._link.store.has_room(ROOM_FOR_A_SLIDE)

    @property
    def acknowledged(self) -> bool:
        """True if the host has acknowledged all events."""
        return not self._link.store.events

    def restart(self, now: float, why: str = "reset", version: int = VERSION, wrapped: bool = False) -> None:
        """Restart the device: its stored events and its arming are lost.

        It then speaks *version* of the protocol. With *wrapped* its microsecond counter is about to
        wrap to zero.
        """
        self._lost += self._unwritten
        self._unwritten = []
        self._start = now
        self._ticks = PICO_PERIOD - SHORTLY_US if wrapped else 0
        self._clock = ExtendedClock(PICO_PERIOD, self._ticks)
        self._latest_us = 0
        identity: list[tuple[str, object]] = [
            ("fw", FIRMWARE),
            ("id", self._device),
            ("sensor", self._bench.chip.NAME),
            ("sim", 1),
            ("can", "glmbso"),
        ]
        self._link = Endpoint(identity, self._boot())
        self._link.version = version
        self._link.gate = self._link.lift = "0"
        self._coming: Counter[str] = Counter()
        edge_um = round(self.world.edge_mm * 1000)
        self._works = Controller(self._link, self, edge_um, edge_um // 2)
        self._works.chip = self._bench.chip
        self._works.references["black"] = self._optics.black
        self._link.report([("boot", [("why", why)])], self._stamp(now))
        self._refresh(now)

    def receive(self, data: bytes, now: float) -> None:
        """Accept bytes from the host and carry out its orders."""
        self._works.receive(data, self._us(now))

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to write now."""
        return self._link.outgoing(self._us(now))

    def due(self, now: float) -> float:
        """Return the time at which `outgoing` will next have bytes, unless something arrives before then."""
        return self._start + self._link.due_us(self._us(now)) / 1e6

    def load(self, stations: Mapping[str, int]) -> None:
        """Add *stations* to those below the ring."""
        self.under.update(stations)

    def calibrated(self) -> None:
        """Switch to the world's `after_calibration` values. Later calls change nothing."""
        self._bench.age()

    def slide(self, now: float, colour: str = "", speed_mm_s: float = 0.0, fault: str = "") -> bool:
        """Open the gate for one cube, of *colour* or a random one. Return False if no cube is left.

        If *fault* is given, it happens to the cube or instead of the cube. Otherwise the world's rates decide what else
        happens.
        """
        if not colour and not self.under and fault not in NO_CUBES:
            return False
        with self._optics.trouble(fault):
            self._refresh(now)
            self._gate(True, now)
            for kind in kinds(fault, self.world.rates, lambda: self.under.total(), self._lots):
                self._happen(kind, colour, speed_mm_s, now)
            self._gate(False, now)
        return True

    def gate(self, is_open: bool, now: float) -> None:
        """Open or close the gate without letting anything out. White and dark references are taken before it opens."""
        if is_open:
            self._refresh(now)
        self._works.gate(is_open, self._stamp(now))

    def lift(self, is_up: bool, now: float) -> None:
        """Lift the ring, or set it down."""
        self._works.lift(is_up, self._stamp(now))

    def jolt(self, now: float) -> None:
        """Jolt the ring once. The clock then jumps ahead by the time between two jolts of a shaking hand."""
        self._works.jolt(self._stamp(now))
        self._leap(JOLT_US)

    def sensor(self, there: bool, now: float) -> None:
        """Remove the colour sensor or connect it again. Then take the references."""
        self._optics.connected = there
        self._refresh(now)

    def fill(self, now: float) -> None:
        """Lift the ring and set it down until the store is full."""
        while not self._link.lost:
            self.lift(self._link.lift == "0", now)

    def written(self, at_ns: int) -> list[GroundTruth]:
        """Return the things whose events were written for the first time since the last call.

        *at_ns* is the writing time.
        """
        lost, self._lost = self._lost, []
        sent = self._link.store.sent
        done = [each for each in self._unwritten if each.seq is None or each.seq <= sent]
        self._unwritten = [each for each in self._unwritten if each.seq is not None and each.seq > sent]
        return lost + [replace(each, written_ns=at_ns if each.seq else None) for each in done]

    def unwritten(self) -> list[GroundTruth]:
        """Return the things whose events were not written, and will never be written if the ring ends now."""
        return self._lost + self._unwritten

    def obey(self, word: str, fields: dict[str, str], now_us: int) -> str | None:
        """Carry out the orders of a simulated ring and of its sensor (see `ControllerHands`)."""
        now = self._start + now_us / 1e6
        match word:
            case "under":
                return self._put(whole(fields["n"]), counts(fields["u"]))
            case "arm":
                self._arming(whole(fields["tok"]))
                return None
            case "slide":
                ordered = fields.get("out", "")
                if ordered and not self.under[ordered]:
                    return "empty"
                return "" if self.slide(now, ordered) else "empty"
            case "look":
                what = reference(fields)
                if not self._optics.answers:
                    return "sensor"
                self._works.looked(what, self._optics.look(what), self._stamp(now))
            case "lamp":
                colour(fields)
            case "beep":
                tone(fields)
            case _:
                return None
        return ""

    def _put(self, number: int, stations: Sequence[tuple[str, int]]) -> str:
        """Store the stations that a line announces for the next arming.

        Line 0 discards the stations that were announced by a host which never armed.
        """
        if number == 0:
            self._coming = Counter()
        if any(colour not in self.world.reflectance for colour, _ in stations):
            return "colour"
        self._coming.update(dict(stations))
        return ""

    def _arming(self, token: int) -> None:
        """Put the announced stations below the ring, unless *token* is the current one.

        The world ages when a game's token follows a token of a calibration.
        """
        if token != self._link.token:
            self._below.stations, self._coming = +self._coming, Counter()
        if token < CALIBRATING and self._calibrating:
            self.calibrated()
        self._calibrating = token >= CALIBRATING

    def _refresh(self, now: float) -> None:
        """Take the white and dark references. The gate must be closed."""
        self._works.sensing = self._optics.answers
        if self._works.sensing:
            self._works.refreshed(self._optics.look("white"), self._optics.look("dark"), self._stamp(now))

    def _happen(self, kind: str, colour: str, speed: float, now: float) -> None:
        if kind == "lift":
            self._note(kind, (), self._lift(now))
        elif kind == "shake_open":
            self._note(kind, (), self._shake(now))
        elif kind in ("poke", "glitch"):
            self._note(kind, (), _seq(kind, self._pass(kind, (), speed, now)))
        else:
            cubes = self._below.take(kind, colour)
            verdicts = self._pass(kind, cubes, speed, now)
            for each in VERDICTS.get(kind, (kind,)):
                self._note(each, () if each == "poke" else cubes, _seq(each, verdicts))

    def _note(self, kind: str, cubes: Sequence[Cube], seq: int) -> None:
        self._count += 1
        colours = tuple(cube.colour for cube in cubes)
        self._unwritten.append(GroundTruth(self._count, kind, colours, self._link.boot, seq or None))

    def _pass(self, kind: str, cubes: Sequence[Cube], speed: float, now: float) -> list[tuple[str, int]]:
        """Run beams and sensor through one passage. Return each verdict with the number of its event."""
        start = self._stamp(now)
        seen = self._optics.passing(kind, cubes, speed)
        for frame in seen.frames:
            self._works.frame(start + frame.at_us, frame.counts)
        verdicts = [each for beam, on, at in seen.edges for each in self._works.edge(beam, on, start + at)]
        self._leap(seen.edges[-1][2] + BETWEEN_US)
        return verdicts

    def _shake(self, now: float) -> int:
        """Shake the ring with its gate open. The controller decides by its own rule whether that is a fault."""
        seq = 0
        for _ in range(SHAKES):
            seq = self._works.jolt(self._stamp(now)) or seq
            self._leap(JOLT_US)
        return seq

    def _gate(self, is_open: bool, now: float) -> None:
        self._works.gate(is_open, self._stamp(now))
        self._leap(BETWEEN_US)

    def _lift(self, now: float) -> int:
        seq = self._works.lift(True, self._stamp(now))
        self._leap(LIFTED_US)
        self._works.lift(False, self._stamp(now))
        return seq

    def _leap(self, us: int) -> None:
        self._link.ahead_us += us

    def _us(self, now: float) -> int:
        """Return the time since the start in microseconds, from a counter that wraps like a board's."""
        self._latest_us = max(self._latest_us, int((now - self._start) * 1e6))
        return self._clock.at((self._ticks + self._latest_us) % PICO_PERIOD)

    def _stamp(self, now: float) -> int:
        return self._us(now) + self._link.ahead_us


def _seq(kind: str, verdicts: Sequence[tuple[str, int]]) -> int:
    """Return the number of the event for *kind*, or of the event for which it was mistaken.

    Return 0 if no such event was stored.
    """
    first = dict(reversed(verdicts))
    return first.get(kind, 0 if kind == "stuck" else first[verdicts[-1][0]] if verdicts else 0)

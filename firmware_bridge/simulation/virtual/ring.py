"""The virtual ring itself: a board's end of the link, two beams, a sensor, and cubes below; no wire and no clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random

from companion.kernel.shown import shows
from firmware_bridge.device.clock import PICO_PERIOD, ExtendedClock
from firmware_bridge.device.codec import VERSION, counts, whole
from firmware_bridge.device.controller import Controller, ControllerHands, colour, reference, tone
from firmware_bridge.device.endpoint import Endpoint
from firmware_bridge.device.shake_detector import SHAKES
from firmware_bridge.simulation.physics import Cube, PhysicsBench
from firmware_bridge.simulation.physics.below import Below
from firmware_bridge.simulation.physics.kinds import NO_CUBES, TOLD, beside, kinds
from firmware_bridge.simulation.physics.world import World
from firmware_bridge.simulation.script.ground_truth import GroundTruth
from firmware_bridge.simulation.virtual.optics import Optics

FIRMWARE = "0.1.0"
BETWEEN_US = 300_000  # from one cube to the next, and from the gate to the first
LIFTED_US = 1_500_000
JOLT_US = 120_000
ROOM_FOR_A_SLIDE = 80  # lines: a passage takes nine, and the world's rates may add one of each kind
CALIBRATING = 900_000_000  # tokens from here on are a calibration's: no draw has such a one
SHORTLY_US = 2_000_000  # before a counter that is about to wrap does so


@shows("_calibrating", "_count", "_unwritten")
class VirtualRing(ControllerHands):
    """A simulated ring, and says so; *lots* draws cubes (each as likely as any other) and faults.

    What its beams and its sensor tell comes from the simulated world, by lots
    of its own from the same seed. *boot* names each start of the device; no
    two may be alike, so it is not drawn. A passage takes no time: the ring's
    clock leaps over it.
    """

    def __init__(
        self, world: World, lots: Random, boot: Callable[[], str], now: float, device: str = "virtual"
    ) -> None:
        self._lots = lots
        physics = beside(lots)
        self._bench = PhysicsBench(world, physics)
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
        """The token that passages carry now, 0 for none."""
        return self._link.token

    @property
    def has_room(self) -> bool:
        """True when all that one slide can cause will be kept."""
        return self._link.store.has_room(ROOM_FOR_A_SLIDE)

    @property
    def acknowledged(self) -> bool:
        """True when the host has everything on record."""
        return not self._link.store.kept

    def restart(self, now: float, why: str = "reset", version: int = VERSION, wrapped: bool = False) -> None:
        """Start the device anew: what it had kept and what it was armed for is gone.

        It then speaks *version* of the protocol, and (*wrapped*) has a
        counter of microseconds that is about to begin again at nought.
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
            ("sensor", "tcs34725"),
            ("sim", 1),
            ("can", "glmbso"),
        ]
        self._link = Endpoint(identity, self._boot())
        self._link.version = version
        self._link.gate = self._link.lift = "0"
        self._coming: Counter[str] = Counter()
        edge_um = round(self.world.edge_mm * 1000)
        self._works = Controller(self._link, self, edge_um, edge_um // 2)
        self._works.references["black"] = self._optics.black
        self._link.tell([("boot", [("why", why)])], self._stamp(now))
        self._refresh(now)

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes from the host and carry out its orders."""
        self._works.receive(data, self._us(now))

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to be written now."""
        return self._link.outgoing(self._us(now))

    def due(self, now: float) -> float:
        """Return when `outgoing` has something to say next, if nothing happens before."""
        return self._start + self._link.due_us(self._us(now)) / 1e6

    def load(self, stations: Mapping[str, int]) -> None:
        """Put *stations* below the ring, beside what is there."""
        self.under.update(stations)

    def calibrated(self) -> None:
        """Let the world become what it is after calibration; once is for good."""
        self._bench.age()

    def slide(self, now: float, colour: str = "", speed_mm_s: float = 0.0, fault: str = "") -> bool:
        """Open the gate for one cube, of *colour* or a drawn one; False when there is none.

        With a *fault* that happens instead, or to the cube; without, the
        world's rates decide whether something happens before it.
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
        """Open or close the gate, and let nothing out; white and dark are taken before it opens."""
        if is_open:
            self._refresh(now)
        self._works.gate(is_open, self._stamp(now))

    def lift(self, is_up: bool, now: float) -> None:
        """Lift the ring, or set it down."""
        self._works.lift(is_up, self._stamp(now))

    def jolt(self, now: float) -> None:
        """Jolt the ring once; whatever follows does so as late as the next jolt of a hand that shakes it."""
        self._works.jolt(self._stamp(now))
        self._leap(JOLT_US)

    def sensor(self, there: bool, now: float) -> None:
        """Let the colour sensor be gone, or be back and look at once."""
        self._optics.connected = there
        self._refresh(now)

    def fill(self, now: float) -> None:
        """Lift the ring and set it down until there is no room for it."""
        while not self._link.lost:
            self.lift(self._link.lift == "0", now)

    def written(self, at_ns: int) -> list[GroundTruth]:
        """Return what has been written for the first time since the last call; it was written at *at_ns*."""
        lost, self._lost = self._lost, []
        sent = self._link.store.sent
        done = [each for each in self._unwritten if each.seq is None or each.seq <= sent]
        self._unwritten = [each for each in self._unwritten if each.seq is not None and each.seq > sent]
        return lost + [replace(each, written_ns=at_ns if each.seq else None) for each in done]

    def unwritten(self) -> list[GroundTruth]:
        """Return what has not been written and, when the ring ends now, never will be."""
        return self._lost + self._unwritten

    def obey(self, word: str, fields: dict[str, str], now_us: int) -> str | None:
        """Carry out the orders that a simulation or a sensor is for (see `ControllerHands`)."""
        now = self._start + now_us / 1e6
        match word:
            case "under":
                return self._put(whole(fields["n"]), counts(fields["u"]))
            case "arm":
                self._arming(whole(fields["tok"]))
                return None
            case "slide":
                colour_told = fields.get("out", "")
                if colour_told and not self.under[colour_told]:
                    return "empty"
                return "" if self.slide(now, colour_told) else "empty"
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
        """Note what will lie below; line 0 forgets what was announced and never armed, by a host that died since."""
        if number == 0:
            self._coming = Counter()
        if any(colour not in self.world.reflectance for colour, _ in stations):
            return "colour"
        self._coming.update(dict(stations))
        return ""

    def _arming(self, token: int) -> None:
        """Take over what was announced to lie below; arming the same token again changes nothing there.

        The world ages when a game follows upon a calibration.
        """
        if token != self._link.token:
            self._below.stations = +self._coming
        if token < CALIBRATING and self._calibrating:
            self.calibrated()
        self._calibrating = token >= CALIBRATING
        self._coming = Counter()

    def _refresh(self, now: float) -> None:
        """Take white and dark anew, the gate being closed."""
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
            told = self._pass(kind, cubes, speed, now)
            for each in TOLD.get(kind, (kind,)):
                self._note(each, () if each == "poke" else cubes, _seq(each, told))

    def _note(self, kind: str, cubes: Sequence[Cube], seq: int) -> None:
        self._count += 1
        colours = tuple(cube.colour for cube in cubes)
        self._unwritten.append(GroundTruth(self._count, kind, colours, self._link.boot, seq or None))

    def _pass(self, kind: str, cubes: Sequence[Cube], speed: float, now: float) -> list[tuple[str, int]]:
        """Let beams and sensor see what happens; return each verdict with the number of the event that tells it."""
        start = self._stamp(now)
        seen = self._optics.passing(kind, cubes, speed)
        for frame in seen.frames:
            self._works.frame(start + frame.at_us, frame.counts)
        told = [each for beam, on, at in seen.edges for each in self._works.edge(beam, on, start + at)]
        self._leap(seen.edges[-1][2] + BETWEEN_US)
        return told

    def _shake(self, now: float) -> int:
        """Shake the ring with its gate open: the board's own rule tells when that is a fault."""
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
        """The time since the start, by a counter that wraps as a board's does."""
        self._latest_us = max(self._latest_us, int((now - self._start) * 1e6))
        return self._clock.at((self._ticks + self._latest_us) % PICO_PERIOD)

    def _stamp(self, now: float) -> int:
        return self._us(now) + self._link.ahead_us


def _seq(kind: str, told: Sequence[tuple[str, int]]) -> int:
    """Return the number of the event that tells *kind*, or of what it was taken for; 0 when nothing was kept."""
    first = dict(reversed(told))
    return first.get(kind, 0 if kind == "stuck" else first[told[-1][0]] if told else 0)

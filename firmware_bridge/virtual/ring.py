"""The virtual ring itself: a board's end of the link, two beams, a sensor, and cubes below; no wire and no clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from firmware_bridge.virtual.cube import beam_gap_mm, path
from firmware_bridge.virtual.telling import SUMMED, Pairs, counted, passage_lines, references
from firmware_bridge.virtual.truth import Happened
from firmware_bridge.wire.device import DeviceLink
from firmware_bridge.wire.grammar import counts, whole
from firmware_bridge.wire.passage import Passage, Recogniser
from firmware_bridge.world import World

FIRMWARE = "0.1.0"
BETWEEN_US = 300_000  # from one cube to the next, and from the gate to the first
LIFTED_US = 1_500_000
ROOM_FOR_A_SLIDE = 48  # lines: a passage takes six, and the world's rates may add one of each kind


class VirtualRing:
    """A simulated ring, and says so; *lots* draws cubes (each as likely as any other) and faults.

    *boot* names each start of the device; no two may be alike, so it is not
    drawn from *lots*. A passage takes no time: the ring's clock leaps over it.
    """

    def __init__(
        self, world: World, lots: Random, boot: Callable[[], str], now: float, device: str = "virtual"
    ) -> None:
        self.world = world
        self.under: Counter[str] = Counter()
        self._lots = lots
        self._boot = boot
        self._device = device
        self._count = 0
        self._unwritten: list[Happened] = []
        self._lost: list[Happened] = []
        self.restart(now, "power")

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

    def restart(self, now: float, why: str = "reset") -> None:
        """Start the device anew: what it had kept and what it was armed for is gone."""
        self._lost += self._unwritten
        self._unwritten = []
        self._start = now
        identity: Pairs = [
            ("fw", FIRMWARE),
            ("id", self._device),
            ("sensor", "tcs34725"),
            ("sim", 1),
            ("can", "glmbs"),
        ]
        self._link = DeviceLink(identity, self._boot())
        self._link.gate = self._link.lift = "0"
        self._coming: Counter[str] = Counter()
        self._recogniser = Recogniser(round(self.world.edge_mm * 1000), round(beam_gap_mm(self.world) * 1000))
        self._link.recogniser = self._recogniser
        self._link.tell([("boot", [("why", why)])], self._stamp(now))

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes from the host and carry out its orders."""
        for word, fields in self._link.receive(data, self._us(now)):
            number = whole(fields["c"])
            try:
                self._link.answer(number, self._obey(word, fields, now))
            except (KeyError, ValueError):
                self._link.answer(number, "malformed")

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to be written now."""
        return self._link.outgoing(self._us(now))

    def due(self, now: float) -> float:
        """Return when `outgoing` has something to say next, if nothing happens before."""
        return self._start + self._link.due_us(self._us(now)) / 1e6

    def load(self, stations: Mapping[str, int]) -> None:
        """Put *stations* below the ring, beside what is there."""
        self.under.update(stations)

    def slide(self, now: float, colour: str = "", speed_mm_s: float = 0.0, fault: str = "") -> bool:
        """Open the gate for one cube, of *colour* or a drawn one; False when there is none.

        With a *fault* that happens instead; without, the world's rates decide
        whether something happens before it.
        """
        if not colour and not self.under and fault not in ("lift", "shake_open"):
            return False
        speed = speed_mm_s or self.world.speed_mm_s
        self._gate("1", now)
        for kind in [fault] if fault else self._kinds():
            self._happen(kind, colour, speed, now)
        self._gate("0", now)
        return True

    def written(self, at_ns: int) -> list[Happened]:
        """Return what has been written for the first time since the last call; it was written at *at_ns*."""
        lost, self._lost = self._lost, []
        sent = self._link.store.sent
        done = [each for each in self._unwritten if each.seq is None or each.seq <= sent]
        self._unwritten = [each for each in self._unwritten if each.seq is not None and each.seq > sent]
        return lost + [replace(each, written_ns=at_ns if each.seq else None) for each in done]

    def unwritten(self) -> list[Happened]:
        """Return what has not been written and, when the ring ends now, never will be."""
        return self._lost + self._unwritten

    def _obey(self, word: str, fields: Mapping[str, str], now: float) -> str:
        """Carry out one order; return why not, empty when done."""
        match word:
            case "under":
                return self._put(whole(fields["n"]), counts(fields["u"]))
            case "arm":
                self._arm(whole(fields["tok"]))
            case "disarm":
                self._link.token = 0
            case "slide":
                return "" if self.slide(now) else "empty"
            case "set":
                return self._set(fields)
            case "look":
                return self._look(fields["what"], now)
            case "lamp" | "beep":
                return ""
            case _:
                return "unknown"
        return ""

    def _put(self, number: int, stations: Sequence[tuple[str, int]]) -> str:
        """Note what will lie below; line 0 forgets what was announced and never armed, by a host that died since."""
        if number == 0:
            self._coming = Counter()
        if any(colour not in self.world.reflectance for colour, _ in stations):
            return "colour"
        self._coming.update(dict(stations))
        return ""

    def _arm(self, token: int) -> None:
        """Take over what was announced to lie below; arming the same token again changes nothing there."""
        if token != self._link.token:
            self.under = +self._coming
        self._coming = Counter()
        self._link.token = token

    def _set(self, fields: Mapping[str, str]) -> str:
        """Take over the settings that are known; return why not when none is, or when one cannot be so."""
        known = fields.keys() & {"beat", *self._recogniser.settings}
        if "beat" in known:
            self._link.beat_us = max(whole(fields["beat"]), 100) * 1000
        for name in sorted(known - {"beat"}):
            self._recogniser.set(name, whole(fields[name]))
        return "" if known else "unknown"

    def _look(self, what: str, now: float) -> str:
        """Take one reference anew, and tell it."""
        sums = references(self.world)
        if what not in sums:
            return "malformed"
        told: Pairs = [("what", what), ("counts", counted(sums[what])), ("sum", SUMMED)]
        self._link.tell([("look", told)], self._stamp(now))
        return ""

    def _kinds(self) -> Iterator[str]:
        """What this slide is made of, by the world's rates."""
        rates = self.world.rates
        for kind in ("back", "poke", "stuck", "glitch", "lift"):
            if self._lots.random() < getattr(rates, kind):
                yield kind
        yield "pair" if self._lots.random() < rates.pair and self.under.total() > 1 else "out"
        if self._lots.random() < rates.surplus and self.under:
            yield "out"

    def _happen(self, kind: str, colour: str, speed: float, now: float) -> None:
        match kind:
            case "lift":
                seq = self._lift(now)
                cubes: tuple[str, ...] = ()
            case "shake_open":
                seq = self._link.tell([("fault", [("what", "gate-open-while-shaking")])], self._stamp(now))
                cubes = ()
            case "poke" | "glitch":
                cubes = ()
                seq = self._pass(kind, cubes, speed, now)
            case _:
                cubes = self._take(kind, colour)
                seq = self._pass(kind, cubes, speed, now)
        self._count += 1
        self._unwritten.append(Happened(self._count, kind, cubes, self._link.boot, seq or None))

    def _take(self, kind: str, colour: str) -> tuple[str, ...]:
        """Choose the cubes that come to the gate; those that leave are no longer below."""
        cubes = [colour or self._drawn()]
        self.under[cubes[0]] -= 1
        if kind == "pair":
            self.under = +self.under
            cubes.append(self._drawn() if self.under else cubes[0])
            self.under[cubes[1]] -= 1
        if kind in ("back", "stuck"):
            self.under[cubes[0]] += 1
        self.under = +self.under
        return tuple(cubes)

    def _drawn(self) -> str:
        return self._lots.choice(sorted(self.under.elements()))

    def _pass(self, kind: str, cubes: Sequence[str], speed: float, now: float) -> int:
        """Let the beams see what happens; return the number of the event that tells it."""
        start = self._stamp(now)
        seq = 0
        edges = path(kind, self.world, speed)
        for beam, on, at in edges:
            stuck = self._recogniser.tick(start + at)
            seq = self._tell(stuck, cubes, start) if stuck else seq
            passage = self._recogniser.edge(beam, on, start + at)
            told = self._tell(passage, cubes, start) if passage else 0
            seq = seq or told
        self._leap(edges[-1][2] + BETWEEN_US)
        return seq

    def _tell(self, passage: Passage, cubes: Sequence[str], start: int) -> int:
        return self._link.tell(passage_lines(passage, cubes, start, self._link.token, self.world), start)

    def _gate(self, position: str, now: float) -> None:
        self._link.gate = position
        self._link.tell([("gate", [("open", position)])], self._stamp(now))
        self._leap(BETWEEN_US)

    def _lift(self, now: float) -> int:
        seq = self._link.tell([("lift", [("up", 1)])], self._stamp(now))
        self._leap(LIFTED_US)
        self._link.tell([("lift", [("up", 0)])], self._stamp(now))
        return seq

    def _leap(self, us: int) -> None:
        self._link.ahead_us += us

    def _us(self, now: float) -> int:
        return int((now - self._start) * 1e6)

    def _stamp(self, now: float) -> int:
        return self._us(now) + self._link.ahead_us

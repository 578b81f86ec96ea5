"""An emulated board with a simulated gate and an observer: a simulated ring for scripts and tests."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol

from companion.kernel.shown import shows
from firmware_bridge.device.clock import PICO_PERIOD
from firmware_bridge.device.codec import VERSION, counts, parse, whole
from firmware_bridge.device.framing import LineFraming
from firmware_bridge.device.sensor_chips import USUAL
from firmware_bridge.device.sensor_driver import Chip
from firmware_bridge.simulation.emulated.board import EmulatedBoard
from firmware_bridge.simulation.emulated.flash import BoardFlash
from firmware_bridge.simulation.emulated.peripherals import Hand
from firmware_bridge.simulation.emulated.runtimes import demand, usual_port
from firmware_bridge.simulation.physics.world import World
from firmware_bridge.simulation.script.ground_truth import GroundTruth
from firmware_bridge.simulation.testbench import HandAction as Deed
from firmware_bridge.simulation.testbench import SimulatedGate
from firmware_bridge.simulation.virtual.ring import CALIBRATING

# Observes the messages of an emulated board and matches them with what really happened at the board's gate.

APART_US = 200_000  # the shortest time between two actions at a gate; a board starts faster than that
FAULTS = {"gate-open-while-shaking": "shake_open"}


@dataclass(frozen=True)
class WrittenEvent:
    """One event about the gate, when it was written for the first time."""

    boot: str
    seq: int
    kind: str
    at_us: int
    written_ns: int


@shows("boot", "_last", "_acked")
class Observer:
    """Observes both directions of the wire, and matches each event that the board writes with what happened at the
    gate.

    *looked* is called with the name of each reference that the host ordered and the board has taken.
    """

    def __init__(self, looked: Callable[[str], None]) -> None:
        self.boot = ""
        self._looked = looked
        self._up, self._down = LineFraming(), LineFraming()
        self._last = self._acked = 0
        self._born_us = 0
        self._said: list[WrittenEvent] = []
        self._deeds: list[tuple[Deed, str, int]] = []
        self._count = 0

    @property
    def acknowledged(self) -> bool:
        """True if the host has acknowledged all events of the board."""
        return self._acked >= self._last

    def started(self, at_us: int) -> list[GroundTruth]:
        """Handle a restart of the board. Return the things that it will never report."""
        lost = self.unreported()
        self._up, self._down = LineFraming(), LineFraming()
        self.boot, self._born_us = "", at_us
        self._last = self._acked = 0
        self._said = []
        return lost

    def host_said(self, data: bytes) -> None:
        """Observe bytes from the host."""
        for body in self._down.feed(data):
            word, fields = parse(body) or ("", {})
            if word == "ack" and fields.get("b") == self.boot and fields.get("n", "").isdigit():
                self._acked = max(self._acked, int(fields["n"]))

    def board_said(self, data: bytes, at_ns: int) -> None:
        """Observe bytes from the board."""
        for body in self._up.feed(data):
            word, fields = parse(body) or ("", {})
            if word == "hello":
                self.boot = fields["b"]
            elif "n" in fields and int(fields["n"]) > self._last:
                self._last = int(fields["n"])
                self._event(word, fields, at_ns)

    def saw(self, deeds: Sequence[Deed]) -> None:
        """Add *deeds*, the actions that have happened at the gate since the last call."""
        for deed in deeds:
            self._count += 1
            self._deeds.append((deed, self.boot, self._count))

    def reported(self) -> list[GroundTruth]:
        """Return the things at the gate for which a report has come since the last call."""
        found = []
        for entry in list(self._deeds):
            if said := self._telling(entry[0]):
                self._said.remove(said)
                self._deeds.remove(entry)
                found.append(self._happened(entry, said))
        return found

    def unreported(self) -> list[GroundTruth]:
        """Return the things that were not reported, and will never be reported if the board ends now."""
        deeds, self._deeds = self._deeds, []
        return [self._happened(entry, None) for entry in deeds]

    def _happened(self, entry: tuple[Deed, str, int], said: WrittenEvent | None) -> GroundTruth:
        deed, boot, number = entry
        seq, written_ns = (said.seq, said.written_ns) if said else (None, None)
        return GroundTruth(number, deed.kind, deed.colours, said.boot if said else boot, seq, written_ns)

    def _event(self, word: str, fields: dict[str, str], at_ns: int) -> None:
        if word == "look":
            self._looked(fields["what"])
        kind = {"pass": fields.get("k", ""), "lift": "lift" if fields.get("up") == "1" else ""}.get(word, "")
        kind = kind or FAULTS.get(fields.get("what", ""), "")
        if kind:
            at_us = self._born_us + int(fields["t"])
            self._said.append(WrittenEvent(fields["b"], int(fields["n"]), kind, at_us, at_ns))

    def _telling(self, deed: Deed) -> WrittenEvent | None:
        """Return the event that reports *deed*: close to it in time, and of the same kind if possible."""
        near = [said for said in self._said if deed.first_us - APART_US < said.at_us < deed.last_us + APART_US]
        same = [said for said in near if said.kind == deed.kind]
        return next(iter(same or [said for said in near if said.kind not in ("lift", "stuck")]), None)


# The orders that an emulated board passes on to its simulated gate: stations below, slides and the black card.

DONE, SENSELESS, STRANGE, EMPTY = range(4)  # as the board's custom.py reads them


@shows("_calibrating", "_coming")
class HostOrders:
    """Carries out the host's orders for a simulated ring at its *rig*."""

    def __init__(self, rig: SimulatedGate) -> None:
        self.token = 0
        self._rig = rig
        self._coming: Counter[str] = Counter()
        self._calibrating = False
        self._card = False

    def obey(self, words: str, at_us: int) -> int:
        """Carry out an order that the board has passed on. Return the number of the answer."""
        word, *rest = words.split(" ")
        try:
            return self._done(word, rest, at_us)
        except ValueError:
            return SENSELESS

    def started(self) -> None:
        """Forget the arming and all announced stations: the board has restarted."""
        self.token = 0
        self._coming = Counter()

    def looked(self, what: str, at_us: int) -> None:
        """Remove the black card if its reference was taken."""
        if what == "black" and self._card:
            self._card = False
            self._rig.card(False, at_us)
            self._rig.gate(False, at_us)

    def _done(self, word: str, rest: list[str], at_us: int) -> int:
        match word:
            case "under":
                return self._put(whole(rest[0]), counts(rest[1]))
            case "slide":
                return DONE if self._rig.slide(at_us) else EMPTY
            case "arm":
                self._arm(whole(rest[0]))
            case "disarm":
                self.token = 0
            case "look" if rest == ["black"] and not self._card:
                # The stations are put in through the open gate, as players do. If the board is just measuring the
                # closed shutter, it discards that measurement.
                self._card = True
                self._rig.gate(True, at_us)
                self._rig.card(True, at_us)
        return DONE

    def _put(self, number: int, stations: list[tuple[str, int]]) -> int:
        """Store the stations that a line announces for the next arming. Line 0 discards earlier announcements."""
        if number == 0:
            self._coming = Counter()
        if any(colour not in self._rig.world.reflectance for colour, _ in stations):
            return STRANGE
        self._coming.update(dict(stations))
        return DONE

    def _arm(self, token: int) -> None:
        """Put the announced stations below the ring.

        The world ages when the token of a game follows the token of a calibration.
        """
        if token != self.token:
            self._rig.under, self._coming = +self._coming, Counter()
        if token < CALIBRATING and self._calibrating:
            self._rig.calibrated()
        self._calibrating = token >= CALIBRATING
        self.token = token


SHORTLY_US = 2_000_000  # how long before its wrap the counter starts, after a restart with *wrapped*
STOOD_S = 0.5  # how long a ring has been on when a program opens it, so that it has already taken its references
POKES, TOUCHED_US = 90, 5_000  # more than a board can store


def began() -> float:
    """Return the start time for a ring that a program opens now, in seconds of `time.monotonic`."""
    return time.monotonic() - STOOD_S


class RingBoard(Protocol):
    """The interface of a board that a ring needs. `EmulatedBoard` implements it."""

    starts: int
    reading: bool

    @property
    def pid(self) -> int:
        """The process that runs the board."""

    @property
    def at_us(self) -> int:
        """How far the board has advanced in the rig's time, in microseconds."""

    @property
    def born_us(self) -> int:
        """The rig's time, in microseconds, at which the board started."""

    def receive(self, data: bytes, now: float) -> None:
        """Accept bytes from the host."""

    def outgoing(self, now: float) -> bytes:
        """Return what the board has written up to *now*."""

    def due(self, now: float) -> float:
        """Return when the board will next do something without input."""

    def caught_up(self, now: float) -> int:
        """Run the board up to *now*; return the rig's time in microseconds."""

    def speak(self, version: int) -> None:
        """Have the firmware speak *version* of the protocol from its next start on."""

    def restart(self, now: float, ticks: int = 0) -> None:
        """Power-cycle the board, with its counter at *ticks*."""

    def close(self) -> None:
        """Switch the board off permanently."""


Make = Callable[[SimulatedGate, Hand, float], RingBoard]
"""A factory of boards. Its arguments are the gate, the function that carries out orders, and the start time in
seconds.
"""


def micropython(port: str, flash: Path | None) -> Make:
    """Return a factory of boards that run MicroPython's *port*. Their files are in *flash* or in a temporary folder."""
    demand(port or usual_port())

    def make(rig: SimulatedGate, hand: Hand, now: float) -> EmulatedBoard:
        stored = BoardFlash(flash)
        if stored.fresh:  # as if it had measured its gain and the black card when it was made
            for what, numbers in rig.stored().items():
                stored.keep(what, numbers)
        return EmulatedBoard(rig, hand, now, port, stored)

    return make


@shows("_waiting", "_lost")
class EmulatedRing:
    """A simulated ring with the firmware on an emulated board. Unlike on a `VirtualRing`, slides take their real time.

    *port* names the MicroPython port; empty means the fastest one that is installed. *flash* is the
    folder for the board's files; None means a temporary one. *make* is a factory of other kinds of
    boards. *sensor* is the chip of its colour sensor.
    """

    def __init__(
        self,
        world: World,
        lots: Random,
        now: float,
        port: str = "",
        flash: Path | None = None,
        make: Make | None = None,
        sensor: type[Chip] = USUAL,
    ) -> None:
        make = make or micropython(port, flash)
        self.rig = SimulatedGate(world, lots, sensor)
        self._hand = HostOrders(self.rig)
        self.poke_us = 10_000  # between two pokes while the store is filled
        self._lost: list[GroundTruth] = []
        self._mute_until = now
        self._waiting = b""
        self.board = make(self.rig, self._hand.obey, now)
        self._starts = self.board.starts
        self._witness = Observer(lambda what: self._hand.looked(what, self.board.at_us))

    @property
    def world(self) -> World:
        """The world as it is now."""
        return self.rig.world

    @property
    def under(self) -> Counter[str]:
        """The stations below the ring."""
        return self.rig.under

    @property
    def armed(self) -> int:
        """The token that passages carry now, or 0 if there is none."""
        return self._hand.token

    @property
    def has_room(self) -> bool:
        """True if no part of an earlier slide is still to come."""
        return not self.rig.busy

    @property
    def acknowledged(self) -> bool:
        """True if the host has acknowledged all events, and no part of a slide is still to come."""
        return self._witness.acknowledged and not self.rig.busy

    def receive(self, data: bytes, now: float) -> None:
        """Accept bytes from the host."""
        self._witness.host_said(data)
        self.board.receive(data, now)

    def outgoing(self, now: float) -> bytes:
        """Return what the board has written up to *now*."""
        self.board.reading = now >= self._mute_until
        data = self.board.outgoing(now)
        if self.board.starts != self._starts:
            self._started()
        self._waiting += data
        return data

    def due(self, now: float) -> float:
        """Return when the board will next do something without input."""
        return max(self.board.due(now), self._mute_until)

    def load(self, stations: Mapping[str, int]) -> None:
        """Add *stations* to those below the ring."""
        self.rig.load(stations)

    def calibrated(self) -> None:
        """Switch to the world's `after_calibration` values. Later calls change nothing."""
        self.rig.calibrated()

    def slide(self, now: float, colour: str = "", speed_mm_s: float = 0.0, fault: str = "") -> bool:
        """Begin to let one cube out, or to cause *fault*. Return False if there is no cube left."""
        return self.rig.slide(self.board.caught_up(now), colour, speed_mm_s, fault)

    def gate(self, is_open: bool, now: float) -> None:
        """Open or close the gate without letting anything out."""
        self.rig.gate(is_open, self.board.caught_up(now))

    def lift(self, is_up: bool, now: float) -> None:
        """Lift the ring, or set it down."""
        self.rig.lift(is_up, self.board.caught_up(now))

    def jolt(self, now: float) -> None:
        """Jolt the ring once."""
        self.rig.jolt(self.board.caught_up(now))

    def sensor(self, there: bool, now: float) -> None:
        """Remove the colour sensor, or connect it again."""
        if there:
            self.rig.sensor_back(self.board.caught_up(now))
        else:
            self.rig.sensor_gone(self.board.caught_up(now))

    def fill(self, now: float) -> None:
        """Touch the inner beam until the board's store is full. The host does not read meanwhile."""
        pokes = [n * self.poke_us for n in range(POKES)]
        edges = [("A", on, at + (0 if on else TOUCHED_US)) for at in pokes for on in (True, False)]
        self.rig.beams(edges, self.board.caught_up(now))
        self.mute(now + (POKES + 2) * self.poke_us / 1e6)

    def mute(self, until: float) -> None:
        """Stop reading from the board until the time *until*, so that its bytes stay in its buffer."""
        self._mute_until = until

    def restart(self, now: float, version: int = VERSION, wrapped: bool = False) -> None:
        """Power-cycle the board. Only its flash survives.

        It then speaks *version* of the protocol. With *wrapped* its microsecond counter is about to
        wrap to zero.
        """
        self.board.speak(version)
        self.board.restart(now, PICO_PERIOD - SHORTLY_US if wrapped else 0)
        self._started()

    def written(self, at_ns: int) -> list[GroundTruth]:
        """Return the things that were reported since the last call, with *at_ns* as the time of writing."""
        self._witness.board_said(self._waiting, at_ns)
        self._waiting = b""
        self._see()
        lost, self._lost = self._lost, []
        return lost + self._witness.reported()

    def unwritten(self) -> list[GroundTruth]:
        """Return the things that were not reported, and will never be reported if the ring ends now."""
        self._see()
        return self._lost + self._witness.unreported()

    def close(self) -> None:
        """Switch the board off permanently."""
        self.board.close()

    def _see(self) -> None:
        self._witness.saw(self.rig.happened)
        self.rig.happened.clear()

    def _started(self) -> None:
        self._see()
        self._starts = self.board.starts
        self._lost += self._witness.started(self.board.born_us)
        self._hand.started()
        self._waiting = b""

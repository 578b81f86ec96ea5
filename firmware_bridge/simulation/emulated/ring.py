"""An emulated board with a hand at its gate and a witness beside it: a ring that scripts and tests can use."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Protocol

from companion.kernel.shown import shows
from firmware_bridge.device.clock import PICO_PERIOD
from firmware_bridge.device.codec import VERSION
from firmware_bridge.simulation.emulated.board import EmulatedBoard
from firmware_bridge.simulation.emulated.flash import BoardFlash
from firmware_bridge.simulation.emulated.observer import Observer
from firmware_bridge.simulation.emulated.orders import HostOrders
from firmware_bridge.simulation.emulated.peripherals import Hand
from firmware_bridge.simulation.emulated.runtimes import demand, usual_port
from firmware_bridge.simulation.physics.light import GAIN
from firmware_bridge.simulation.physics.world import World
from firmware_bridge.simulation.script.ground_truth import GroundTruth
from firmware_bridge.simulation.testbench import SimulatedGate

SHORTLY_US = 2_000_000  # before a counter that is about to wrap does so
STOOD_S = 0.5  # a ring has stood on its table before a program opens it, and looked at its plate by then
POKES, TOUCHED_US = 90, 5_000  # more than a board has room for


def began() -> float:
    """Return when the time of a ring begins that a program opens now, in the seconds of `time.monotonic`."""
    return time.monotonic() - STOOD_S


class RingBoard(Protocol):
    """What a ring needs of the board that its firmware runs on (see `EmulatedBoard`)."""

    starts: int
    reading: bool

    @property
    def pid(self) -> int:
        """The process that it runs in."""

    @property
    def at_us(self) -> int:
        """The rig's time up to which it has gone on."""

    @property
    def born_us(self) -> int:
        """The rig's time at which it has started."""

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes from the host."""

    def outgoing(self, now: float) -> bytes:
        """Return what it has written by now."""

    def due(self, now: float) -> float:
        """Return when it goes on by itself."""

    def caught_up(self, now: float) -> int:
        """Let it go on to *now*; return the rig's time then."""

    def speak(self, version: int) -> None:
        """Let it speak that *version* of the protocol from its next start on."""

    def restart(self, now: float, ticks: int = 0) -> None:
        """Cut its power and give it back, its counter reading *ticks*."""

    def close(self) -> None:
        """Switch it off for good."""


Make = Callable[[SimulatedGate, Hand, float], RingBoard]
"""Makes the board at a gate, with the hand that does what its orders say, at that time."""


def micropython(port: str, flash: Path | None) -> Make:
    """Return what makes boards on that *port* of MicroPython, its files in *flash*, or in a folder of their own."""
    demand(port or usual_port())

    def make(rig: SimulatedGate, hand: Hand, now: float) -> EmulatedBoard:
        kept = BoardFlash(flash)
        if kept.fresh:  # when it was made it found its gain, and the black card was shown to it
            kept.keep("black", rig.reference("black"))
            kept.keep("gain", (GAIN,))
        return EmulatedBoard(rig, hand, now, port, kept)

    return make


@shows("_waiting", "_lost")
class EmulatedRing:
    """What a `VirtualRing` is to a script, with the firmware on a board of its own: slides take the time they take.

    *port* is MicroPython's, when it is empty the fastest that is installed;
    *flash* is the folder that the board keeps its files in (one of its own
    when none is named). *make* makes another kind of board.
    """

    def __init__(
        self,
        world: World,
        lots: Random,
        now: float,
        port: str = "",
        flash: Path | None = None,
        make: Make | None = None,
    ) -> None:
        make = make or micropython(port, flash)
        self.rig = SimulatedGate(world, lots)
        self._hand = HostOrders(self.rig)
        self.poke_us = 10_000  # from one poke to the next when it is filled up
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
        """The token that passages carry now, 0 for none."""
        return self._hand.token

    @property
    def has_room(self) -> bool:
        """True when the hand is free: nothing of an earlier slide is still to come."""
        return not self.rig.busy

    @property
    def acknowledged(self) -> bool:
        """True when the host has everything on record, and nothing is on its way."""
        return self._witness.acknowledged and not self.rig.busy

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes from the host."""
        self._witness.host_said(data)
        self.board.receive(data, now)

    def outgoing(self, now: float) -> bytes:
        """Return what the board has written by now."""
        self.board.reading = now >= self._mute_until
        data = self.board.outgoing(now)
        if self.board.starts != self._starts:
            self._started()
        self._waiting += data
        return data

    def due(self, now: float) -> float:
        """Return when the board goes on by itself."""
        return max(self.board.due(now), self._mute_until)

    def load(self, stations: Mapping[str, int]) -> None:
        """Put *stations* below the ring, beside what is there."""
        self.rig.load(stations)

    def calibrated(self) -> None:
        """Let the world become what it is after calibration; once is for good."""
        self.rig.calibrated()

    def slide(self, now: float, colour: str = "", speed_mm_s: float = 0.0, fault: str = "") -> bool:
        """Begin to let one cube out, or to do the *fault*; False when there is none."""
        return self.rig.slide(self.board.caught_up(now), colour, speed_mm_s, fault)

    def gate(self, is_open: bool, now: float) -> None:
        """Open or close the gate, and let nothing out."""
        self.rig.gate(is_open, self.board.caught_up(now))

    def lift(self, is_up: bool, now: float) -> None:
        """Lift the ring, or set it down."""
        self.rig.lift(is_up, self.board.caught_up(now))

    def jolt(self, now: float) -> None:
        """Jolt the ring once."""
        self.rig.jolt(self.board.caught_up(now))

    def sensor(self, there: bool, now: float) -> None:
        """Let the colour sensor be gone, or be back."""
        if there:
            self.rig.sensor_back(self.board.caught_up(now))
        else:
            self.rig.sensor_gone(self.board.caught_up(now))

    def fill(self, now: float) -> None:
        """Poke the inner beam until there is no room for it, while the host reads nothing."""
        pokes = [n * self.poke_us for n in range(POKES)]
        edges = [("A", on, at + (0 if on else TOUCHED_US)) for at in pokes for on in (True, False)]
        self.rig.beams(edges, self.board.caught_up(now))
        self.mute(now + (POKES + 2) * self.poke_us / 1e6)

    def mute(self, until: float) -> None:
        """Have the host read nothing until then: what the board writes stays with it."""
        self._mute_until = until

    def restart(self, now: float, version: int = VERSION, wrapped: bool = False) -> None:
        """Cut the board's power and give it back: all but its flash is gone.

        It then speaks *version* of the protocol, and (*wrapped*) has a
        counter of microseconds that is about to begin again at nought.
        """
        self.board.speak(version)
        self.board.restart(now, PICO_PERIOD - SHORTLY_US if wrapped else 0)
        self._started()

    def written(self, at_ns: int) -> list[GroundTruth]:
        """Return what has been told since the last call of what happened; the bytes were written at *at_ns*."""
        self._witness.board_said(self._waiting, at_ns)
        self._waiting = b""
        self._see()
        lost, self._lost = self._lost, []
        return lost + self._witness.told()

    def unwritten(self) -> list[GroundTruth]:
        """Return what was not told and, when the ring ends now, never will be."""
        self._see()
        return self._lost + self._witness.untold()

    def close(self) -> None:
        """Switch it off for good."""
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

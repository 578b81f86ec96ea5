"""A virtual ring at work on a file descriptor: the one loop that its in-process and its pseudo-terminal form share."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from companion.kernel.i18n import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor, Thread
from firmware_bridge.kernel.errors import WireLost
from firmware_bridge.simulation.fault_injection.line_noise import WAYS, LineNoise
from firmware_bridge.simulation.script.ground_truth import GroundTruth
from firmware_bridge.simulation.script.hand import Hand
from firmware_bridge.simulation.script.ring import SimulatedRing
from firmware_bridge.simulation.script.steps import Trouble
from firmware_bridge.transport.streams import MOST_WAITING, PORTION, Bell, ready

Tell = Callable[[Sequence[GroundTruth]], None]


def tell_nobody(happened: Sequence[GroundTruth]) -> None:
    """Keep no truth."""


@shows("_waiting", "_deaf_until", "_mute_until")
class ServingLoop:
    """The device's side of one connection, which may damage what passes in both directions; a *bell* ends a wait."""

    def __init__(self, fd: int, damage: LineNoise, bell: Bell | None = None) -> None:
        os.set_blocking(fd, False)
        self._fd = fd
        self._damage = damage
        self._bell = bell
        self._waiting = b""
        self._deaf_until = self._mute_until = 0.0

    def suffer(self, trouble: Trouble, now: float) -> None:
        """Let a *trouble* of the line begin: a share of bytes spoilt, or nothing moved for a while."""
        if trouble.word in WAYS:
            self._damage.become(trouble.rate, (trouble.word,))
            return
        self._mute_until = now + trouble.seconds
        self._deaf_until = self._mute_until if trouble.word == "delayed" else 0.0

    def read(self, timeout_s: float) -> bytes:
        """Return what has arrived within *timeout_s*; WireLost when the other end is gone."""
        now = time.monotonic()
        held = max(self._mute_until, self._deaf_until)
        if now < held:
            timeout_s = min(timeout_s, held - now)
        bell = self._bell.fileno() if self._bell else -1
        fd = -1 if now < self._deaf_until else self._fd
        readable, writable, rung = ready(fd, bool(self._waiting) and now >= self._mute_until, bell, timeout_s)
        if rung and self._bell:
            self._bell.hush()
        if writable:
            self._push()
        return self._damage.passed(self._pull()) if readable else b""

    def write(self, data: bytes) -> None:
        """Send *data* without waiting; a host that does not read loses lines."""
        if data and len(self._waiting) < MOST_WAITING:
            self._waiting += self._damage.passed(data)
            if time.monotonic() >= self._mute_until:
                self._push()

    def _pull(self) -> bytes:
        try:
            data = os.read(self._fd, PORTION)
        except BlockingIOError:
            return b""
        except OSError as fault:
            raise WireLost(said("The other end is gone (%(why)s).", why=str(fault))) from fault
        if not data:
            raise WireLost(said("The other end is gone."))
        return data

    def _push(self) -> None:
        try:
            self._waiting = self._waiting[os.write(self._fd, self._waiting) :]
        except BlockingIOError:
            return
        except OSError as fault:
            raise WireLost(said("The other end is gone (%(why)s).", why=str(fault))) from fault


def serve(ring: SimulatedRing, hand: Hand, line: ServingLoop, going: Callable[[], bool], tell: Tell) -> None:
    """Let *ring* and the *hand* at it live on *line* while *going*; WireLost when the line is gone."""
    while going():
        now = time.monotonic()
        again = hand.act(ring, now)
        trouble, hand.line_trouble = hand.line_trouble, None
        if trouble:
            line.suffer(trouble, now)
        data, at_ns = ring.outgoing(now), time.monotonic_ns()
        line.write(data)
        tell(ring.written(at_ns))
        # The clock anew: acting and writing have taken time.
        heard = line.read(min(ring.due(now), again) - time.monotonic())
        if heard:
            ring.receive(heard, time.monotonic())


def serve_apart(ring: SimulatedRing, fd: int, threads: Supervisor) -> Thread:
    """Let *ring* live on *fd*, in a thread of its own that ends when the other end is closed; return the thread.

    After an error the line is closed: who reads the ring opens the next one.
    """

    def live() -> None:
        try:
            with suppress(WireLost):
                serve(ring, Hand(), ServingLoop(fd, LineNoise.none()), lambda: True, tell_nobody)
        finally:
            os.close(fd)  # whatever ended us, the other end must see that nobody is here

    try:
        return threads.start("virtual ring", live, again=False)
    except RuntimeError:
        os.close(fd)  # no thread, so nobody else closes it
        raise

"""The loop that runs a simulated ring on a file descriptor, whether in a thread or behind a pseudo-terminal."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor, Thread
from firmware_bridge.simulation.fault_injection.troubles import DAMAGE
from firmware_bridge.simulation.script.ground_truth import GroundTruth
from firmware_bridge.simulation.script.hand import Hand
from firmware_bridge.simulation.script.ring import SimulatedRing
from firmware_bridge.simulation.script.steps import Trouble
from rungs.trouble import Damage
from rungs.wire import MOST_WAITING, PORTION, Bell, WireLost, ready

Report = Callable[[Sequence[GroundTruth]], None]


def discard(happened: Sequence[GroundTruth]) -> None:
    """Discard the ground truth."""


@shows("_waiting", "_deaf_until", "_mute_until")
class ServingLoop:
    """The device's side of one connection. It can damage bytes in both directions; a *bell* interrupts a read."""

    def __init__(self, fd: int, damage: Damage, bell: Bell | None = None) -> None:
        os.set_blocking(fd, False)
        self._fd = fd
        self._damage = damage
        self._bell = bell
        self._waiting = b""
        self._deaf_until = self._mute_until = 0.0

    def suffer(self, trouble: Trouble, now: float) -> None:
        """Start a line *trouble*: damage a share of the bytes, or block one or both directions for a while."""
        if trouble.word in DAMAGE:
            self._damage.become(trouble.rate, (DAMAGE[trouble.word],))
            return
        self._mute_until = now + trouble.seconds
        self._deaf_until = self._mute_until if trouble.word == "delayed" else 0.0

    def read(self, timeout_s: float) -> bytes:
        """Return the bytes that arrive within *timeout_s*. Raise WireLost if the other end has closed."""
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
        """Send *data* without waiting. If the host does not read, lines are lost."""
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


def serve(ring: SimulatedRing, hand: Hand, line: ServingLoop, going: Callable[[], bool], report: Report) -> None:
    """Run *ring* and *hand* on *line* while *going* returns true. Raise WireLost if the line is lost."""
    while going():
        now = time.monotonic()
        again = hand.act(ring, now)
        trouble, hand.line_trouble = hand.line_trouble, None
        if trouble:
            line.suffer(trouble, now)
        data, at_ns = ring.outgoing(now), time.monotonic_ns()
        line.write(data)
        report(ring.written(at_ns))
        # The clock is read again, because acting and writing take time.
        received = line.read(min(ring.due(now), again) - time.monotonic())
        if received:
            ring.receive(received, time.monotonic())


def serve_apart(ring: SimulatedRing, fd: int, threads: Supervisor) -> Thread:
    """Start a thread that runs *ring* on the descriptor *fd* until the other end closes. Return the thread.

    After an error the thread closes the line, and the ring's reader opens a new one.
    """

    def live() -> None:
        try:
            with suppress(WireLost):
                serve(ring, Hand(), ServingLoop(fd, Damage.none()), lambda: True, discard)
        finally:
            os.close(fd)  # always: otherwise the other end would not notice that the ring is gone

    try:
        return threads.start("virtual ring", live, again=False)
    except RuntimeError:
        os.close(fd)  # no thread was started that would close it
        raise

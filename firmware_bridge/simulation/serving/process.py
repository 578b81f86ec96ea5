"""Runs a simulated ring as a process behind a pseudo-terminal, with a script and a truth file, until a signal."""

from __future__ import annotations

import json
import os
import pty
import tty
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TextIO

from companion.kernel.atomic_file import replacement
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.simulation.script.ground_truth import GroundTruth
from firmware_bridge.simulation.script.hand import Hand
from firmware_bridge.simulation.script.ring import SimulatedRing
from firmware_bridge.simulation.script.steps import check_colours, step_of
from firmware_bridge.simulation.serving.loop import Report, ServingLoop, discard, serve
from rungs.trouble import Damage
from rungs.wire import Bell, WireLost, ready


def truth_to(file: TextIO) -> Report:
    """Return a function that writes a ground-truth entry as one line to *file*, and flushes the file."""

    def write(happened: Sequence[GroundTruth]) -> None:
        for each in happened:
            file.write(json.dumps(each.line()) + "\n")
        if happened:
            file.flush()

    return write


@shows("near")
class Ending:
    """A flag that ends a process. A signal sets it, and setting it interrupts waits."""

    def __init__(self) -> None:
        self.bell = Bell()
        self.near = False  # whether the process should end now
        # A `threading.Event` would deadlock if the signal came while its waiter holds the event's lock.
        self._over = Bell()

    def come(self, *_: object) -> None:
        """Set the flag. Can be used as a signal handler."""
        self.near = True
        self.bell.ring()
        self._over.ring()

    def wait(self, seconds: float) -> None:
        """Wait for *seconds*, or until the flag is set."""
        until = monotonic() + seconds
        while not self.near and (left := until - monotonic()) > 0:
            ready(-1, False, self._over.fileno(), left)


def start_script(
    words: TextIO,
    hand: Hand,
    ending: Ending,
    colours: Collection[str],
    complain: Callable[[str], None],
    threads: Supervisor | None = None,
) -> None:
    """Start a thread that reads lines from *words* until its end, and passes each one to *hand* as a step.

    If a line is invalid, *complain* is called and the line is skipped.
    """

    def listen() -> None:
        for line in words:
            try:
                step = step_of(line)
                check_colours([step], colours)
            except InputError as fault:
                complain(f"script: {fault}")
                continue
            hand.add(step)
            ending.bell.ring()

    (threads or Supervisor()).start("script", listen)


def live(
    ring: SimulatedRing,
    hand: Hand,
    path: Path,
    damage: Damage,
    ending: Ending,
    report: Report = discard,
    plugged: Callable[[], None] = lambda: None,
) -> None:
    """Run *ring* behind a pseudo-terminal at *path* until *ending* is set.

    Call *plugged* whenever the terminal is opened.
    """
    while not ending.near:
        terminal = PtyTerminal(path)
        plugged()
        try:
            line = ServingLoop(terminal.fd, damage, ending.bell)
            with suppress(WireLost):
                serve(ring, hand, line, lambda: not (hand.unplugged_s or ending.near), report)
        finally:
            terminal.close()
        pause, hand.unplugged_s = hand.unplugged_s, 0.0
        ending.wait(pause)
    report(ring.unwritten())


@shows("_path")
class PtyTerminal:
    """A pseudo-terminal with a symlink at *path* while it is open."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.fd, self._far = pty.openpty()
        tty.setraw(self._far)
        self._link()

    def close(self) -> None:
        """Close the terminal, as an unplugged cable would, and remove the symlink."""
        with suppress(OSError):
            if self._path.is_symlink() and self._path.readlink() == Path(os.ttyname(self._far)):
                self._path.unlink()
        os.close(self.fd)
        os.close(self._far)

    def _link(self) -> None:
        """Create the symlink atomically. It replaces an earlier symlink, but never a file."""
        if self._path.exists() and not self._path.is_symlink():
            raise InputError(f"{self._path} exists and isn't a link")
        try:
            with replacement(self._path, lasts=False) as fresh:
                fresh.symlink_to(os.ttyname(self._far))
        except OSError as fault:
            raise InputError(f"{self._path}: {fault.strerror or fault}") from None

"""A virtual ring as a process of its own: a pseudo-terminal, a script, a truth file, until it is told to end."""

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
from firmware_bridge.kernel.errors import BadInput, WireLost
from firmware_bridge.simulation.fault_injection.line_noise import LineNoise
from firmware_bridge.simulation.script.ground_truth import GroundTruth
from firmware_bridge.simulation.script.hand import Hand
from firmware_bridge.simulation.script.ring import SimulatedRing
from firmware_bridge.simulation.script.steps import check_colours, step_of
from firmware_bridge.simulation.serving.loop import ServingLoop, Tell, serve, tell_nobody
from firmware_bridge.transport.streams import Bell, ready


def truth_to(file: TextIO) -> Tell:
    """Return what writes each thing that happened as a line of *file*, at once."""

    def tell(happened: Sequence[GroundTruth]) -> None:
        for each in happened:
            file.write(json.dumps(each.line()) + "\n")
        if happened:
            file.flush()

    return tell


@shows("near")
class Ending:
    """The end of a process: told by a signal, heard by whoever waits, and never in the middle of something."""

    def __init__(self) -> None:
        self.bell = Bell()
        self.near = False  # whether it is time to end
        # No `threading.Event`: a signal that comes while its waiter holds its lock would wait for itself.
        self._over = Bell()

    def come(self, *_: object) -> None:
        """End; fit to be a signal's handler."""
        self.near = True
        self.bell.ring()
        self._over.ring()

    def wait(self, seconds: float) -> None:
        """Wait for *seconds*, or until it is time to end."""
        until = monotonic() + seconds
        while not self.near and (left := until - monotonic()) > 0:
            ready(-1, False, self._over.fileno(), left)


def until_told(
    words: TextIO,
    hand: Hand,
    ending: Ending,
    colours: Collection[str],
    complain: Callable[[str], None],
    threads: Supervisor | None = None,
) -> None:
    """Have *hand* do each step that comes as a line of *words*, in a thread that lives as long as they come.

    A line that makes no sense is complained of, and nothing else happens.
    """

    def listen() -> None:
        for line in words:
            try:
                step = step_of(line)
                check_colours([step], colours)
            except BadInput as fault:
                complain(f"script: {fault}")
                continue
            hand.told(step)
            ending.bell.ring()

    (threads or Supervisor()).start("script", listen)


def live(
    ring: SimulatedRing,
    hand: Hand,
    path: Path,
    damage: LineNoise,
    ending: Ending,
    tell: Tell = tell_nobody,
    plugged: Callable[[], None] = lambda: None,
) -> None:
    """Let *ring* live behind a pseudo-terminal at *path* until the *ending*; *plugged* is called when it is there."""
    while not ending.near:
        terminal = PtyTerminal(path)
        plugged()
        try:
            line = ServingLoop(terminal.fd, damage, ending.bell)
            with suppress(WireLost):
                serve(ring, hand, line, lambda: not (hand.unplugged_s or ending.near), tell)
        finally:
            terminal.close()
        pause, hand.unplugged_s = hand.unplugged_s, 0.0
        ending.wait(pause)
    tell(ring.unwritten())


@shows("_path")
class PtyTerminal:
    """A pseudo-terminal, linked at *path* until it is closed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.fd, self._far = pty.openpty()
        tty.setraw(self._far)
        self._link()

    def close(self) -> None:
        """Close it as an unplugged cable would, and take the link away."""
        with suppress(OSError):
            if self._path.is_symlink() and self._path.readlink() == Path(os.ttyname(self._far)):
                self._path.unlink()
        os.close(self.fd)
        os.close(self._far)

    def _link(self) -> None:
        """Put the link in place in one go, instead of an earlier one but never of a file."""
        if self._path.exists() and not self._path.is_symlink():
            raise BadInput(f"{self._path} exists and isn't a link")
        try:
            with replacement(self._path, lasts=False) as fresh:
                fresh.symlink_to(os.ttyname(self._far))
        except OSError as fault:
            raise BadInput(f"{self._path}: {fault.strerror or fault}") from None

"""Rungs that are a process of their own behind a pseudo-terminal. Time is real, and the script arrives line by line."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from rungs.wire import Bell, Wire, open_wire
from tests.forkserver.process import Forked
from tests.hil.rung import Missing, Rung, Step

ENDS_S = 10.0


class Behind(Rung):
    """The ring that `companion ring` starts with the arguments *words*, at a pseudo-terminal in *folder*."""

    live = True

    def __init__(self, words: Sequence[str], folder: Path) -> None:
        super().__init__()
        self._path = folder / "ring"
        self._pause = threading.Event()
        self._bells: list[Bell] = []
        told = ("--pty", self._path, "--script", "-", "--seed", "1")
        self._process = Forked("companion", "ring", *words, *told, cwd=folder)
        if not self._process.stdout.readline():
            raise Missing(self._process.communicate(timeout=ENDS_S)[1].strip() or f"{words[0]} ended at once.")

    def now(self) -> float:
        """Return the time in seconds."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Let time pass without reading from the ring."""
        self._pause.wait(seconds)

    def opened(self) -> Wire:
        """Return an open wire to the ring. Waits until it is plugged in."""
        bell = Bell()
        self._bells.append(bell)
        return open_wire(str(self._path), bell)

    def do(self, step: Step) -> None:
        """Send a step of a script to the simulated hand, without waiting for it."""
        self._process.stdin.write(json.dumps(dict(step)) + "\n")
        self._process.stdin.flush()

    def close(self) -> None:
        """End the process, and fail if it wrote anything to its standard error."""
        self._process.terminate()
        _, complaint = self._process.communicate(timeout=ENDS_S)
        self._process.close()
        for bell in self._bells:
            bell.close()
        assert not complaint.strip(), complaint

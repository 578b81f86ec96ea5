"""The storage for evenings with power cuts: a forgetful disk, or an ordinary folder with kills."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any, Protocol, Self

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60.0
MOST_TOLD = 10_000


@dataclass(frozen=True)
class Cut:
    """A power cut: its *moment* (empty means none in particular), and the number of unsynced changes."""

    moment: str
    unsynced: int


class Storage(Protocol):
    """Storage whose power can fail."""

    path: Path

    def begin(self) -> None:
        """Mount the storage."""

    def arm(self, what: str, after: int, done: bool) -> None:
        """Let the power fail at a moment that matches *what*."""

    def watch(self, pid: int) -> None:
        """Register a process to kill when the power fails."""

    def forget(self, pid: int) -> None:
        """Unregister a process that has ended on its own."""

    def failed(self) -> bool:
        """Return whether the armed power failure has happened."""

    def cut(self, lots: int, share: float | None = None) -> Cut:
        """Let the power fail now, unless it has failed; a *share* of the unsynced data survives (None means random)."""

    def lay(self, at: Path) -> None:
        """Copy the surviving content into the new folder *at*."""

    def close(self) -> None:
        """Clean up."""


class ForgetfulDisk:
    """A disk that loses unsynced data, mounted at *path*."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(PATIENCE_S)
        self._failed = False
        with theirs:
            command = [sys.executable, "-m", "tests.powercut.server", str(theirs.fileno())]
            self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])

    def begin(self) -> None:
        """Mount the disk."""
        self._failed = False
        self._tell("mount", place=str(self.path))

    def arm(self, what: str, after: int, done: bool = False) -> None:
        """Let the power fail at operation number *after* of those that match *what*."""
        self._tell("arm", what=what, after=after, done=done)

    def watch(self, pid: int) -> None:
        """Register a process to kill when the power fails."""
        self._tell("watch", pid=pid)

    def forget(self, pid: int) -> None:
        """Unregister a process that has ended on its own."""
        self._tell("forget", pid=pid)

    def failed(self) -> bool:
        """Return whether the armed power failure has happened."""
        if not self._failed and select.select([self._control], [], [], 0)[0]:
            self._failed = "failed" in json.loads(self._control.recv(MOST_TOLD))
        return self._failed

    def cut(self, lots: int, share: float | None = None) -> Cut:
        """Let the power fail now, unless it has failed; the surviving data is random by the seed *lots*."""
        return Cut(**self._tell("cut", lots=lots, share=share))

    def lay(self, at: Path) -> None:
        """Copy the surviving content into the folder *at*."""
        self._tell("lay", at=str(at))

    def close(self) -> None:
        """End the server process, which unmounts the disk."""
        self._control.close()
        self._process.wait(PATIENCE_S)

    def __enter__(self) -> Self:
        """Return itself, to be closed at the end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the disk."""
        self.close()

    def _tell(self, do: str, **more: object) -> dict[str, Any]:
        self._control.send(json.dumps({"do": do, **more}).encode())
        while True:
            answer: dict[str, Any] = json.loads(self._control.recv(MOST_TOLD))
            if "failed" not in answer:
                return answer
            self._failed = True


class OrdinaryFolder:
    """An ordinary folder: processes are killed, and all data that they have written survives."""

    STEP_S = 0.001
    """The unit of *after*, since there are no operations to count."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()
        self._processes: set[int] = set()
        self._over = False
        self._timer: Timer | None = None

    def begin(self) -> None:
        """Reset the state before a new start."""
        self._over = False

    def arm(self, what: str, after: int, done: bool) -> None:
        """Kill the processes after *after* steps."""
        self._timer = Timer(after * self.STEP_S, self._kill)
        self._timer.start()

    def watch(self, pid: int) -> None:
        """Register a process to kill."""
        self._processes.add(pid)
        if self._over:
            self._kill()

    def forget(self, pid: int) -> None:
        """Unregister a process that has ended on its own."""
        self._processes.discard(pid)

    def failed(self) -> bool:
        """Return whether the processes were killed."""
        return self._over

    def cut(self, lots: int, share: float | None = None) -> Cut:
        """Kill the processes now, unless they were killed."""
        by_itself = self._over
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
        self._kill()
        return Cut("kill" if by_itself else "", 0)

    def lay(self, at: Path) -> None:
        """Copy the folder."""
        shutil.copytree(self.path, at, symlinks=True)

    def close(self) -> None:
        """Do nothing: the caller deletes the folder."""

    def _kill(self) -> None:
        self._over = True
        while self._processes:
            with suppress(ProcessLookupError):
                os.kill(self._processes.pop(), signal.SIGKILL)

"""Where an evening is kept while it is cut off again and again: the disk that forgets, or an ordinary folder."""

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
    """What came of a cut: at what *moment* (empty: at none in particular), and how much was not synced then."""

    moment: str
    unsynced: int


class Storage(Protocol):
    """A place that can be cut off."""

    path: Path

    def begin(self) -> None:
        """Be there."""

    def arm(self, what: str, after: int, done: bool) -> None:
        """Fail at a moment like *what*."""

    def watch(self, pid: int) -> None:
        """Take note of a process that is to end with the power."""

    def forget(self, pid: int) -> None:
        """Take note that one of them has ended by itself."""

    def failed(self) -> bool:
        """Tell whether the power has failed by itself."""

    def cut(self, lots: int, share: float | None = None) -> Cut:
        """Let it fail at the latest now; so great a *share* of what was not synced is left, if it is not drawn too."""

    def lay(self, at: Path) -> None:
        """Put what is left into the folder *at*, which is not there yet."""

    def close(self) -> None:
        """Leave nothing behind."""


class ForgetfulDisk:
    """A disk that loses what was not synced, mounted at *path*."""

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
        """Mount it."""
        self._failed = False
        self._tell("mount", place=str(self.path))

    def arm(self, what: str, after: int, done: bool = False) -> None:
        """Have the power fail at the deed with number *after* of those called like *what*."""
        self._tell("arm", what=what, after=after, done=done)

    def watch(self, pid: int) -> None:
        """Take note of a process that is to end with the power."""
        self._tell("watch", pid=pid)

    def forget(self, pid: int) -> None:
        """Take note that one of them has ended by itself."""
        self._tell("forget", pid=pid)

    def failed(self) -> bool:
        """Tell whether the power has failed by itself."""
        if not self._failed and select.select([self._control], [], [], 0)[0]:
            self._failed = "failed" in json.loads(self._control.recv(MOST_TOLD))
        return self._failed

    def cut(self, lots: int, share: float | None = None) -> Cut:
        """Let the power fail at the latest now; what is left is drawn by *lots*."""
        return Cut(**self._tell("cut", lots=lots, share=share))

    def lay(self, at: Path) -> None:
        """Put what is left into the folder *at*."""
        self._tell("lay", at=str(at))

    def close(self) -> None:
        """End its process, which takes the mount away."""
        self._control.close()
        self._process.wait(PATIENCE_S)

    def __enter__(self) -> Self:
        """Be closed in the end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def _tell(self, do: str, **more: object) -> dict[str, Any]:
        self._control.send(json.dumps({"do": do, **more}).encode())
        while True:
            answer: dict[str, Any] = json.loads(self._control.recv(MOST_TOLD))
            if "failed" not in answer:
                return answer
            self._failed = True


class OrdinaryFolder:
    """A folder of this machine's own disk: processes are killed, and nothing is lost that they had written."""

    STEP_S = 0.001
    """What *after* counts in, where there are no deeds to be counted."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()
        self._processes: set[int] = set()
        self._over = False
        self._timer: Timer | None = None

    def begin(self) -> None:
        """Be there again."""
        self._over = False

    def arm(self, what: str, after: int, done: bool) -> None:
        """Kill after so many steps."""
        self._timer = Timer(after * self.STEP_S, self._kill)
        self._timer.start()

    def watch(self, pid: int) -> None:
        """Take note of a process that is to be killed."""
        self._processes.add(pid)
        if self._over:
            self._kill()

    def forget(self, pid: int) -> None:
        """Take note that one of them has ended by itself."""
        self._processes.discard(pid)

    def failed(self) -> bool:
        """Tell whether they were killed."""
        return self._over

    def cut(self, lots: int, share: float | None = None) -> Cut:
        """Kill them at the latest now."""
        by_itself = self._over
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
        self._kill()
        return Cut("kill" if by_itself else "", 0)

    def lay(self, at: Path) -> None:
        """Copy what is there."""
        shutil.copytree(self.path, at, symlinks=True)

    def close(self) -> None:
        """Leave the folder to whoever made what it lies in."""

    def _kill(self) -> None:
        self._over = True
        while self._processes:
            with suppress(ProcessLookupError):
                os.kill(self._processes.pop(), signal.SIGKILL)

"""A lock on a device, so that two runs at one bench do not mix: the second waits, and names the first."""

from __future__ import annotations

import fcntl
import getpass
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import gethostname
from threading import Event

LOOKS_S = 0.2


class Held(Exception):
    """Another run is using the device. The message is one sentence that names that run."""


@contextmanager
def locked(path: Path, wait_s: float, say: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock *path*; the kernel releases it if this process is killed. Raise `Held` after *wait_s* seconds."""
    with path.open("a+", encoding="utf-8") as file:
        until = time.monotonic() + wait_s
        told = False
        while not _taken(file.fileno()):
            file.seek(0)
            holder = file.read().strip() or "another run"
            if time.monotonic() >= until:
                raise Held(f"{path} is held by {holder}.")
            if not told:
                say(f"Waiting for {path}: held by {holder}.")
            told = True
            Event().wait(LOOKS_S)
        file.seek(0)
        file.truncate()
        since = time.strftime("%Y-%m-%d %H:%M:%S")
        file.write(f"{getpass.getuser()}@{gethostname()}, process {os.getpid()}, since {since}\n")
        file.flush()
        yield


def _taken(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

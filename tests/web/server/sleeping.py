"""A sleeping tablet: the browser's processes are stopped, without an event in the page."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def _parent(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[1])


def _ours(pid: int) -> bool:
    while pid > 1:
        if pid == os.getpid():
            return True
        pid = _parent(pid)
    return False


def _shows_pages(pid: int) -> bool:
    try:
        return b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes() and _ours(pid)
    except OSError:
        return False  # The process has ended meanwhile.


@contextmanager
def asleep() -> Iterator[None]:
    """Stop every browser process of this test inside this context."""
    shown = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit() and _shows_pages(int(each.name))]
    assert shown, "no process of this test shows pages"
    for pid in shown:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in shown:
            os.kill(pid, signal.SIGCONT)

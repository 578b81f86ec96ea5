"""Files that are replaced whole or not at all: a pulled plug leaves what was there before, or what came after."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_FRESH = re.compile(r"\..+\.(\d+)\.[0-9a-f]{8}(?:-journal|-wal|-shm)?")
"""How `replacement` calls what is not finished, and what SQLite lays beside it."""
_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP)
"""What some file systems of networks answer when a folder is to be synced."""


@contextmanager
def replacement(path: Path, lasts: bool = True) -> Iterator[Path]:
    """Yield a path beside *path*, where nobody else writes: what lies there at the end takes its place in one go.

    After a fault it is taken away, and what was there before stays. With *lasts* no power cut takes it back, if what
    lies there is synced itself; this waits for the disk.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        yield fresh
        fresh.replace(path)
    except BaseException:
        with suppress(OSError):  # the fault that came first is the one to be told
            fresh.unlink(missing_ok=True)
        raise
    if lasts:
        sync_folder(path.parent)


def clear_unfinished(folder: Path) -> None:
    """Take away what lies in *folder* of replacements whose process ended in their midst: nobody else ever would."""
    for path in folder.glob(".*"):
        begun = _FRESH.fullmatch(path.name)
        if begun is not None and not _runs(int(begun[1])):
            path.unlink(missing_ok=True)


def write_whole(path: Path, text: str, opener: Callable[[str, int], int] | None = None) -> None:
    """Put *text* at *path*, opened by *opener* where one is given: all of it is on the disk before the old one goes."""
    with replacement(path) as fresh, open(fresh, "x", encoding="utf-8", opener=opener) as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def lasting_folder(path: Path, mode: int = 0o777) -> None:
    """Make a folder where there is none, and those that it lies in: no power cut takes them back."""
    if path.is_dir():
        return
    lasting_folder(path.parent)
    path.mkdir(mode, exist_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Have the names in *folder* be on the disk: a file that is synced may still be found under no name."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as fault:
        if fault.errno not in _CANNOT_SYNC:
            raise
    finally:
        os.close(descriptor)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True  # somebody else's
    return True

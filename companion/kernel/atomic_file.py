"""Replace files atomically: after a power cut the file holds either the old contents or the new."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_FRESH = re.compile(r"\..+\.(\d+)\.[0-9a-f]{8}(?:-journal|-wal|-shm)?")
"""Matches the names that `replacement` gives to unfinished files, with or without a suffix that SQLite adds."""
_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP)
"""Errors of some network file systems when a folder is synced."""


@contextmanager
def replacement(path: Path, lasts: bool = True) -> Iterator[Path]:
    """Yield the path of a new temporary file in the folder of *path*, which replaces *path* atomically at the end.

    After an exception the temporary file is deleted and *path* is unchanged. If *lasts* is true, the folder is also
    synced, which waits for the disk. A power cut can then no longer undo the replacement, provided that the caller has
    synced the file itself.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        yield fresh
        fresh.replace(path)
    except BaseException:
        with suppress(OSError):  # the first exception is the one to report
            fresh.unlink(missing_ok=True)
        raise
    if lasts:
        sync_folder(path.parent)


def clear_unfinished(folder: Path) -> None:
    """Delete temporary files of `replacement` in *folder* that were left behind by processes that no longer run."""
    for path in folder.glob(".*"):
        begun = _FRESH.fullmatch(path.name)
        if begun is not None and not _runs(int(begun[1])):
            path.unlink(missing_ok=True)


def write_whole(path: Path, text: str, opener: Callable[[str, int], int] | None = None) -> None:
    """Write *text* to a new file, sync it, and then replace *path* by it.

    *opener* is passed to the built-in `open`.
    """
    with replacement(path) as fresh, open(fresh, "x", encoding="utf-8", opener=opener) as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def lasting_folder(path: Path, mode: int = 0o777) -> None:
    """Create a folder and its missing parents, and sync them, so that they survive a power cut."""
    if path.is_dir():
        return
    lasting_folder(path.parent)
    path.mkdir(mode, exist_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync the directory entries of *folder*.

    Without this, a file whose contents were synced may be missing after a power cut.
    """
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
        return True  # the process belongs to another user, so it is running
    return True

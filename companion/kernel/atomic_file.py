"""Files that are replaced whole or not at all: a pulled plug leaves what was there before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacement(path: Path) -> Iterator[Path]:
    """Yield a path beside *path*, where nobody else writes: what lies there at the end takes its place in one go.

    After a fault it is taken away, and what was there before stays.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        yield fresh
        fresh.replace(path)
    except BaseException:
        with suppress(OSError):  # the fault that came first is the one to be told
            fresh.unlink(missing_ok=True)
        raise


def write_whole(path: Path, text: str, mode: int = 0o666) -> None:
    """Put *text* at *path* with the rights of *mode*: all of it is on the disk before the old one goes."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with replacement(path) as fresh, os.fdopen(os.open(fresh, flags, mode), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())

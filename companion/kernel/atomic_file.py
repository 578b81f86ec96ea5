"""Files that are replaced whole or not at all: a pulled plug leaves what was there before."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
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


def write_whole(path: Path, text: str, opener: Callable[[str, int], int] | None = None) -> None:
    """Put *text* at *path*, opened by *opener* where one is given: all of it is on the disk before the old one goes."""
    with replacement(path) as fresh, open(fresh, "x", encoding="utf-8", opener=opener) as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())

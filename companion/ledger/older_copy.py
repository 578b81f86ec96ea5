"""A copy of the ledger as an older program wrote it, kept beside it before it is brought to the newest shape."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

from companion.kernel.atomic_file import replacement
from companion.kernel.private_file import make_private
from companion.ledger.errors import LedgerFault
from companion.ledger.read_connection import connect_to_read


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


_NEWEST = "SELECT (SELECT count(*) FROM row), row.* FROM row ORDER BY id DESC LIMIT 1"


def keep_older(connection: sqlite3.Connection, ledger: Path, version: int, free: Callable[[Path], int] = _free) -> None:
    """Keep a copy of the ledger that is open before it gets *version*, or raise `OSError` where there is no room.

    *free* tells how many bytes a folder takes.
    """
    for copy in _names(ledger, version):
        if not copy.exists():
            _keep(connection, copy, free)
            break
        if _same(connection, copy):
            break  # the plug was pulled after it was made


def _names(ledger: Path, version: int) -> Iterator[Path]:
    """Yield what the copy may be called: never the name of another one, which may be all that is left of it."""
    stem = f"{ledger.stem}-before-version-{version}"
    yield ledger.with_name(f"{stem}{ledger.suffix}")
    for number in count(2):
        yield ledger.with_name(f"{stem}-{number}{ledger.suffix}")


def _keep(connection: sqlite3.Connection, copy: Path, free: Callable[[Path], int]) -> None:
    pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    # And as much again: all rows are written anew, first to the log beside the ledger.
    if free(copy.parent) < 3 * pages * size:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(copy))
    with replacement(copy) as fresh:
        make_private(fresh)
        with closing(sqlite3.connect(fresh)) as target:
            connection.backup(target)


def _same(connection: sqlite3.Connection, copy: Path) -> bool:
    try:
        with closing(connect_to_read(copy)) as other:
            return bool(other.execute(_NEWEST).fetchone() == connection.execute(_NEWEST).fetchone())
    except (sqlite3.Error, LedgerFault):
        return False

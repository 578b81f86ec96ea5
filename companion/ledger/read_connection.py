"""Open a ledger's file for reading. All code that reads a ledger uses this module.

The file may come from somebody else who wants to attack its reader. Therefore nothing is written to it, and its schema
is not trusted. The size of values is limited to the sizes in a valid ledger, and each statement to the number of steps
needed for a file of this size. `companion.ledger.soundness` then checks the contents.

Three ways to open the file are tried in this order:

1. While there is a log (`-wal`) or a lock file, SQLite reads the file concurrently with its owner.
2. If there is no log and nothing can be written to the folder (a read-only card, a folder without permission), SQLite
   reads the file alone (`immutable`).
3. If there is a log, but its index (`-shm`) cannot be created, SQLite reads a copy of both in a temporary folder.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from companion.kernel.shown import shows
from companion.ledger.errors import LedgerFault
from companion.ledger.storage import as_stored, may_pass

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_VALUE = 16 << 20
"""The largest value in bytes. All values that come from pages or records are smaller."""
STEPS_AT_LEAST, STEPS_PER_BYTE, STEPS_AT_ONCE = 20_000_000, 12, 10_000
"""Limits for the steps of SQLite's virtual machine.

Checking all rows, pages and indexes of a ledger takes about one step per byte.
"""
_LIMITS = (
    (sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE),
    (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
    (sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0),
)
_PRAGMAS = ("cell_size_check = ON", "query_only = ON")


@shows("_copy")
class ReadConnection(sqlite3.Connection):
    """A connection that stops a statement with the error "interrupted" if it takes too many steps."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._budget = _Budget()
        self._copy: TemporaryDirectory[str] | None = None
        self.set_progress_handler(self._budget.spent, STEPS_AT_ONCE)
        for limit, value in _LIMITS:
            self.setlimit(limit, value)

    def guard(self, size: int, copy: TemporaryDirectory[str] | None = None) -> None:
        """Limit each statement to the steps that a file of *size* bytes may need.

        *copy* is deleted when the connection is closed.
        """
        self._budget.steps = STEPS_AT_LEAST + size * STEPS_PER_BYTE
        self._copy = copy
        self.text_factory = as_stored
        for pragma in _PRAGMAS:
            self.execute(f"PRAGMA {pragma}")

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        """Execute a statement. Each statement may take the full number of steps."""
        self._budget.taken = 0
        return super().execute(*arguments)

    def close(self) -> None:
        """Close the file, and delete the copy if there is one."""
        super().close()
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None


@shows("taken")
class _Budget:
    """Counts the steps of one statement.

    This is not part of the connection, because the connection would then refer to itself and stay open.
    """

    def __init__(self) -> None:
        self.steps, self.taken = STEPS_AT_LEAST, 0

    def spent(self) -> bool:
        self.taken += STEPS_AT_ONCE
        return self.taken > self.steps


def connect_to_read(path: Path) -> ReadConnection:
    """Open the ledger or backup at *path* without ever writing to it. This works on a read-only card too.

    Raises `LedgerFault` if *path* is not a regular file, and `sqlite3.Error` if SQLite cannot open it.
    """
    file = _without_journal(path)
    ways = (_shared, _alone, _copied) if _may_be_written(file) else (_alone, _copied)
    for way in ways[:-1]:
        try:
            return way(file)
        except sqlite3.OperationalError as error:
            if not may_pass(error):
                raise
    return ways[-1](file)


def regular(path: Path) -> Path:
    """Resolve *path* and return it, or raise `LedgerFault` for a folder, a pipe, a device or a socket.

    A missing file is not an error here; SQLite reports it.
    """
    try:
        file = path.resolve(strict=True)
        kind = file.stat().st_mode
    except FileNotFoundError:
        return path.absolute()
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links, up to Python 3.12
        why = error.strerror if isinstance(error, OSError) and error.strerror else "its links lead in a circle"
        raise LedgerFault(f"{path} can't be opened: {why}.") from error
    if stat.S_ISDIR(kind):
        raise LedgerFault(f"{path} is a folder, not a ledger.")
    if not stat.S_ISREG(kind):
        raise LedgerFault(f"{path} isn't a file, but a pipe, a device or a socket.")
    return file


def _without_journal(path: Path) -> Path:
    """Return the file at *path*, or raise `LedgerFault` if it has a rollback journal.

    To roll back a journal, SQLite may delete any file that the journal names. Our own ledgers use a write-ahead log.
    """
    file = regular(path)
    if _size(file, "-journal"):
        raise LedgerFault(f"{path} comes with a journal ({file.name}-journal), which the companion never writes.")
    return file


def _may_be_written(file: Path) -> bool:
    """Return True if another process may be writing *file*: the owner leaves a lock file, and a log while it writes."""
    return any(_exists(file, part) for part in (".lock", "-wal", "-shm"))


def _shared(file: Path) -> ReadConnection:
    return _opened(f"{file.as_uri()}?mode=ro", _size(file, "") + _size(file, "-wal"))


def _alone(file: Path) -> ReadConnection:
    if _size(file, "-wal"):
        raise _has_log()
    return _opened(f"{file.as_uri()}?mode=ro&immutable=1", _size(file, ""))


def _copied(file: Path) -> ReadConnection:
    if not _size(file, "-wal"):
        return _alone(file)  # this raises the error of the file itself
    with _copy_of(file) as copy:
        target = Path(copy.name) / file.name
        return _opened(f"{target.as_uri()}?mode=rw", _size(file, "") + _size(file, "-wal"), copy)


@contextmanager
def _copy_of(file: Path) -> Iterator[TemporaryDirectory[str]]:
    """Yield a temporary folder with copies of *file* and its log. It is deleted if the block raises."""
    try:
        copy: TemporaryDirectory[str] = TemporaryDirectory(prefix="companion-")
    except OSError as error:
        raise _no_room(error) from error
    try:
        for part in ("", "-wal"):
            shutil.copyfile(f"{file}{part}", Path(copy.name) / f"{file.name}{part}")
        yield copy
    except OSError as error:
        copy.cleanup()
        raise _no_room(error) from error
    except BaseException:
        copy.cleanup()
        raise


def _opened(uri: str, size: int, copy: TemporaryDirectory[str] | None = None) -> ReadConnection:
    connection = sqlite3.connect(
        uri, uri=True, timeout=1.0, isolation_level=None, check_same_thread=False, factory=ReadConnection
    )
    try:
        connection.guard(size, copy)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opening the file does not read it yet
        # Set this after the schema was read, which executes nothing. If it were set before, SQLite would refuse
        # json_valid in the ledger's own CHECK.
        connection.execute("PRAGMA trusted_schema = OFF")
    except BaseException:
        connection.close()
        raise
    return connection


def _has_log() -> sqlite3.OperationalError:
    return _error("its newest rows are in a separate log file", sqlite3.SQLITE_CANTOPEN)


def _no_room(error: OSError) -> sqlite3.OperationalError:
    why = f"its log can't be read in this folder, and it can't be copied: {error.strerror}"
    return _error(why, sqlite3.SQLITE_CANTOPEN)


def _error(why: str, code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(why)
    error.sqlite_errorcode = code
    return error


def _exists(file: Path, part: str) -> bool:
    return os.path.lexists(f"{file}{part}")


def _size(file: Path, part: str) -> int:
    try:
        return file.with_name(f"{file.name}{part}").stat().st_size
    except OSError:
        return 0

"""The one way to open a ledger's file to read it, whoever wrote the file.

A file that somebody hands over may be made to harm its reader. So nothing is written to it, what its schema says is not
trusted, no value may be larger than a ledger's ever is, and no statement may take more steps than a file of that size
could need. What lies in the file is looked at next: `companion.ledger.shape`.

Three ways lead to the file, and the first that fits is taken:

1. While a log lies beside it, or while it is somebody's ledger, SQLite reads it beside its owner.
2. Where nothing can be written beside it (a read-only card, a folder of somebody else), and there is no log, SQLite
   reads the file alone (`immutable`).
3. With a log, but without a place for the index of that log, a copy of both in a folder for temporary files is read.
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
from companion.ledger.storage import as_kept, may_pass

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_VALUE = 16 << 20
"""Bytes. Whatever comes in by a page or a record is smaller."""
STEPS_AT_LEAST, STEPS_PER_BYTE, STEPS_AT_ONCE = 20_000_000, 12, 10_000
"""Of SQLite's virtual machine. To check a ledger's rows, pages and indexes takes about 1 for each byte of the file."""
_LIMITS = (
    (sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE),
    (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
    (sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0),
)
_PRAGMAS = ("cell_size_check = ON", "query_only = ON")


@shows("_copy")
class ReadConnection(sqlite3.Connection):
    """A connection whose statements each end with "interrupted" once they have taken too many steps."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._budget = _Budget()
        self._copy: TemporaryDirectory[str] | None = None
        self.set_progress_handler(self._budget.spent, STEPS_AT_ONCE)
        for limit, value in _LIMITS:
            self.setlimit(limit, value)

    def guard(self, size: int, copy: TemporaryDirectory[str] | None = None) -> None:
        """Allow as many steps as a file of *size* bytes may need; *copy* is taken away when this is closed."""
        self._budget.steps = STEPS_AT_LEAST + size * STEPS_PER_BYTE
        self._copy = copy
        self.text_factory = as_kept
        for pragma in _PRAGMAS:
            self.execute(f"PRAGMA {pragma}")

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        """Begin a statement, which may take all the steps again."""
        self._budget.taken = 0
        return super().execute(*arguments)

    def close(self) -> None:
        """Close the file, and take a copy of it away."""
        super().close()
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None


@shows("taken")
class _Budget:
    """Steps taken by one statement. Apart from the connection, which would else refer to itself and stay open."""

    def __init__(self) -> None:
        self.steps, self.taken = STEPS_AT_LEAST, 0

    def spent(self) -> bool:
        self.taken += STEPS_AT_ONCE
        return self.taken > self.steps


def connect_to_read(path: Path) -> ReadConnection:
    """Open the ledger or backup at *path* without ever writing to it, on a read-only card too.

    Raises `LedgerFault` for what is no file, and `sqlite3.Error` for what SQLite cannot open.
    """
    file = _without_journal(path)
    ways = (_beside_its_owner, _alone, _copied) if _may_be_written(file) else (_alone, _copied)
    for way in ways[:-1]:
        try:
            return way(file)
        except sqlite3.OperationalError as error:
            if not may_pass(error):
                raise
    return ways[-1](file)


def regular(path: Path) -> Path:
    """Return what *path* leads to in the end, or raise `LedgerFault` for what is no file: a folder, a pipe, a device.

    Not where nothing is: SQLite has its words for that.
    """
    try:
        file = path.resolve(strict=True)
        kind = file.stat().st_mode
    except FileNotFoundError:
        return path.absolute()
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle, up to Python 3.12
        why = error.strerror if isinstance(error, OSError) and error.strerror else "its links lead in a circle"
        raise LedgerFault(f"{path} can't be opened: {why}.") from error
    if stat.S_ISDIR(kind):
        raise LedgerFault(f"{path} is a folder, not a ledger.")
    if not stat.S_ISREG(kind):
        raise LedgerFault(f"{path} isn't a file, but a pipe, a device or a socket.")
    return file


def _without_journal(path: Path) -> Path:
    """Return the file at *path*, or raise `LedgerFault` where it has a journal beside it.

    To finish that SQLite may delete a file which it names, wherever that is. Our own ledgers have logs instead.
    """
    file = regular(path)
    if _size(file, "-journal"):
        raise LedgerFault(f"{path} has a journal beside it ({file.name}-journal), which no companion writes.")
    return file


def _may_be_written(file: Path) -> bool:
    """Tell whether somebody may be writing *file*: an owner leaves its lock there, and a log while it writes."""
    return any(_exists(file, part) for part in (".lock", "-wal", "-shm"))


def _beside_its_owner(file: Path) -> ReadConnection:
    return _opened(f"{file.as_uri()}?mode=ro", _size(file, "") + _size(file, "-wal"))


def _alone(file: Path) -> ReadConnection:
    if _size(file, "-wal"):
        raise _has_log()
    return _opened(f"{file.as_uri()}?mode=ro&immutable=1", _size(file, ""))


def _copied(file: Path) -> ReadConnection:
    if not _size(file, "-wal"):
        return _alone(file)  # says once more what is wrong with the file itself
    with _copy_of(file) as copy:
        target = Path(copy.name) / file.name
        return _opened(f"{target.as_uri()}?mode=rw", _size(file, "") + _size(file, "-wal"), copy)


@contextmanager
def _copy_of(file: Path) -> Iterator[TemporaryDirectory[str]]:
    """Yield a folder with copies of *file* and its log, which is taken away after an error."""
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
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # to open alone reads nothing
        # After the schema was read, which runs nothing: SQLite would stop at json_valid, which a check of ours calls.
        connection.execute("PRAGMA trusted_schema = OFF")
    except BaseException:
        connection.close()
        raise
    return connection


def _has_log() -> sqlite3.OperationalError:
    return _error("its newest rows lie in a log beside it", sqlite3.SQLITE_CANTOPEN)


def _no_room(error: OSError) -> sqlite3.OperationalError:
    why = f"its log can't be read where it lies, and no copy can be made: {error.strerror}"
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

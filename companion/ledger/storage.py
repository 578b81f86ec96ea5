"""Ways to a ledger's file, and words for the table when one of them is barred."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.kernel.i18n import Said, joined, said
from companion.kernel.private_file import make_private

Connect = Callable[[Path], sqlite3.Connection]

PARTS = ("", "-wal", "-shm", ".newest")
"""What belongs to a ledger, by what its name ends with: who puts another in its place moves all of them."""

_WORDS = {
    sqlite3.SQLITE_FULL: said("Storage is full. The game continues in memory only."),
    sqlite3.SQLITE_READONLY: said("Storage is now read-only. The game continues in memory only."),
    sqlite3.SQLITE_CANTOPEN: said("Storage can't be opened. The game continues in memory only."),
    sqlite3.SQLITE_IOERR: said("Storage doesn't answer. The game continues in memory only."),
    sqlite3.SQLITE_PERM: said("No permission to write. The game continues in memory only."),
    sqlite3.SQLITE_BUSY: said("Another program holds the storage. The game continues in memory only."),
    sqlite3.SQLITE_LOCKED: said("Another program holds the storage. The game continues in memory only."),
    sqlite3.SQLITE_CORRUPT: said("Storage is damaged. The game continues in memory only."),
    sqlite3.SQLITE_NOTADB: said("Storage is damaged. The game continues in memory only."),
}
_MAY_PASS = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PERM,
)
_NO_ROOM = said("No room to copy the ledger before updating it. The game continues in memory only.")
_ERRNO = {errno.EROFS: sqlite3.SQLITE_READONLY, errno.EACCES: sqlite3.SQLITE_PERM, errno.EPERM: sqlite3.SQLITE_PERM}
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
OTHER = said("Storage holds a different ledger or none. The game continues in memory only.")
ONLY_READ = said("Storage is open for reading only. The game continues in memory only.")


def connect(path: Path) -> sqlite3.Connection:
    """Open *path* for its one writer; every commit is on the disk before it returns."""
    # Any thread, one at a time: the table's lock is held. So a busy file holds up all pages for that second, then
    # play goes on in memory.
    with contextlib.suppress(OSError):  # SQLite says what is wrong with it
        make_private(path)  # what lies beside it gets its mode
    connection = sqlite3.connect(path, timeout=1.0, isolation_level=None, check_same_thread=False)
    connection.text_factory = as_kept
    try:
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA journal_mode = WAL")
        # With WAL, NORMAL could lose the newest commits to a power cut: the ring has forgotten them by then.
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def in_memory() -> sqlite3.Connection:
    """Open an empty database that lies nowhere."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.text_factory = as_kept
    return connection


def as_kept(raw: bytes) -> str:
    """Return a text as it is kept; a byte that is no UTF-8 spoils its own row, not every answer that it is part of."""
    return raw.decode(errors="surrogateescape")


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Commit what is done inside, all of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        # A storage that failed may have ended the transaction by itself, or fail again.
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def in_words(error: Exception) -> Said:
    """Return what *error* says about the storage, for the table."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return warning(_NO_ROOM)
    known = _WORDS.get(_code(error)) if isinstance(error, sqlite3.Error | OSError) else None
    return warning(known or said("Storage fails (%(why)s). The game continues in memory only.", why=str(error)))


def frozen(path: Path) -> bool:
    """Tell whether the file system of *path* takes no writes now; no, where that cannot be asked."""
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except OSError:
        return False  # whatever is wrong there, SQLite meets it


def read_only() -> sqlite3.OperationalError:
    """Return the error that SQLite has for storage which is only read.

    It does not raise it itself where a file system is made read-only under an open file: there Linux takes writes into
    memory, answers a sync with success, and drops them.
    """
    error = sqlite3.OperationalError("the file system is read-only")
    error.sqlite_errorcode = sqlite3.SQLITE_READONLY
    return error


def warning(what: Said) -> Said:
    """Return *what* is wrong with the storage, and what to do about it."""
    return joined(what, said("Download the log before you switch anything off."))


def may_pass(error: sqlite3.Error | OSError) -> bool:
    """Tell whether *error* is about the storage, and not about what is in the file."""
    return _code(error) in _MAY_PASS


def is_held(error: sqlite3.Error) -> bool:
    """Tell whether *error* says that another program has the file at the moment."""
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_damage(error: sqlite3.Error) -> bool:
    """Tell whether *error* says that the file itself is damaged."""
    return _code(error) in _DAMAGE


def _code(error: sqlite3.Error | OSError) -> int:
    if isinstance(error, OSError):
        return _ERRNO.get(error.errno or 0, sqlite3.SQLITE_IOERR)
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & 0xFF

"""Open and test the storage of a ledger, and describe its failures in sentences for the players."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.kernel.private_file import make_private
from companion.kernel.said import Said, joined, said

Connect = Callable[[Path], sqlite3.Connection]

PARTS = ("", "-wal", "-shm", ".newest")
"""The suffixes of all files of a ledger. To replace a ledger, move all these files."""

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
    """Open *path* for writing, as its only writer. A commit returns after its data is on the disk."""
    # Any thread may use the connection while it holds the table's lock. A busy file therefore blocks all pages for the
    # timeout of one second; then the game continues in memory.
    with contextlib.suppress(OSError):  # SQLite reports the error later
        make_private(path)  # SQLite creates the log and its index with the same mode
    connection = sqlite3.connect(path, timeout=1.0, isolation_level=None, check_same_thread=False)
    connection.text_factory = as_stored
    try:
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA journal_mode = WAL")
        # With WAL and synchronous=NORMAL, a power cut could lose the newest commits. The ring would no longer have
        # their events.
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def in_memory() -> sqlite3.Connection:
    """Open an empty database in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.text_factory = as_stored
    return connection


def as_stored(raw: bytes) -> str:
    """Decode a stored text.

    Invalid UTF-8 becomes lone surrogates, so only one row is invalid and not the whole query.
    """
    return raw.decode(errors="surrogateescape")


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Run the block in a transaction: commit at its end, or roll back if it raises an exception."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        # Failing storage may have ended the transaction already, or may fail again.
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def in_words(error: Exception) -> Said:
    """Return a sentence for the players that says what *error* means for the storage."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return warning(_NO_ROOM)
    known = _WORDS.get(_code(error)) if isinstance(error, sqlite3.Error | OSError) else None
    return warning(known or said("Storage fails (%(why)s). The game continues in memory only.", why=str(error)))


def frozen(path: Path) -> bool:
    """Return whether the file system of *path* is mounted read-only; False if that is unknown."""
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except OSError:
        return False  # SQLite reports the error later


def read_only() -> sqlite3.OperationalError:
    """Return the error that SQLite raises for read-only storage.

    SQLite does not raise this error if a file system becomes read-only while the file is open: Linux accepts the writes
    into memory, reports that the sync succeeded, and drops the data.
    """
    error = sqlite3.OperationalError("the file system is read-only")
    error.sqlite_errorcode = sqlite3.SQLITE_READONLY
    return error


def warning(what: Said) -> Said:
    """Return *what*, a sentence about a problem of the storage, with a sentence of advice after it."""
    return joined(what, said("Download the log before you switch anything off."))


def may_pass(error: sqlite3.Error | OSError) -> bool:
    """Return True if *error* is about the storage, and may therefore pass, and not about the contents of the file."""
    return _code(error) in _MAY_PASS


def is_held(error: sqlite3.Error) -> bool:
    """Return whether *error* means that another program has locked the file."""
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether *error* means that the file itself is damaged."""
    return _code(error) in _DAMAGE


def _code(error: sqlite3.Error | OSError) -> int:
    if isinstance(error, OSError):
        return _ERRNO.get(error.errno or 0, sqlite3.SQLITE_IOERR)
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & 0xFF

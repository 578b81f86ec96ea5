"""A ledger's file opened in the newest shape: brought to it where it can be written, else a copy in memory that is."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from companion.ledger.older_copy import keep_older
from companion.ledger.schema import MIGRATIONS, known_version, migrate
from companion.ledger.soundness import check, check_header
from companion.ledger.storage import Connect, connect_to_read, connect_to_what_is_left, in_memory, in_words, may_pass


def opened(path: Path, connect: Connect) -> tuple[sqlite3.Connection, str]:
    """Return a connection to *path* and what is wrong with its storage, empty when nothing is."""
    try:
        with kept_open(connect(path)) as connection:
            check_header(connection)
            bring_up(connection, path)
            check(connection)
        return connection, ""
    except (sqlite3.OperationalError, OSError) as error:
        if not may_pass(error):
            raise
        return _in_newest_shape(connect_to_what_is_left(path)), in_words(error)


def opened_to_read(path: Path) -> sqlite3.Connection:
    """Return a connection to *path* that never writes to it."""
    return _in_newest_shape(connect_to_read(path))


def bring_up(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the ledger at *path* to the newest shape, a copy kept of what it was; `OSError` where there is no room."""
    version = known_version(connection)
    if 0 < version < len(MIGRATIONS):
        keep_older(connection, path.resolve(), len(MIGRATIONS))
    migrate(connection)


@contextlib.contextmanager
def kept_open(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Leave *connection* open unless what is done inside fails."""
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def _in_newest_shape(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Return *connection*, or a copy in memory where the file has an older shape."""
    with kept_open(connection):
        check_header(connection)
        if known_version(connection) == len(MIGRATIONS):
            return connection
    with closing(connection), kept_open(in_memory()) as copy:
        connection.backup(copy)
        migrate(copy)
        return copy

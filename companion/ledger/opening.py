"""Open the file of a ledger for writing or for reading."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from companion.kernel.said import Said
from companion.ledger.read_connection import connect_to_read
from companion.ledger.schema import lay_out
from companion.ledger.soundness import check_holds_ledger, check_listed, check_ours, mend
from companion.ledger.storage import Connect, in_memory, in_words, may_pass


class Opened(NamedTuple):
    """A connection to a ledger, the problem with its storage (if any), and messages about parts that were recreated."""

    connection: sqlite3.Connection
    trouble: str
    mended: tuple[Said, ...] = ()


PAGES_AT_ONCE = 4096
"""The number of pages that `copy_as_it_is` copies between two calls of its callback."""


def opened(path: Path, connect: Connect) -> Opened:
    """Open the ledger at *path* for writing. If its storage accepts no writes, open it for reading."""
    try:
        with closed_on_error(connect(path)) as connection:
            lay_out_or_check(connection)
            mended = mend(connection)
            check_listed(connection)
        return Opened(connection, "", mended)
    except (sqlite3.OperationalError, OSError) as error:
        if not may_pass(error):
            raise
        return Opened(_what_is_left(path), in_words(error))


def opened_to_read(path: Path) -> sqlite3.Connection:
    """Return a connection to the ledger or backup at *path* that never writes to it, or raise `LedgerFault`."""
    connection = connect_to_read(path)
    with closed_on_error(connection):
        check_holds_ledger(check_ours(connection))
        return connection


def copy_as_it_is(source: Path, target: Path, copied: Callable[[int, int], None] | None = None) -> None:
    """Copy the ledger or backup at *source* to *target*, or raise `LedgerFault`.

    SQLite's backup copies a consistent snapshot even while the ledger is being written. *copied* is called with the
    number of pages done and the number of all pages. Without *copied*, all pages are copied at once.
    """
    with closing(connect_to_read(source)) as origin:
        check_holds_ledger(check_ours(origin))
        with closing(sqlite3.connect(target)) as copy:
            if copied is None:
                origin.backup(copy)
            else:
                origin.backup(copy, pages=PAGES_AT_ONCE, progress=lambda _, left, of: copied(of - left, of))


def _what_is_left(path: Path) -> sqlite3.Connection:
    """Return a read-only connection to *path*, or to an empty ledger in memory if nothing can be read."""
    try:
        connection: sqlite3.Connection = connect_to_read(path)
    except sqlite3.OperationalError:
        connection = in_memory()
    with closed_on_error(connection):
        if check_ours(connection):
            return connection
    connection.close()
    connection = in_memory()
    lay_out(connection)
    return connection


def lay_out_or_check(connection: sqlite3.Connection) -> None:
    """Turn an empty database into a ledger, or raise `LedgerFault` if the database is not ours."""
    check_ours(connection)
    lay_out(connection)


@contextlib.contextmanager
def closed_on_error(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Close *connection* only if the block raises an exception."""
    try:
        yield connection
    except BaseException:
        connection.close()
        raise

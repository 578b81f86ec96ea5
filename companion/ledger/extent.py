"""Count the rows and games of a file that may be a ledger, before it is imported, restored or replaced."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from companion.kernel.values import dataclass
from companion.ledger.errors import LedgerDamaged, LedgerFault, reason
from companion.ledger.read_connection import LARGEST_VALUE, connect_to_read
from companion.ledger.soundness import check_holds_ledger, check_ours, check_values

_VALUES = "max(length(body)), max(length(word)), max(length(who)), max(length(via)), max(length(boot))"
_TOO_LARGE = f"It holds a value of more than {LARGEST_VALUE >> 20} MB, which the companion never writes."


@dataclass(frozen=True)
class Extent:
    """The schema version of a ledger, the number of its rows and games, and the wall clock time of its newest row."""

    version: int
    rows: int
    games: int
    newest_ms: int
    last: int
    """The number of the ledger's newest row. It is larger in the newer of two copies, even if a clock was wrong."""


def extent(path: Path) -> Extent:
    """Return the extent of the ledger at *path*, which may have any schema version, or raise `LedgerFault`."""
    try:
        with closing(connect_to_read(path)) as connection:
            return _extent(connection)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise LedgerFault(f"{path} can't be read as a ledger: {reason(error)}.") from error


def newest_row(path: Path) -> tuple[int, object]:
    """Return the number and checksum of the newest row at *path*, or 0 and None if there are no rows.

    Works for every schema version. Raises `LedgerFault`.
    """
    try:
        with closing(connect_to_read(path)) as connection:
            found = connection.execute("SELECT * FROM row ORDER BY id DESC LIMIT 1")
            row = dict(zip([column[0] for column in found.description], found.fetchone() or (), strict=False))
            number = row.get("id", 0)
            return (number if isinstance(number, int) else 0), row.get("digest")
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise LedgerFault(f"{path} can't be read as a ledger: {reason(error)}.") from error


def foreign_extent(path: Path) -> Extent:
    """Return the extent of a ledger or backup that may come from somebody else.

    Raises `LedgerFault` if the file at *path* has any part in its schema that a companion does not create, or values
    with which the companion could not continue. The rows are not checked here; `verify` checks them.
    """
    try:
        with closing(connect_to_read(path)) as connection:
            check_holds_ledger(check_ours(connection))
            check_values(connection)
            _check_sizes(connection)
            return _extent(connection)
    except sqlite3.DataError as error:  # SQLite raises this for a value beyond the limit of the connection
        raise LedgerFault(_named(path, LedgerFault(_TOO_LARGE))) from error
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise LedgerFault(f"{path} can't be read as a ledger: {reason(error)}.") from error
    except LedgerFault as fault:
        raise type(fault)(_named(path, fault)) from fault


def _named(path: Path, fault: LedgerFault) -> str:
    """Return the error as one sentence that names the file."""
    why = str(fault)
    return why if str(path) in why else f"{path} can't be taken over: {why[:1].lower()}{why[1:]}"


def _check_sizes(connection: sqlite3.Connection) -> None:
    connection.execute(f"SELECT {_VALUES} FROM row").fetchone()  # noqa: S608 - columns of ours
    for query in ("SELECT max(length(value)) FROM meta", "SELECT max(length(text)) FROM name"):
        if (connection.execute(query).fetchone()[0] or 0) > LARGEST_VALUE:
            raise LedgerDamaged(_TOO_LARGE)


def _extent(connection: sqlite3.Connection) -> Extent:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    rows, newest, last = connection.execute("SELECT count(*), max(wall_ms), max(id) FROM row").fetchone()
    (games,) = connection.execute("SELECT count(*) FROM row WHERE kind = 'game'").fetchone()
    return Extent(version, rows, games, newest if isinstance(newest, int) else 0, last or 0)

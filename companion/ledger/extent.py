"""How much a ledger holds, by what ledgers of every version have: for whoever cannot open it as today's."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from companion.kernel.values import dataclass
from companion.ledger.errors import LedgerFault
from companion.ledger.storage import connect_to_read


@dataclass(frozen=True)
class Extent:
    """The version of a ledger's shape, how many rows and games it holds, and when its newest row was written."""

    version: int
    rows: int
    games: int
    newest_ms: int


def extent(path: Path) -> Extent:
    """Return how much the ledger at *path* holds, of whatever version it is, or raise `LedgerFault`."""
    try:
        with contextlib.closing(connect_to_read(path)) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            rows, newest = connection.execute("SELECT count(*), max(wall_ms) FROM row").fetchone()
            (games,) = connection.execute("SELECT count(*) FROM row WHERE kind = 'game'").fetchone()
    except sqlite3.Error as error:
        raise LedgerFault(f"{path} can't be read as a ledger: {error}.") from error
    return Extent(version, rows, games, newest or 0)

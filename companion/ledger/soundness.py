"""Whether a ledger's file is in order as far as a glance tells: its header, tables and indexes, its list of games."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache

from companion.ledger.errors import LedgerDamaged
from companion.ledger.schema import MIGRATIONS, OURS, migrate

Shape = frozenset[tuple[str, str]]

NEXT_VERSIONS = 16
"""So far ahead may a program be that wrote a ledger: a number beyond is damage, not the future."""
_SHAPE = "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL"
# A header that its index has and the list of games has not: the list is made by another index.
_UNLISTED = """WITH RECURSIVE found(game) AS (
    SELECT min(game) FROM row UNION ALL
    SELECT (SELECT min(game) FROM row WHERE game > found.game) FROM found WHERE game IS NOT NULL
) SELECT id FROM row INDEXED BY row_first
WHERE kind = 'game' AND id NOT IN (SELECT game FROM found WHERE game IS NOT NULL)"""
_TAKEN_BY_ITS_NUMBER = "SELECT id FROM row NOT INDEXED WHERE id = ? AND game = id AND kind = 'game'"


def check(connection: sqlite3.Connection) -> None:
    """Raise `LedgerDamaged` where a table or an index is missing, or games are there that no list would show."""
    missing = sorted(name for name, _ in shape() - _shape_of(connection))
    if missing:
        raise LedgerDamaged(f"This ledger is damaged: its {missing[0]} is wrong or missing.")
    for (number,) in connection.execute(_UNLISTED).fetchall():
        if connection.execute(_TAKEN_BY_ITS_NUMBER, (number,)).fetchone():
            raise LedgerDamaged(f"This ledger is damaged: its index doesn't show game {number}.")


def check_header(connection: sqlite3.Connection) -> None:
    """Raise `LedgerDamaged` where the file has our newest shape, but says that it is another's or of another time."""
    marks = [int(connection.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("application_id", "user_version")]
    fits = marks[0] == OURS and marks[1] <= len(MIGRATIONS) + NEXT_VERSIONS
    if not fits and shape() <= _shape_of(connection):
        raise LedgerDamaged("This ledger is damaged: its header doesn't match.")


@cache
def shape() -> Shape:
    """Return name and text of every table and index that a ledger has today."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        migrate(empty)
        return _shape_of(empty)


def _shape_of(connection: sqlite3.Connection) -> Shape:
    return frozenset(connection.execute(_SHAPE))

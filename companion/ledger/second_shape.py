"""The second shape of the ledger's file: identities, names in a table of their own, and a checksum for each row.

What a ledger of the first shape gets follows from what is in it: two copies of one ledger, each brought up by itself,
are known by the same identities and hold the same checksums.
"""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from secrets import token_hex
from typing import Any

from companion.kernel.errors import Malformed
from companion.ledger.chain import digest_of
from companion.ledger.names import HOUSE, Names
from companion.ledger.row import COLUMNS, row_of
from companion.ledger.scan import Unread, rows_in

_TABLES = (
    "DROP TRIGGER IF EXISTS row_stays",
    "ALTER TABLE row ADD COLUMN digest BLOB",
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE name (game INTEGER, place INTEGER, text TEXT, PRIMARY KEY (game, place)) WITHOUT ROWID",
)
_STAYS = "CREATE TRIGGER row_stays BEFORE UPDATE ON row BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
_CHANGE = "UPDATE row SET who = ?, body = ?, digest = ? WHERE id = ?"
_DIGEST = "UPDATE row SET digest = ? WHERE id = ?"
_LEDGER, _GAME = b"identity: ledger", b"identity: a game"


def bring(connection: sqlite3.Connection) -> None:
    """Bring a file of the first shape to the second, inside the transaction that is open."""
    for statement in _TABLES:
        connection.execute(statement)
    identity, heads, names = "", dict[object, bytes](), Names(connection)
    for fields in rows_in(connection, COLUMNS):
        if isinstance(fields, Unread):
            continue  # it stays where it is, and is told of whenever somebody asks for it
        identity = identity or digest_of(_LEDGER, fields).hex()
        stored = _referring(connection, fields, names)
        digest = heads[stored[1]] = digest_of(heads.get(stored[1]), stored)
        if stored is fields:
            connection.execute(_DIGEST, (digest, fields[0]))
        else:
            connection.execute(_CHANGE, (stored[4], stored[9], digest, fields[0]))
    connection.execute("INSERT INTO meta VALUES ('ledger', ?)", (identity or token_hex(16),))
    connection.execute(_STAYS)


def _referring(connection: sqlite3.Connection, fields: tuple[Any, ...], names: Names) -> tuple[Any, ...]:
    """Return the columns of a row with references for names; those of a damaged row as they are."""
    header = fields[2] == "game"
    if fields[4] in HOUSE and not header:
        return fields
    try:
        row, new = names.referring(row_of(fields))
    except Malformed:
        return fields
    connection.executemany("INSERT INTO name VALUES (?, ?, ?)", new)
    if header:
        row = replace(row, body={"id": digest_of(_GAME, fields).hex(), **row.body})
    # A body that is no header's stays as it was written, letter by letter.
    body = row.fields()[9] if header else fields[9]
    return (*fields[:4], row.who, *fields[5:9], body, *fields[10:])

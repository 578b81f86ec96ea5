"""The second shape of the ledger's file: identities, names in a table of their own, and a checksum for each row.

What a ledger of the first shape gets follows from what is in it: two copies of one ledger, each brought up by itself,
are known by the same identities and hold the same checksums.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from secrets import token_hex
from typing import Any

from companion.kernel.errors import Malformed
from companion.ledger.digests import digest_of
from companion.ledger.names import HOUSE, Names
from companion.ledger.row import COLUMNS, row_of
from companion.ledger.scan import Unread, rows_in

LEFT = "row_of_before"
"""Where rows of the first shape stay that cannot be read, or not be put in."""
LEFT_BEHIND = (
    # By its new way SQLite would look through the table, and fall over what is damaged there.
    "PRAGMA legacy_alter_table = 1",
    f"ALTER TABLE row RENAME TO {LEFT}",
    "PRAGMA legacy_alter_table = 0",
)
_TABLES = (
    "ALTER TABLE row ADD COLUMN digest BLOB",
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE name (game INTEGER, place INTEGER, text TEXT, digest BLOB, PRIMARY KEY (game, place)) WITHOUT ROWID",
    "PRAGMA ignore_check_constraints = 1",  # a damaged body is no JSON, and comes along all the same
)
_INSERT = f"INSERT INTO row ({COLUMNS}, digest) VALUES ({', '.join('?' * 16)})"  # noqa: S608 - the columns are ours
_AS_IT_IS = f"INSERT INTO row ({COLUMNS}, digest) SELECT {COLUMNS}, ? FROM {LEFT} WHERE id = ?"  # noqa: S608
_ONE = f"SELECT {COLUMNS} FROM {LEFT} WHERE id = ?"  # noqa: S608 - both are ours
_LEDGER, _GAME = b"identity: ledger", b"identity: a game"


def prepare(connection: sqlite3.Connection) -> Callable[[sqlite3.Connection], None]:
    """Return what brings a file of the first shape to the second, inside the transaction that will be open.

    Rows that cannot be read are looked for now: inside a transaction the first of them would end it.
    """
    there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'row'").fetchone()
    found = [] if there is None else list(map(_number, rows_in(connection, COLUMNS)))
    return partial(_bring, found if None in found else None)


def _number(found: tuple[Any, ...] | Unread) -> int | None:
    return None if isinstance(found, Unread) else found[0]


def _bring(readable: list[int | None] | None, connection: sqlite3.Connection) -> None:
    """Put all rows, or the *readable* ones, into a fresh table: nothing can be changed beside a page that is lost.

    Where some cannot be read, or not be put in, the old table is left in the file for whoever can make more of it.
    """
    _lay_aside(connection)
    identity, heads, names = "", dict[object, bytes](), Names(connection)
    whole = readable is None
    for fields in _rows(connection, readable):
        identity = identity or digest_of(_LEDGER, fields).hex()
        stored = _referring(connection, fields, names)
        digest = digest_of(heads.get(stored[1]), stored)
        if _put(connection, fields, stored, digest):
            heads[stored[1]] = digest
        else:
            whole = False
    connection.execute("INSERT INTO meta VALUES ('ledger', ?)", (identity or token_hex(16),))
    connection.execute("PRAGMA ignore_check_constraints = 0")
    if whole:
        connection.execute(f"DROP TABLE {LEFT}")


def _rows(connection: sqlite3.Connection, readable: list[int | None] | None) -> Iterator[tuple[Any, ...]]:
    if readable is None:
        yield from (found for found in rows_in(connection, COLUMNS, LEFT) if not isinstance(found, Unread))
        return
    for number in readable:
        if number is not None:
            # By its number alone: a query that goes on from row to row would come to the page that is lost.
            yield connection.execute(_ONE, (number,)).fetchone()


def _put(connection: sqlite3.Connection, fields: tuple[Any, ...], stored: tuple[Any, ...], digest: bytes) -> bool:
    """Put a row in; False where no table takes it: a column is empty that must not be, or an event is there twice."""
    try:
        if stored is fields:
            connection.execute(_AS_IT_IS, (digest, fields[0]))
        else:
            connection.execute(_INSERT, (*stored, digest))
    except sqlite3.IntegrityError:
        return False
    return True


def _lay_aside(connection: sqlite3.Connection) -> None:
    """Give the table of rows another name, and make one like it that is empty, with what the new shape adds."""
    parts = "SELECT type, name, sql FROM sqlite_master WHERE tbl_name = 'row' AND sql IS NOT NULL"
    made = sorted(connection.execute(parts).fetchall(), key=lambda part: part[0] != "table")
    for statement in LEFT_BEHIND:
        connection.execute(statement)
    for kind, name, _ in made[1:]:
        connection.execute(f"DROP {kind} {name}")
    for statement in (*(sql for _, _, sql in made), *_TABLES):
        connection.execute(statement)


def _referring(connection: sqlite3.Connection, fields: tuple[Any, ...], names: Names) -> tuple[Any, ...]:
    """Return the columns of a row with references for names; those of a damaged row as they are."""
    header = fields[2] == "game"
    if fields[4] in HOUSE and not header:
        return fields
    try:
        row, new = names.referring(row_of(fields))
    except Malformed:
        return fields
    connection.executemany("INSERT INTO name VALUES (?, ?, ?, ?)", new)
    if header:
        row = replace(row, body={"id": digest_of(_GAME, fields).hex(), **row.body})
    # A body that is no header's stays as it was written, letter by letter.
    body = row.fields()[9] if header else fields[9]
    return (*fields[:4], row.who, *fields[5:9], body, *fields[10:])

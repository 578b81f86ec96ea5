"""The schema of the ledger's file: its tables, indexes and triggers, and the header fields that identify it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from secrets import token_hex

from companion.ledger.errors import LedgerFault, LedgerTooNew
from companion.ledger.storage import transaction

OURS = 0x52C0_1999
"""The value of `PRAGMA application_id`, which marks a database as a ledger of the companion."""
VERSION = 2
"""The value of `PRAGMA user_version`: the version of the schema. No released program wrote version 1."""
_ROW_TABLE = """
CREATE TABLE row (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game INTEGER, kind TEXT NOT NULL, word TEXT NOT NULL, who TEXT NOT NULL, via TEXT NOT NULL,
    at_ms INTEGER NOT NULL, step_ms INTEGER NOT NULL, wall_ms INTEGER NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    ring INTEGER, undoes INTEGER, device TEXT, boot TEXT, seq INTEGER
);
CREATE INDEX row_by_game ON row (game, id, kind, undoes);
CREATE INDEX row_first ON row (id) WHERE kind = 'game';
CREATE INDEX row_moment ON row (game, id) WHERE kind = 'moment' AND word <> 'beat';
CREATE INDEX row_undone ON row (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX row_live ON row (id) WHERE word IN ('opened', 'switched');
CREATE UNIQUE INDEX row_heard_once ON row (device, boot, seq) WHERE kind = 'ring';
"""
APPEND_ONLY_TRIGGERS = """\
CREATE TRIGGER row_stays BEFORE UPDATE ON row BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER row_remains BEFORE DELETE ON row BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
"""
"""With these, SQLite refuses every change and every removal of a row."""
_OTHER_TABLES = """\
CREATE TABLE probe (id INTEGER PRIMARY KEY CHECK (id = 1), mark INTEGER NOT NULL);
INSERT INTO probe VALUES (1, 0);
ALTER TABLE row ADD COLUMN digest BLOB;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE name (game INTEGER, place INTEGER, text TEXT, digest BLOB, PRIMARY KEY (game, place)) WITHOUT ROWID;
"""
# The column is added by ALTER TABLE, because SQLite stores the SQL text of a schema, and it must be the same in all
# ledgers.
_SCHEMA = _ROW_TABLE + APPEND_ONLY_TRIGGERS + _OTHER_TABLES
NEW_PROBE = "INSERT OR IGNORE INTO probe VALUES (1, 0)"


def lay_out(connection: sqlite3.Connection) -> None:
    """Create the schema in an empty database, in one transaction. An existing ledger is left unchanged.

    Raises `LedgerFault` if the database belongs to another program.
    """
    if known_version(connection) == VERSION:
        return
    with transaction(connection):
        for statement in _statements(_SCHEMA):
            connection.execute(statement)
        connection.execute("INSERT INTO meta VALUES ('ledger', ?)", (token_hex(16),))
        connection.execute(f"PRAGMA application_id = {OURS}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of *script*.

    A trigger is one statement. (`executescript` would commit the open transaction.)
    """
    statement = ""
    for piece in script.split(";")[:-1]:
        statement += f"{piece};"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def known_version(connection: sqlite3.Connection) -> int:
    """Return the version of the file's schema (0 if it is empty). Raises `LedgerFault` for an unknown version."""
    owner = _pragma(connection, "application_id")
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if owner != OURS and (owner or tables):
        raise LedgerFault("This file is a database, but not a ledger of the companion.")
    version = _pragma(connection, "user_version")
    if version > VERSION:
        raise LedgerTooNew(
            f"A newer program wrote this ledger (version {version}, this one knows up to {VERSION}). "
            "Update the companion; nothing changed."
        )
    if 0 < version < VERSION:
        raise LedgerFault(
            f"This ledger has version {version}, from before the first release. This program reads version {VERSION}."
        )
    return version


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])

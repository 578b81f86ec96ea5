"""The shape of the ledger's file, and how an older shape becomes the newest one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from functools import partial

from companion.ledger import second_shape
from companion.ledger.errors import LedgerFault, LedgerTooNew
from companion.ledger.storage import transaction

OURS = 0x52C0_1999
"""`PRAGMA application_id`: says that a database is a ledger and not somebody's address book."""

_FIRST = """
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
CREATE TRIGGER row_stays BEFORE UPDATE ON row BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER row_remains BEFORE DELETE ON row BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TABLE probe (id INTEGER PRIMARY KEY CHECK (id = 1), mark INTEGER NOT NULL);
INSERT INTO probe VALUES (1, 0);
"""
NEW_PROBE = "INSERT OR IGNORE INTO probe VALUES (1, 0)"

Deed = Callable[[sqlite3.Connection], None]
Step = str | Callable[[sqlite3.Connection], Deed]
MIGRATIONS: tuple[Step, ...] = (_FIRST, second_shape.prepare)
"""Each brings a ledger from the version of its index to the next; published ones never change.

One that is no SQL looks at the ledger before the transaction, and returns what is to be done in it.
"""
CHECKED = 2
"""The first version whose rows have checksums."""


def migrate(connection: sqlite3.Connection, migrations: tuple[Step, ...] = MIGRATIONS) -> None:
    """Bring the file to the newest shape in one transaction, or raise `LedgerFault` and leave it as it was."""
    version = known_version(connection, len(migrations))
    if version == len(migrations):
        return
    deeds = [_deed(connection, step) for step in migrations[version:]]
    with transaction(connection):
        for deed in deeds:
            deed(connection)
        connection.execute(f"PRAGMA application_id = {OURS}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")


def _deed(connection: sqlite3.Connection, step: Step) -> Deed:
    return partial(_execute, step) if isinstance(step, str) else step(connection)


def _execute(script: str, connection: sqlite3.Connection) -> None:
    for statement in _statements(script):
        connection.execute(statement)


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of *script*, a trigger whole; `executescript` would commit what is open."""
    statement = ""
    for piece in script.split(";")[:-1]:
        statement += f"{piece};"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def known_version(connection: sqlite3.Connection, newest: int = len(MIGRATIONS)) -> int:
    """Return the version of the file's shape, or raise `LedgerFault` when it is not ours or too new."""
    owner = _pragma(connection, "application_id")
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if owner != OURS and (owner or tables):
        raise LedgerFault("This file is a database, but not a ledger of the companion.")
    version = _pragma(connection, "user_version")
    if version > newest:
        raise LedgerTooNew(
            f"A newer program wrote this ledger (version {version}, this one knows up to {newest}). "
            "Update the companion; nothing changed."
        )
    return version


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])

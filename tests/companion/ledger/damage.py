"""Damage to a ledger's rows with valid checksums, which only reading their content can detect."""

from __future__ import annotations

import sqlite3
from functools import partial
from pathlib import Path

from companion.ledger.row import COLUMNS, digest_of
from companion.ledger.writer import newest_path

_text = partial(bytes.decode, errors="surrogateescape")


def rechained(connection: sqlite3.Connection) -> None:
    """Give every row a checksum of its present content, and delete the file with the newest checksum."""
    (_, _, path) = connection.execute("PRAGMA database_list").fetchone()
    newest_path(Path(path)).unlink(missing_ok=True)
    kept, connection.text_factory = connection.text_factory, _text
    rows = connection.execute(f"SELECT {COLUMNS}, digest FROM row ORDER BY id").fetchall()  # noqa: S608
    connection.text_factory = kept
    connection.execute("DROP TRIGGER IF EXISTS row_stays")
    heads: dict[object, bytes] = {}
    for *fields, there in rows:
        digest = heads[fields[1]] = digest_of(heads.get(fields[1]), tuple(fields))
        if digest != there:
            connection.execute("UPDATE row SET digest = ? WHERE id = ?", (digest, fields[0]))

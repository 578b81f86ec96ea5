"""Write rows to the ledger's file, with their names and chained checksums. No other code writes rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from secrets import token_hex
from typing import Any

from companion.kernel.shown import shows
from companion.ledger.digests import digest_of
from companion.ledger.names import Name, Names
from companion.ledger.newest import NewestFile
from companion.ledger.queries import Queries, StoredDigest
from companion.ledger.row import COLUMNS, Row
from companion.ledger.storage import (
    transaction,
)

_INSERT = f"INSERT INTO row ({COLUMNS}, digest) VALUES ({', '.join('?' * 16)})"  # noqa: S608 - the columns are ours
_HEAD = "SELECT digest FROM row WHERE game IS ? ORDER BY id DESC LIMIT 1"


@shows("_newest")
class RowWriter:
    """Write rows through one connection. The newest checksum of each chain is cached."""

    def __init__(self, connection: sqlite3.Connection, newest: NewestFile) -> None:
        self._connection = connection
        self._newest = newest
        self._ledger = Queries(connection).identity
        self._forget()

    def write(self, rows: Sequence[Row], merged: str = "") -> StoredDigest:
        """Write *rows* in one transaction and return the number and the checksum of the newest row.

        When this returns, the rows are on the disk. If *merged* is given, it replaces the recorded spans of merged rows
        in the same transaction.
        """
        names: list[Name] = []
        try:
            with transaction(self._connection) as ask:
                fields = [self._stored(row, names) for row in rows]
                ask.executemany(_INSERT, fields)
                if names:
                    ask.executemany("INSERT INTO name VALUES (?, ?, ?, ?)", names)
                if merged:
                    ask.execute("INSERT OR REPLACE INTO meta VALUES ('merged', ?)", (merged,))
        except BaseException:
            self._forget()
            raise
        number, game, digest = fields[-1][0], fields[-1][1], fields[-1][-1]
        self._newest.set(self._ledger, number, game, digest)
        return number, digest

    def _stored(self, row: Row, names: list[Name]) -> tuple[Any, ...]:
        """Append the new names of *row* to *names*, and return the columns that the file stores for *row*."""
        row, new = self._names.referring(row)
        names += new
        if row.kind == "game":
            row = replace(row, body={"id": token_hex(16), **row.body})
        fields = row.fields()
        digest = self._heads[row.game] = digest_of(self._head(row.game), fields)
        return (*fields, digest)

    def _head(self, game: int | None) -> object:
        if game not in self._heads:
            found = self._connection.execute(_HEAD, (game,)).fetchone()
            self._heads[game] = None if found is None else found[0]
        return self._heads[game]

    def _forget(self) -> None:
        self._heads: dict[int | None, object] = {}
        self._names = Names(self._connection)

"""Rows as the file stores them, byte for byte with their checksums, so that another computer can store exact copies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.shown import shows
from companion.ledger.names import OUTSIDE, places_in
from companion.ledger.opening import opened_to_read
from companion.ledger.queries import Queries
from companion.ledger.renaming import META_NAME
from companion.ledger.row import COLUMNS, RowKind, row_of

Fields = tuple[Any, ...]
"""The columns of a row in their order, and its checksum. In a damaged file any of them may have any type."""
StoredName = tuple[int, int, str | None, bytes | None]
"""Game, place, text and checksum of a name; the last two are None if it was removed."""
_ROWS = f"SELECT {COLUMNS}, digest FROM row NOT INDEXED WHERE id > ? ORDER BY id LIMIT ?"  # noqa: S608 - ours
_NAME = "SELECT game, place, text, digest FROM name WHERE game = ? AND place = ?"
_CHANGED = """SELECT name.game, place, name.text, name.digest FROM name
    LEFT JOIN row ON row.id = name.game AND row.kind = 'game'
    WHERE (name.game, place) > (?, ?) AND (name.text IS NULL OR EXISTS (
        SELECT 1 FROM json_each(?) AS given
        WHERE json_extract(given.value, '$[1]') = place
        AND json_extract(given.value, '$[0]') = coalesce(
            iif(json_valid(row.body), json_extract(row.body, '$.id'), NULL), 'game ' || name.game)
    )) ORDER BY name.game, place LIMIT ?"""


@dataclass(frozen=True)
class End:
    """The number and checksum of the newest row of a ledger. The number is 0 if there are no rows."""

    number: int
    digest: object


@shows("identity")
class StoredRows:
    """The rows of the ledger at a path, read through a connection of its own while another thread writes."""

    def __init__(self, path: Path) -> None:
        """Open the file for reading, or raise `LedgerFault`."""
        self._connection = opened_to_read(path)
        self.identity = Queries(self._connection).identity

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def end(self) -> End:
        """Return the newest row on the disk."""
        return End(*(Queries(self._connection).newest_digest() or (0, None)))

    def digest(self, number: int) -> object:
        """Return the checksum of row *number*, or None if there is no such row."""
        return (Queries(self._connection).stored_digest(number) or (0, None))[1]

    def after(self, number: int, most: int) -> list[Fields]:
        """Return at most *most* rows with numbers above *number*, in their order."""
        return self._connection.execute(_ROWS, (number, most)).fetchall()

    def names_of(self, fields: Fields) -> Iterator[StoredName]:
        """Yield the names that a row refers to; none if the row is damaged."""
        if fields[2] != RowKind.GAME and not str(fields[4]).startswith("#"):
            return
        try:
            row = row_of(fields[:-1])
        except Malformed:
            return
        for place in places_in(row):
            yield from self._connection.execute(_NAME, (row.game or OUTSIDE, place))

    def renamings(self) -> str:
        """Return the recorded changes of names as the file stores them, or "" if there are none."""
        found = self._connection.execute("SELECT value FROM meta WHERE name = ?", (META_NAME,)).fetchone()
        return found[0] if found is not None and isinstance(found[0], str) else ""

    def changed_names(self, after: tuple[int, int], most: int) -> list[StoredName]:
        """Return up to *most* changed or removed names, in order, that come after the game and index in *after*."""
        given = Queries(self._connection).renamings.line()["given"]
        return self._connection.execute(_CHANGED, (*after, json.dumps(given), most)).fetchall()

"""Write rows to the ledger's file, with their names and chained checksums. No other code writes rows.

The `.newest` file next to it contains the checksum of the newest row, so that a loss of the last rows is detected.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from typing import Any

from companion.kernel.private_file import private, write_private
from companion.kernel.shown import shows
from companion.ledger.names import Name, Names
from companion.ledger.queries import Queries, StoredDigest
from companion.ledger.row import COLUMNS, Row, digest_of
from companion.ledger.storage import transaction

SUFFIX = ".newest"
EVERY_S = 0.05


@dataclass(frozen=True)
class Newest:
    """The newest row of a ledger: its number, its game (0 if there is none) and its checksum."""

    ledger: str
    number: int
    game: int
    digest: bytes


class Torn(Exception):
    """The `.newest` file is damaged."""


@shows("_descriptor", "_written")
class NewestFile:
    """The `.newest` file of a ledger, overwritten in place after commits.

    It is synced only when it is created, and during a burst of commits it is not written after each of them, so it
    costs very little. The row in it may be older than the newest row. It is never newer, because the file is written
    after the commit.
    """

    def __init__(self, ledger: Path, now: Callable[[], float] = time.monotonic) -> None:
        self._path = newest_path(ledger)
        self._now = now
        self._descriptor: int | None = None
        self._pending: tuple[str, int, int | None, bytes] | None = None
        self._written = -EVERY_S

    def set(self, ledger: str, number: int, game: int | None, digest: bytes) -> None:
        """Set the newest row. Write it, unless the file was written less than `EVERY_S` seconds ago."""
        self._pending = (ledger, number, game, digest)
        if self._now() - self._written >= EVERY_S:
            self.write()

    def write(self) -> None:
        """Write the newest row if it is not written yet.

        It is written as a line of fixed length with a checksum of its own.
        """
        if self._pending is None:
            return
        ledger, number, game, digest = self._pending
        text = f"{ledger:32} {number:020} {game or 0:020} {digest.hex()}"
        line = f"{text} {_check(text)}\n"
        try:
            if self._descriptor is None:
                if not self._path.exists():
                    # Sync this once, because after a power cut a new file could be empty, which would look like damage.
                    write_private(self._path, line)
                self._descriptor = private(self._path, os.O_RDWR)
            os.pwrite(self._descriptor, line.encode(), 0)
            self._pending, self._written = None, self._now()
        except OSError:
            self._let_go()  # the rows are on the disk; only this file is out of date until the next row

    def close(self) -> None:
        """Write a pending row and close the file."""
        self.write()
        self._let_go()

    def _let_go(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def newest_path(ledger: Path) -> Path:
    """Return the path of the `.newest` file of *ledger*, in the folder of the file that *ledger* resolves to."""
    resolved = Path(os.path.realpath(ledger))
    return resolved.with_name(resolved.name + SUFFIX)


def read_newest(ledger: Path) -> Newest | None:
    """Return the contents of the `.newest` file of *ledger*, or None if there is no such file. Raises `Torn`."""
    try:
        text = newest_path(ledger).read_bytes().partition(b"\n")[0].decode("ascii")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as fault:
        raise Torn(str(fault)) from fault
    body, _, check = text.rpartition(" ")
    if check != _check(body):
        raise Torn("its own checksum doesn't match")
    return Newest(body[:32].strip(), int(body[33:53]), int(body[54:74]), bytes.fromhex(body[75:]))


def _check(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


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

"""The ledger's file: rows go in for good, in the order in which they happened."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.ledger.faults import LedgerFault
from companion.ledger.lock import Ownership
from companion.ledger.row import COLUMNS, Row, row_of
from companion.ledger.schema import known_version, migrate

Connect = Callable[[Path], sqlite3.Connection]

_INSERT = f"INSERT INTO row ({COLUMNS}) VALUES ({', '.join('?' * 15)})"  # noqa: S608 - the columns are ours
_SELECT = f"SELECT {COLUMNS} FROM row"  # noqa: S608


def connect(path: Path) -> sqlite3.Connection:
    """Open *path* for its one writer; every commit is on the disk before it returns."""
    connection = sqlite3.connect(path, timeout=1.0, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open *path* without ever writing to it."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(uri, uri=True, timeout=1.0, isolation_level=None, check_same_thread=False)


class Ledger:
    """An append-only file of rows with one owner.

    Not for several threads at once: the table that owns it holds a lock.
    With storage in trouble rows are kept in memory, numbers running on, until
    `probe` finds that they can be written after all.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, ownership: Ownership | None, connect: Connect
    ) -> None:
        self.path = path
        self.trouble = ""
        self.pending: list[Row] = []
        self._connection = connection
        self._connect = connect
        self._ownership = ownership
        self._last = int(connection.execute("SELECT coalesce(max(id), 0) FROM row").fetchone()[0])

    @classmethod
    def open(cls, path: Path, connect: Connect = connect) -> Ledger:
        """Open or make the ledger at *path* as its owner, or raise `LedgerFault`."""
        ownership = Ownership(path)
        try:
            connection = connect(path)
            migrate(connection)
            return cls(path, connection, ownership, connect)
        except sqlite3.Error as error:
            ownership.release()
            raise LedgerFault(f"{path} cannot be used as a ledger: {error}.") from error
        except LedgerFault:
            ownership.release()
            raise

    @classmethod
    def read_only(cls, path: Path) -> Ledger:
        """Open the ledger at *path* to look into it, beside its owner if need be, or raise `LedgerFault`."""
        try:
            connection = connect_to_read(path)
            known_version(connection)
            return cls(path, connection, None, connect_to_read)
        except sqlite3.Error as error:
            raise LedgerFault(f"{path} cannot be read as a ledger: {error}.") from error

    @property
    def last(self) -> int:
        """The number of the newest row, kept on the disk or not."""
        return self.pending[-1].id if self.pending else self._last

    def close(self) -> None:
        """Close the file and let go of it."""
        self._connection.close()
        if self._ownership is not None:
            self._ownership.release()

    def append(self, rows: Sequence[Row]) -> bool:
        """Add *rows* in one transaction; True when they are on the disk, False when only in memory."""
        if not self.trouble and self._kept(rows):
            return True
        self.pending.extend(rows)
        return False

    def probe(self) -> bool:
        """Write something and read it back; write what waits in memory. True when all is on the disk."""
        if self.pending and not self._kept(self.pending):
            return False
        self.pending = []
        self.trouble = ""
        return True

    def _kept(self, rows: Sequence[Row]) -> bool:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(_INSERT, (row.fields() for row in rows))
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self.trouble = (
                f"The table's memory card takes nothing any more ({error}). The game goes on, but only in memory."
            )
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            return False
        self._last = rows[-1].id
        return True

    def heard(self, device: str, boot: str, seq: int) -> bool:
        """Tell whether this ring event is on the disk."""
        query = "SELECT 1 FROM row WHERE kind = 'ring' AND device = ? AND boot = ? AND seq = ?"
        return self._one(query, device, boot, seq) is not None

    def waits(self, device: str, boot: str, seq: int) -> bool:
        """Tell whether this ring event is in memory only."""
        return any(row.source == (device, boot, seq) for row in self.pending)

    def live_game(self) -> int | None:
        """Return the game that was on the table last."""
        found = self._one("SELECT game FROM row WHERE word IN ('opened', 'switched') ORDER BY id DESC LIMIT 1")
        return None if found is None else int(found[0])

    def row(self, number: int) -> Row | None:
        """Return the row of this number."""
        return next(self._rows("WHERE id = ?", (number,), lambda row: row.id == number), None)

    def rows(self, game: int, before: int | None = None) -> Iterator[Row]:
        """Return the rows of a game, oldest first."""
        end = self.last + 1 if before is None else before
        chosen = "WHERE game = ? AND id < ? ORDER BY id"
        return self._rows(chosen, (game, end), lambda row: row.game == game and row.id < end)

    def lines(self, game: int, before: int | None = None) -> Iterator[Row]:
        """Return the lines of a game, `undo` included, oldest first."""
        return (row for row in self.rows(game, before) if row.kind == "line")

    def told(self, game: int, before: int, most: int) -> tuple[Row, ...]:
        """Return the last *most* lines of a game before row *before*, newest first, without `undo` lines."""
        waiting = [row for row in self.pending if row.game == game and row.kind == "line" and row.undoes is None]
        newest = [row for row in reversed(waiting) if row.id < before][:most]
        query = f"{_SELECT} WHERE game = ? AND kind = 'line' AND id < ? AND undoes IS NULL ORDER BY id DESC LIMIT ?"
        kept = self._connection.execute(query, (game, before, most - len(newest)))
        return (*newest, *map(row_of, kept))

    def undoings(self, lines: Iterable[int]) -> dict[int, Row]:
        """Return the `undo` row of each of these *lines* that was taken back."""
        wanted = set(lines)
        marks = ", ".join("?" * len(wanted))
        rows = self._rows(f"WHERE undoes IN ({marks})", tuple(wanted), lambda row: row.undoes in wanted)
        return {row.undoes: row for row in rows if row.undoes is not None}

    def _rows(self, chosen: str, values: tuple[Any, ...], keep: Callable[[Row], bool]) -> Iterator[Row]:
        yield from map(row_of, self._connection.execute(f"{_SELECT} {chosen}", values))
        yield from filter(keep, tuple(self.pending))

    def _one(self, query: str, *values: object) -> tuple[Any, ...] | None:
        found: tuple[Any, ...] | None = self._connection.execute(query, values).fetchone()
        return found


def wall_ms() -> int:
    """Return the wall clock in milliseconds: for people, never for reckoning."""
    return time.time_ns() // 1_000_000

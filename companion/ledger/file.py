"""The ledger's file: rows go in for good, in the order in which they happened."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.ledger.errors import LedgerFault
from companion.ledger.lock import Ownership
from companion.ledger.queries import Reading
from companion.ledger.row import COLUMNS, Row
from companion.ledger.schema import known_version, migrate
from companion.ledger.storage import (
    ONLY_READ,
    OTHER,
    Connect,
    connect,
    connect_to_read,
    connect_to_what_is_left,
    in_words,
    may_pass,
    warning,
)

_INSERT = f"INSERT INTO row ({COLUMNS}) VALUES ({', '.join('?' * 15)})"  # noqa: S608 - the columns are ours
# More than the 191 that a ring sends ahead: with a dead disk nothing else tells doubles.
REMEMBERED = 1024


class Ledger(Reading):
    """An append-only file of rows with one owner.

    Not for several threads at once: the table that owns it holds a lock.
    With the storage in trouble rows stay in memory, their numbers running on,
    until `probe` finds that they can be written after all.
    """

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        ownership: Ownership | None,
        connect: Connect,
        trouble: str = "",
    ) -> None:
        """Use `open` or `read_only`."""
        super().__init__(connection)
        self.path = path
        self.trouble = trouble
        self._connect = connect
        self._ownership = ownership
        self._heard: dict[tuple[str, str, int], None] = {}
        self._newest = self.newest_kept()
        self._kept_to = 0 if self._newest is None else self._newest[0]

    @classmethod
    def open(cls, path: Path, connect: Connect = connect) -> Ledger:
        """Open or make the ledger at *path* as its owner, or raise `LedgerFault`.

        Where the storage takes nothing, what is there is read and `trouble` says so.
        """
        # Before the file: who comes second must not get as far as a migration.
        ownership = Ownership(path)
        try:
            connection, trouble = _opened(path, connect)
            with _kept_open(connection):
                return cls(path, connection, ownership, connect, trouble)
        except sqlite3.Error as error:
            ownership.release()
            raise LedgerFault(f"{path} cannot be used as a ledger: {error}.") from error
        except LedgerFault as fault:
            ownership.release()
            raise type(fault)(f"{path}: {fault}") from fault

    @classmethod
    def read_only(cls, path: Path) -> Ledger:
        """Open the ledger at *path* to look into it, beside its owner if need be, or raise `LedgerFault`."""
        try:
            with _kept_open(connect_to_read(path)) as connection:
                known_version(connection)
                return cls(path, connection, None, connect_to_read, warning(ONLY_READ))
        except sqlite3.Error as error:
            raise LedgerFault(f"{path} cannot be read as a ledger: {error}.") from error

    @property
    def last(self) -> int:
        """The number of the newest row, kept on the disk or not."""
        return self.pending[-1].id if self.pending else self._kept_to

    def close(self) -> None:
        """Close the file and let go of it."""
        self._connection.close()
        if self._ownership is not None:
            self._ownership.release()

    def append(self, rows: Sequence[Row]) -> bool:
        """Add *rows* in one transaction; True when they are on the disk, False when only in memory."""
        for row in rows:
            if row.source is not None:
                self._heard[row.source] = None
        while len(self._heard) > REMEMBERED:
            del self._heard[next(iter(self._heard))]
        if not self.trouble:
            try:
                self._write(rows)
                return True
            except sqlite3.IntegrityError:
                raise  # a row that says nonsense: our fault, not the storage's
            except sqlite3.Error as error:
                self.trouble = in_words(error)
        self.pending.extend(rows)
        return False

    def probe(self) -> bool:
        """Write something and read it back; first what waits in memory. True when all is on the disk."""
        if self._ownership is None:
            return False
        try:
            self.trouble = self._found_wrong()
        except (sqlite3.Error, LedgerFault, OSError) as error:
            self.trouble = in_words(error)
        return not self.trouble

    def heard(self, source: tuple[str, str, int]) -> bool:
        """Tell whether this event of a ring is known, on the disk or in memory."""
        return source in self._heard or self.has(source)

    def waits(self, source: tuple[str, str, int]) -> bool:
        """Tell whether this event of a ring is in memory only."""
        return bool(self.pending) and source in [row.source for row in self.pending]

    def _write(self, rows: Sequence[Row]) -> None:
        fields = list(map(Row.fields, rows))
        _committed(self._connection, _INSERT, fields)
        self._newest, self._kept_to = fields[-1], rows[-1].id

    def _found_wrong(self) -> str:
        if self.trouble and not self._taken_up_again():
            return warning(OTHER)
        mark = time.time_ns()
        _committed(self._connection, "UPDATE probe SET mark = ?", [(mark,)])
        # Another connection, by name: the open one would not notice that its file was taken away.
        with contextlib.closing(connect_to_read(self.path)) as reader:
            found = reader.execute("SELECT mark FROM probe").fetchone()
        return "" if found == (mark,) else warning(OTHER)

    def _taken_up_again(self) -> bool:
        """Open the file anew and write what waits; False when it is not the ledger that it was."""
        # To open it would make an empty file: a card that was pulled must not come back as a new ledger.
        if self._newest is not None and not self.path.exists():
            return False
        with _kept_open(self._connect(self.path)) as connection:
            there = self._already_there(connection)
        if there is None:
            connection.close()
            return False
        self._connection.close()
        self._connection = connection
        self.pending = self.pending[there:]
        if self.pending:
            self._write(self.pending)
            self.pending = []
        return True

    def _already_there(self, connection: sqlite3.Connection) -> int | None:
        """Return how many waiting rows reached the disk though their commit failed; None on a strange disk."""
        migrate(connection)
        disk = Reading(connection)
        if self._newest is not None and disk.kept(self._newest[0]) != self._newest:
            return None
        return sum(disk.kept(row.id) == row.fields() for row in self.pending)


def _opened(path: Path, connect: Connect) -> tuple[sqlite3.Connection, str]:
    """Return a connection to *path* and what is wrong with its storage, empty when nothing is."""
    try:
        with _kept_open(connect(path)) as connection:
            migrate(connection)
        return connection, ""
    except sqlite3.OperationalError as error:
        if not may_pass(error):
            raise
        with _kept_open(connect_to_what_is_left(path)) as left:
            if known_version(left) == 0:
                migrate(left)
        return left, in_words(error)


@contextlib.contextmanager
def _kept_open(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Leave *connection* open unless what is done inside fails."""
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def _committed(connection: sqlite3.Connection, statement: str, values: Sequence[tuple[Any, ...]]) -> None:
    """Write *statement* with each of *values* and commit, all of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany(statement, values)
        connection.execute("COMMIT")
    except BaseException:
        # A storage that failed may have ended the transaction by itself, or fail again.
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def wall_ms() -> int:
    """Return the wall clock in milliseconds: for people, never for reckoning."""
    return time.time_ns() // 1_000_000

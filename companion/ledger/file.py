"""The ledger's file: rows go in for good, in the order in which they happened."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from companion.kernel.errors import Malformed
from companion.kernel.i18n import Said
from companion.kernel.names import readable
from companion.kernel.shown import shows
from companion.ledger.ending import lost_end
from companion.ledger.errors import LedgerDamaged, LedgerFault, reason
from companion.ledger.lock import LedgerLock
from companion.ledger.newest import NewestFile
from companion.ledger.opening import kept_open, lay_out_or_check, opened, opened_to_read
from companion.ledger.pulse import Pulse, PulseFile, pulse_beside
from companion.ledger.queries import Queries
from companion.ledger.read_connection import connect_to_read, regular
from companion.ledger.renaming import adopt, obey_removals, rename, wanted_by
from companion.ledger.row import Row
from companion.ledger.schema import lay_out
from companion.ledger.storage import (
    ONLY_READ,
    OTHER,
    Connect,
    connect,
    frozen,
    in_memory,
    in_words,
    is_damage,
    is_held,
    may_pass,
    read_only,
    transaction,
    warning,
)
from companion.ledger.writer import RowWriter

# More than the 191 that a ring sends ahead: with a dead disk nothing else tells doubles.
REMEMBERED = 1024
NOBODYS = (0, None)
"""The newest row of a ledger that is none of those on the disk."""


@shows("_heard", "path")
class Ledger(Queries):
    """An append-only file of rows with one owner.

    Not for several threads at once: the table that owns it holds a lock.
    With the storage in trouble rows stay in memory, their numbers running on,
    until `probe` finds that they can be written after all.
    """

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        ownership: LedgerLock | None,
        connect: Connect,
        trouble: str = "",
        frozen: Callable[[Path], bool] = frozen,
    ) -> None:
        """Use `open` or `read_only`."""
        super().__init__(connection)
        self.path = path
        self.trouble = trouble
        self._connect = connect
        self._frozen = frozen
        self._ownership = ownership
        self._heard: dict[tuple[str, str, int], None] = {}
        self._newest = self.newest_kept()
        self._newest_file = NewestFile(path)
        self._pulse_file = PulseFile(path)
        self._writer = RowWriter(connection, self._newest_file)
        self._identity = self.identity
        self.found = () if ownership is None else lost_end(self, self._identity, path)
        self.mended: tuple[Said, ...] = ()
        """What was missing of the file's schema and was made again as it was opened."""

    @classmethod
    def open(cls, path: Path, connect: Connect = connect, frozen: Callable[[Path], bool] = frozen) -> Ledger:
        """Open or make the ledger at *path* as its owner, or raise `LedgerFault`.

        Where the storage takes nothing, what is there is read and `trouble` says so.
        """
        regular(path)
        # Before the file: who comes second must not get as far as a migration.
        ownership = LedgerLock(path)
        try:
            if damage_mark(path).exists():
                raise LedgerDamaged("This ledger was found damaged during use.")
            connection, trouble, mended = opened(path, connect)
            with kept_open(connection):
                # Once more: there may have been no file to be held.
                ownership.hold()
                ledger = cls(path, connection, ownership, connect, trouble, frozen)
                ledger.mended = mended
                return ledger
        except sqlite3.Error as error:
            ownership.release()
            fault = LedgerFault if may_pass(error) or is_held(error) else LedgerDamaged
            raise fault(f"{path} can't be used as a ledger: {reason(error)}.") from error
        except UnicodeDecodeError as error:  # SQLite names what is malformed, in its own bytes
            ownership.release()
            raise LedgerDamaged(f"{path} can't be used as a ledger: its tables have lost their names.") from error
        except LedgerFault as fault:
            ownership.release()
            raise type(fault)(f"{path}: {fault}") from fault

    @classmethod
    def in_memory(cls, path: Path, why: Exception, connect: Connect = connect) -> Ledger:
        """Own the place at *path*, where nothing can be read or written because of *why*, and keep rows in memory."""
        ownership = LedgerLock(path)
        connection = in_memory()
        lay_out(connection)
        ledger = cls(path, connection, ownership, connect, in_words(why))
        ledger._newest = NOBODYS  # what lies there is not to be gone on with
        return ledger

    @classmethod
    def read_only(cls, path: Path) -> Ledger:
        """Open the ledger at *path* to look into it, beside its owner if need be, or raise `LedgerFault`."""
        try:
            with kept_open(opened_to_read(path)) as connection:
                return cls(path, connection, None, connect_to_read, warning(ONLY_READ))
        except sqlite3.Error as error:
            raise LedgerFault(f"{path} can't be read as a ledger: {reason(error)}.") from error
        except UnicodeDecodeError as error:
            raise LedgerFault(f"{path} can't be read as a ledger: its tables have lost their names.") from error
        except LedgerFault as fault:
            raise type(fault)(str(fault) if str(path) in str(fault) else f"{path}: {fault}") from fault

    @property
    def last(self) -> int:
        """The number of the newest row, kept on the disk or not."""
        if self.pending:
            return self.pending[-1].id
        return 0 if self._newest is None else self._newest[0]

    def close(self) -> None:
        """Close the file and let go of it."""
        self._connection.close()
        self._newest_file.close()
        self._pulse_file.close()
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
                if is_damage(error):
                    self._found_damaged()
        self.pending.extend(rows)
        return False

    def lay_in(self, rows: Sequence[Row]) -> None:
        """Add *rows* of another ledger in one transaction, or raise `LedgerFault` where they cannot be kept.

        They were not done at this table: none of them changes which game lies on it.
        """
        first, last = rows[0].id, rows[-1].id
        before = self.merged
        if before and before[-1][1] == first - 1:
            first, before = before[-1][0], before[:-1]
        try:
            if self.trouble or self._frozen(self.path):
                raise read_only()
            self._newest = self._writer.write(rows, json.dumps([*before, (first, last)]))
        except sqlite3.Error as error:
            raise LedgerFault(in_words(error)) from error

    def rename(self, old: str, new: str | None, wall_ms: int) -> int:
        """Give whoever is called *old* the name *new*, or none, everywhere, and return at how many places.

        Raises `LedgerFault` where that cannot be kept, `Refused` for a name that was removed before.
        """
        with self._names_changing():
            return rename(self._connection, old, new, wall_ms)

    def adopt_names(self, other: Queries, now_ms: int | None = None) -> None:
        """Change names as *other*, whose games were laid in here, has changed them by *now_ms*; or `LedgerFault`."""
        with self._names_changing():
            other.lend_names(partial(adopt, self._connection, now_ms=now_ms))

    def names_changed_by(self, other: Queries, now_ms: int) -> dict[str, tuple[str | None, tuple[int, ...]]]:
        """Return which names of ours a merge with *other* would change: the new one, or None, and in which games."""
        found: dict[str, tuple[str | None, tuple[int, ...]]] = {}

        def gather(theirs: sqlite3.Connection) -> None:
            for each, new, _ in wanted_by(self._connection, theirs, now_ms):
                old = readable(each.text or "")
                found[old] = new, (*found.get(old, (new, ()))[1], each.game)

        other.lend_names(gather)
        return found

    def obey_removals(self) -> None:
        """Have names that were removed here leave games that came in since and are older, or raise `LedgerFault`."""
        if not self.trouble and self.renamings.own:
            with self._names_changing():
                obey_removals(self._connection)

    @contextlib.contextmanager
    def _names_changing(self) -> Iterator[None]:
        try:
            if self.trouble or self._frozen(self.path):
                raise read_only()
            yield
        except sqlite3.Error as error:
            raise LedgerFault(in_words(error)) from error
        # Which names a game has is remembered by whoever writes.
        self._writer = RowWriter(self._connection, self._newest_file)

    def run_on(self, game: int, game_ms: int) -> None:
        """Take note, for `ran_on` after a restart, that the clock of *game* has run on to *game_ms*."""
        if self._ownership is not None and not self.trouble:
            self._pulse_file.write(Pulse(self._identity, self.last, game, game_ms))

    def ran_on(self, game: int) -> int:
        """Return what the clock of *game* was seen to have run when it was looked at last, 0 where nothing is known."""
        pulse = pulse_beside(self.path)
        known = pulse is not None and (pulse.ledger, pulse.game) == (self._identity, game) and pulse.row <= self.last
        return pulse.game_ms if pulse is not None and known else 0

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

    def _found_damaged(self) -> None:
        # The next start looks at a few pages only: it is told.
        if self._ownership is not None:
            with contextlib.suppress(OSError):
                damage_mark(self.path).touch(0o600)

    def _write(self, rows: Sequence[Row]) -> None:
        if self._frozen(self.path):
            raise read_only()
        self._newest = self._writer.write(rows)

    def _found_wrong(self) -> str:
        if self._frozen(self.path):
            raise read_only()
        if self.trouble and not self._taken_up_again():
            return warning(OTHER)
        mark = time.time_ns()
        with transaction(self._connection) as ask:
            ask.execute("UPDATE probe SET mark = ?", (mark,))
        # Another connection, by name: the open one would not notice that its file was taken away.
        with contextlib.closing(connect_to_read(self.path)) as reader:
            found = reader.execute("SELECT mark FROM probe").fetchone()
        self._newest_file.write()
        return "" if found == (mark,) else warning(OTHER)

    def _taken_up_again(self) -> bool:
        """Open the file anew and write what waits; False when it is not the ledger that it was."""
        # To open it would make an empty file: a card that was pulled must not come back as a new ledger.
        if self._newest is not None and not self.path.exists():
            return False
        if self._ownership is not None:
            self._ownership.hold()  # the card may have come back as another file
        with kept_open(self._connect(self.path)) as connection:
            there = self._already_there(connection)
        if there is None:
            connection.close()
            return False
        self._connection.close()
        self._newest_file.close()
        self._connection, self._writer = connection, RowWriter(connection, self._newest_file)
        self._newest, self.pending = self.newest_kept(), self.pending[there:]
        if self.pending:
            self._write(self.pending)
            self.pending = []
        return True

    def _already_there(self, connection: sqlite3.Connection) -> int | None:
        """Return how many waiting rows reached the disk though their commit failed; None on a strange disk."""
        lay_out_or_check(connection)
        disk = Queries(connection)
        if self._newest is not None and disk.kept(self._newest[0]) != self._newest:
            return None
        return sum(_holds(disk, row) for row in self.pending)


def _holds(disk: Queries, row: Row) -> bool:
    try:
        there = disk.row(row.id)
    except Malformed:
        return False
    # As columns: what was a tuple in a body is a list when it comes back.
    return there is not None and there.fields() == row.fields()


def damage_mark(path: Path) -> Path:
    """Return the file that says of the ledger at *path* that pages of it were found damaged."""
    return path.with_name(path.name + ".damaged")


def wall_ms() -> int:
    """Return the wall clock in milliseconds: for people, never for reckoning."""
    return time.time_ns() // 1_000_000

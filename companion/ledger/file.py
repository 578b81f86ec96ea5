"""The ledger, opened by its owner for writing. Rows are appended and never changed."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path

from companion.kernel.errors import Malformed
from companion.kernel.names import readable
from companion.kernel.private_file import private
from companion.kernel.said import Said
from companion.kernel.shown import shows
from companion.ledger.errors import LedgerDamaged, LedgerFault, reason
from companion.ledger.findings import Finding, Harm, finding
from companion.ledger.lock import LedgerLock
from companion.ledger.opening import closed_on_error, lay_out_or_check, opened, opened_to_read
from companion.ledger.queries import Queries, StoredDigest
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
from companion.ledger.writer import NewestFile, RowWriter, Torn, read_newest

# The `.clock` file of a ledger stores the reading of a game's clock. A restart loses at most one second of the clock.

SUFFIX = ".clock"


@dataclass(frozen=True)
class Pulse:
    """A reading of a game's clock: *game_ms* milliseconds, taken when *row* was the newest row of *ledger*."""

    ledger: str
    row: int
    game: int
    game_ms: int


@shows("_descriptor")
class PulseFile:
    """The `.clock` file of a ledger, overwritten in place every second while a clock runs, and never synced.

    It is not synced, to spare the SD card. After a power cut it may be out of date or incomplete. An incomplete file is
    ignored, and the latest `beat` row in the ledger is used instead.
    """

    def __init__(self, ledger: Path) -> None:
        self._path = _pulse_path(ledger)
        self._descriptor: int | None = None

    def write(self, pulse: Pulse) -> None:
        """Overwrite the file with *pulse*. If that fails, a restart loses only a few seconds of the clock."""
        text = f"{pulse.ledger:32} {pulse.row:020} {pulse.game:020} {pulse.game_ms:020}"
        try:
            if self._descriptor is None:
                self._descriptor = private(self._path, os.O_WRONLY | os.O_CREAT)
            os.pwrite(self._descriptor, f"{text} {_check(text)}\n".encode(), 0)
        except OSError:
            self.close()

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            with suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None


def read_pulse(ledger: Path) -> Pulse | None:
    """Return the contents of the `.clock` file of *ledger*, or None if it is missing or incomplete."""
    try:
        text = _pulse_path(ledger).read_bytes().partition(b"\n")[0].decode("ascii")
    except (OSError, UnicodeDecodeError):
        return None
    body, _, check = text.rpartition(" ")
    if check != _check(body):
        return None
    return Pulse(body[:32].strip(), *map(int, body[33:].split()))


def _pulse_path(ledger: Path) -> Path:
    resolved = ledger.resolve()
    return resolved.with_name(resolved.name + SUFFIX)


def _check(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


# Whenever a ledger is opened for writing, its end is compared with its `.newest` file.


def lost_end(reading: Queries, identity: str, path: Path) -> tuple[Finding, ...]:
    """Return findings about the newest row that the `.newest` file of *path* records; empty if that row is intact.

    The result is also empty if the `.newest` file is damaged or belongs to another ledger; the next row overwrites the
    file. An empty ledger is compared with the `.newest` file even if that file belongs to another ledger, because the
    empty ledger may have been created in place of a lost one.
    """
    try:
        known = read_newest(path)
    except Torn:
        return ()
    end = reading.newest_digest()
    last = 0 if end is None else end[0]
    if known is None or (known.ledger != identity and last):
        return ()
    game = known.game or None
    if last < known.number:
        return (finding(Harm.CUT_OFF, last + 1, known.number, game if known.number == last + 1 else None),)
    there: StoredDigest = (known.number, known.digest)
    return (
        ()
        if reading.stored_digest(known.number) == there
        else (finding(Harm.CHANGED, known.number, known.number, game),)
    )


# More than the 191 events that a ring may send before they are acknowledged. While the disk fails, duplicates are found
# only among these.
REMEMBERED = 1024
NOBODYS = (0, None)
"""A newest row that matches no file on the disk."""


@shows("_received", "path")
class Ledger(Queries):
    """An append-only file of rows with one owner.

    It is not thread-safe; the table that owns it holds a lock. If the storage fails, new rows wait in memory with
    consecutive numbers, until `probe` finds that they can be written.
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
        """Do not call this directly; use `open` or `read_only`."""
        super().__init__(connection)
        self.path = path
        self.trouble = trouble
        self._connect = connect
        self._frozen = frozen
        self._ownership = ownership
        self._received: dict[tuple[str, str, int], None] = {}
        self._newest = self.newest_digest()
        self._newest_file = NewestFile(path)
        self._pulse_file = PulseFile(path)
        self._writer = RowWriter(connection, self._newest_file)
        self._identity = self.identity
        self.found = () if ownership is None else lost_end(self, self._identity, path)
        self.wall_ms: Callable[[], int] = wall_ms
        """The wall clock of this table in milliseconds. The clocks of two tables may differ by any amount."""
        self.mended: tuple[Said, ...] = ()
        """Messages about parts of the schema that were missing and were recreated when the file was opened."""

    @classmethod
    def open(cls, path: Path, connect: Connect = connect, frozen: Callable[[Path], bool] = frozen) -> Ledger:
        """Open or create the ledger at *path* as its owner, or raise `LedgerFault`.

        If the storage accepts no writes, the existing rows can still be read, and `trouble` says what is wrong.
        """
        regular(path)
        # Lock before opening the file, so that a second process cannot change it.
        ownership = LedgerLock(path)
        try:
            if damage_mark(path).exists():
                raise LedgerDamaged("This ledger was found damaged during use.")
            connection, trouble, mended = opened(path, connect)
            with closed_on_error(connection):
                # Lock again, because opening may have created the file.
                ownership.hold()
                ledger = cls(path, connection, ownership, connect, trouble, frozen)
                ledger.mended = mended
                return ledger
        except sqlite3.Error as error:
            ownership.release()
            fault = LedgerFault if may_pass(error) or is_held(error) else LedgerDamaged
            raise fault(f"{path} can't be used as a ledger: {reason(error)}.") from error
        except UnicodeDecodeError as error:  # SQLite's message quotes the malformed bytes
            ownership.release()
            raise LedgerDamaged(f"{path} can't be used as a ledger: its tables have lost their names.") from error
        except LedgerFault as fault:
            ownership.release()
            raise type(fault)(f"{path}: {fault}") from fault

    @classmethod
    def in_memory(cls, path: Path, why: Exception, connect: Connect = connect) -> Ledger:
        """Own *path* although it can be neither read nor written, and store all rows in memory. *why* is the reason."""
        ownership = LedgerLock(path)
        connection = in_memory()
        lay_out(connection)
        ledger = cls(path, connection, ownership, connect, in_words(why))
        ledger._newest = NOBODYS  # new rows must never be appended to the rows on that disk
        return ledger

    @classmethod
    def read_only(cls, path: Path) -> Ledger:
        """Open the ledger at *path* for reading, even while another process owns it, or raise `LedgerFault`."""
        try:
            with closed_on_error(opened_to_read(path)) as connection:
                return cls(path, connection, None, connect_to_read, warning(ONLY_READ))
        except sqlite3.Error as error:
            raise LedgerFault(f"{path} can't be read as a ledger: {reason(error)}.") from error
        except UnicodeDecodeError as error:
            raise LedgerFault(f"{path} can't be read as a ledger: its tables have lost their names.") from error
        except LedgerFault as fault:
            raise type(fault)(str(fault) if str(path) in str(fault) else f"{path}: {fault}") from fault

    @property
    def last(self) -> int:
        """The number of the newest row, on the disk or in memory."""
        if self.pending:
            return self.pending[-1].id
        return 0 if self._newest is None else self._newest[0]

    def close(self) -> None:
        """Close the file and release the locks."""
        super().close()
        self._newest_file.close()
        self._pulse_file.close()
        if self._ownership is not None:
            self._ownership.release()

    def append(self, rows: Sequence[Row]) -> bool:
        """Append *rows* in one transaction. Return True if they are on the disk, False if they are only in memory."""
        for row in rows:
            if row.source is not None:
                self._received[row.source] = None
        while len(self._received) > REMEMBERED:
            del self._received[next(iter(self._received))]
        if not self.trouble:
            try:
                self._write(rows)
                return True
            except sqlite3.IntegrityError:
                raise  # an invalid row is a bug of this program, not a failure of the storage
            except sqlite3.Error as error:
                self.trouble = in_words(error)
                if is_damage(error):
                    self._found_damaged()
        self.pending.extend(rows)
        return False

    def append_merged(self, rows: Sequence[Row]) -> None:
        """Append *rows* of another ledger in one transaction, or raise `LedgerFault` if they cannot be written.

        These events did not happen at this table, so they do not change which game is on the table.
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
        """Change the name *old* to *new* everywhere, or remove it if *new* is None.

        Return the number of changed places. Raises `LedgerFault` if the change cannot be written, and `Refused` if
        *new* was removed before.
        """
        with self._names_changing():
            return rename(self._connection, old, new, wall_ms)

    def adopt_names(self, other: Queries, now_ms: int | None = None) -> None:
        """Apply the name changes that were made in *other* up to *now_ms*, or raise `LedgerFault`.

        Call this after the games of *other* were merged.
        """
        with self._names_changing():
            other.lend_names(partial(adopt, self._connection, now_ms=now_ms))

    def names_changed_by(self, other: Queries, now_ms: int) -> dict[str, tuple[str | None, tuple[int, ...]]]:
        """Return the names that a merge with *other* would change.

        Each is mapped to its new name, or None if it would be removed, and to the games that contain it.
        """
        found: dict[str, tuple[str | None, tuple[int, ...]]] = {}

        def gather(theirs: sqlite3.Connection) -> None:
            for each, new, _ in wanted_by(self._connection, theirs, now_ms):
                old = readable(each.text or "")
                found[old] = new, (*found.get(old, (new, ()))[1], each.game)

        other.lend_names(gather)
        return found

    def obey_removals(self) -> None:
        """Remove names from imported games as `renaming.obey_removals` does, or raise `LedgerFault`."""
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
        # The writer caches the names of each game.
        self._writer = RowWriter(self._connection, self._newest_file)

    def run_on(self, game: int, game_ms: int) -> None:
        """Record that the clock of *game* has reached *game_ms*, so that `ran_on` can return it after a restart."""
        if self._ownership is not None and not self.trouble:
            self._pulse_file.write(Pulse(self._identity, self.last, game, game_ms))

    def ran_on(self, game: int) -> int:
        """Return the last recorded reading of the clock of *game* in milliseconds, or 0 if none is known."""
        pulse = read_pulse(self.path)
        known = pulse is not None and (pulse.ledger, pulse.game) == (self._identity, game) and pulse.row <= self.last
        return pulse.game_ms if pulse is not None and known else 0

    def probe(self) -> bool:
        """Write the rows that wait in memory, then write a mark and read it back.

        Return True if all of this succeeds.
        """
        if self._ownership is None:
            return False
        try:
            self.trouble = self._found_wrong()
        except (sqlite3.Error, LedgerFault, OSError) as error:
            self.trouble = in_words(error)
        return not self.trouble

    def has_recorded(self, source: tuple[str, str, int]) -> bool:
        """Return whether this event of a ring is already recorded, on the disk or in memory."""
        return source in self._received or self.has(source)

    def waits(self, source: tuple[str, str, int]) -> bool:
        """Return whether this event of a ring is in memory only."""
        return bool(self.pending) and source in [row.source for row in self.pending]

    def _found_damaged(self) -> None:
        # The mark lets the next start report the damage, because a start checks only a few pages itself.
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
        if self.trouble and not self._reopened():
            return warning(OTHER)
        mark = time.time_ns()
        with transaction(self._connection) as ask:
            ask.execute("UPDATE probe SET mark = ?", (mark,))
        # Open the path again, because the existing connection would not notice that its file was removed.
        with contextlib.closing(connect_to_read(self.path)) as reader:
            found = reader.execute("SELECT mark FROM probe").fetchone()
        self._newest_file.write()
        return "" if found == (mark,) else warning(OTHER)

    def _reopened(self) -> bool:
        """Reopen the file and write the waiting rows. Return False if it is not the same ledger."""
        # Opening a missing file would create an empty one. After a card was pulled, that would start a new ledger.
        if self._newest is not None and not self.path.exists():
            return False
        if self._ownership is not None:
            self._ownership.hold()  # there may be another file at the path now, for example of another card
        with closed_on_error(self._connect(self.path)) as connection:
            there = self._already_there(connection)
        if there is None:
            connection.close()
            return False
        super().close()
        self._newest_file.close()
        self._connection, self._writer = connection, RowWriter(connection, self._newest_file)
        self._newest, self.pending = self.newest_digest(), self.pending[there:]
        if self.pending:
            self._write(self.pending)
            self.pending = []
        return True

    def _already_there(self, connection: sqlite3.Connection) -> int | None:
        """Return how many of the waiting rows are on the disk although their commit failed.

        Return None if the file is another ledger.
        """
        lay_out_or_check(connection)
        disk = Queries(connection)
        if self._newest is not None and disk.stored_digest(self._newest[0]) != self._newest:
            return None
        return sum(_holds(disk, row) for row in self.pending)


def _holds(disk: Queries, row: Row) -> bool:
    try:
        there = disk.row(row.id)
    except Malformed:
        return False
    # Compare columns, because a tuple in a body is read back as a list.
    return there is not None and there.fields() == row.fields()


def damage_mark(path: Path) -> Path:
    """Return the path of the file whose existence means that the ledger at *path* has damaged pages."""
    return path.with_name(path.name + ".damaged")


def wall_ms() -> int:
    """Return the wall clock in milliseconds. It is only shown to users and never used to measure time."""
    return time.time_ns() // 1_000_000

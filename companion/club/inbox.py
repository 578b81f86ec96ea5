"""The inbox of a club: the rows of every table, byte for byte with their checksums, in `inbox.sqlite`.

A *source* is one ledger in one epoch. A table chooses a new epoch when its ledger was restored from a copy, so that
both branches are stored. One commit covers the batches of all tables that have arrived by then, and only then are they
acknowledged. `ledger.sqlite` is merged from this file and can be rebuilt at any time; this file cannot.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.club.batch import Ack, AckState, Batch, names_mark
from companion.kernel.shown import shows
from companion.ledger.names import is_whole, text_of
from companion.ledger.queries import Queries
from companion.ledger.renaming import marks, renamings_of
from companion.ledger.row import COLUMNS, digest_of
from companion.ledger.schema import lay_out
from companion.ledger.storage import connect, transaction

OURS, VERSION = 0x52C0_2027, 1
"""The values of `PRAGMA application_id` and `user_version`."""
_SCHEMA = (
    """CREATE TABLE source (
    number INTEGER PRIMARY KEY, address TEXT NOT NULL, ledger TEXT NOT NULL, epoch TEXT NOT NULL,
    upto INTEGER NOT NULL DEFAULT 0, digest BLOB, names TEXT NOT NULL DEFAULT '', forked INTEGER NOT NULL DEFAULT 0,
    merged INTEGER NOT NULL DEFAULT 0, newest INTEGER NOT NULL DEFAULT 0, heard_ms INTEGER NOT NULL,
    UNIQUE (ledger, epoch))""",
    "CREATE TABLE birth (address TEXT PRIMARY KEY, body TEXT NOT NULL, heard_ms INTEGER NOT NULL) WITHOUT ROWID",
    """CREATE TABLE stored_row (
    source INTEGER NOT NULL, id INTEGER NOT NULL,
    game INTEGER, kind TEXT NOT NULL, word TEXT NOT NULL, who TEXT NOT NULL, via TEXT NOT NULL,
    at_ms INTEGER NOT NULL, step_ms INTEGER NOT NULL, wall_ms INTEGER NOT NULL, body TEXT NOT NULL,
    ring INTEGER, undoes INTEGER, device TEXT, boot TEXT, seq INTEGER, digest BLOB,
    PRIMARY KEY (source, id)) WITHOUT ROWID""",
    "CREATE INDEX stored_row_by_game ON stored_row (source, game, id)",
    """CREATE TABLE stored_name (
    source INTEGER NOT NULL, game INTEGER NOT NULL, place INTEGER NOT NULL, text TEXT, digest BLOB,
    PRIMARY KEY (source, game, place)) WITHOUT ROWID""",
    "CREATE TABLE into_ledger (ledger TEXT NOT NULL, last INTEGER NOT NULL)",
    f"PRAGMA application_id = {OURS}",
    f"PRAGMA user_version = {VERSION}",
)
# Views that show one source as the tables of a ledger, so that the code that merges ledgers can read them.
_VIEWS = (
    "CREATE TEMP TABLE chosen (source INTEGER, upto INTEGER)",
    "INSERT INTO chosen VALUES (0, 0)",
    f"""CREATE TEMP VIEW row AS SELECT {COLUMNS}, digest FROM main.stored_row
    WHERE source = (SELECT source FROM temp.chosen) AND id <= (SELECT upto FROM temp.chosen)""",  # noqa: S608 - no value in it
    """CREATE TEMP VIEW name AS SELECT game, place, text, digest FROM main.stored_name
    WHERE source = (SELECT source FROM temp.chosen)""",
    """CREATE TEMP VIEW meta AS
    SELECT 'ledger' AS name, ledger AS value FROM main.source WHERE number = (SELECT source FROM temp.chosen)
    UNION ALL
    SELECT 'names', names FROM main.source WHERE number = (SELECT source FROM temp.chosen) AND names <> ''""",
)
_PUT = f"INSERT INTO stored_row (source, {COLUMNS}, digest) VALUES"
# A late duplicate of a batch must not bring back a name that has been changed or removed since.
_NAME = "INSERT OR IGNORE INTO stored_name VALUES (?, ?, ?, ?, ?)"
_CHANGE = """INSERT INTO stored_name VALUES (?, ?, ?, ?, ?) ON CONFLICT (source, game, place)
    DO UPDATE SET text = excluded.text, digest = excluded.digest WHERE stored_name.text IS NOT NULL"""
_CHANGE_SAME = """UPDATE stored_name SET text = ?1, digest = ?2
    WHERE source = ?3 AND game = ?4 AND place = ?5 AND text IS NOT NULL AND (game = 0 OR EXISTS (
        SELECT 1 FROM stored_row AS one JOIN stored_row AS other ON one.digest = other.digest
        WHERE one.source = ?3 AND one.id = ?4 AND other.source = ?6 AND other.id = ?4))"""
_NAMED = """SELECT name.game, place, text, coalesce(row.wall_ms, 0) FROM stored_name AS name
    LEFT JOIN stored_row AS row ON row.source = name.source AND row.id = name.game
    WHERE name.source = ? AND text IS NOT NULL"""
_REMOVE = "UPDATE stored_name SET text = NULL, digest = NULL WHERE source = ? AND game = ? AND place = ?"
_SOURCE = "number, address, ledger, epoch, upto, digest, names, forked, merged, newest, heard_ms"

_MOVES = ("upto", "digest", "names", "address", "heard_ms", "newest")
_MOVE = f"UPDATE source SET {', '.join(f'{each} = ?' for each in _MOVES)} WHERE number = ?"  # noqa: S608


class InboxFault(Exception):
    """This file cannot be used as an inbox."""


@dataclass
class Source:
    """One ledger in one epoch, with how many of its rows have arrived and have been merged."""

    number: int
    address: str
    ledger: str
    epoch: str
    upto: int = 0
    digest: object = None
    names: str = ""
    forked: int = 0
    merged: int = 0
    newest: int = 0
    heard_ms: int = 0

    def ack(self, state: AckState = AckState.OK) -> Ack:
        """Return the acknowledgement of the rows that have arrived."""
        return Ack(self.ledger, self.epoch, state, self.upto, self.digest, names_mark(self.names))


@dataclass(frozen=True)
class Post:
    """A batch, the address of the table that sent it, and the wall-clock time of its arrival."""

    address: str
    batch: Batch
    heard_ms: int


@dataclass(frozen=True)
class Checked:
    """A row of a source, or its names (row 0), and whether it does not match its checksum."""

    source: Source
    row: int
    wrong: bool


@shows("_path", "sources")
class Inbox:
    """The rows of all tables of a club. One thread at a time may use it."""

    def __init__(self, path: Path) -> None:
        """Open or create the file at *path*, or raise `InboxFault`."""
        self._path = path
        try:
            self._connection = connect(path)
            self._lay_out()
        except sqlite3.Error as error:
            raise InboxFault(f"{path} can't be used as an inbox: {error}.") from error
        self._read_sources()

    def _read_sources(self) -> None:
        found = self._connection.execute(f"SELECT {_SOURCE} FROM source ORDER BY number").fetchall()  # noqa: S608
        self.sources = {(each[2], each[3]): Source(*each) for each in found}
        self._owners = {source.ledger: source.address for source in self.sources.values()}

    def _lay_out(self) -> None:
        ask = self._connection
        owner = ask.execute("PRAGMA application_id").fetchone()[0]
        version = ask.execute("PRAGMA user_version").fetchone()[0]
        if owner not in (0, OURS) or (owner == 0 and ask.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]):
            raise InboxFault(f"{self._path} is a database, but not the inbox of a club.")
        if version > VERSION:
            raise InboxFault(f"A newer program wrote {self._path}: update the companion.")
        ask.execute("PRAGMA secure_delete = ON")  # so that a removed name leaves no trace in the file
        if not owner:
            with transaction(ask):
                for statement in _SCHEMA:
                    ask.execute(statement)
        for statement in _VIEWS:
            ask.execute(statement)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    # Batches

    def take(self, posts: Sequence[Post], known: Collection[str] | None = None) -> list[Ack]:
        """Store *posts* with one commit, and return one acknowledgement for each, in their order.

        When this returns, the acknowledged rows are on the disk. A ledger belongs to the address that sent it first. As
        long as that address is *known*, rows of the ledger from other addresses are not stored. None means that all
        addresses are known.
        """
        try:
            with transaction(self._connection) as ask:
                acks = [self._take(ask, post, known) for post in posts]
        except sqlite3.Error as error:
            merged = {source.number: source.merged for source in self.sources.values()}
            self._read_sources()
            for source in self.sources.values():
                source.merged = merged[source.number]
            if not _is_full(error):
                raise
            return [self._known(post).ack(AckState.FULL) for post in posts]
        if any(post.batch.renamings is not None for post in posts):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the log may contain a removed name
        return acks

    def _known(self, post: Post) -> Source:
        found = self.sources.get((post.batch.ledger, post.batch.epoch))
        return found or Source(0, post.address, post.batch.ledger, post.batch.epoch)

    def _take(self, ask: sqlite3.Connection, post: Post, known: Collection[str] | None) -> Ack:
        batch, source = post.batch, self._known(post)
        owner = self._owners.get(batch.ledger, post.address)
        if owner != post.address and (known is None or owner in known):
            return Ack(batch.ledger, batch.epoch, AckState.UNKNOWN)
        if batch.after > source.upto:
            return source.ack(AckState.GAP)
        if not self._follows(source, batch):
            if source.number:
                source.forked = 1
                ask.execute("UPDATE source SET forked = 1 WHERE number = ?", (source.number,))
            return source.ack(AckState.FORK)
        if not source.number:
            self._begin(ask, source, post.heard_ms)
        fresh = [fields for fields in batch.rows if fields[0] > source.upto]
        for fields in fresh:
            _insert(ask, _PUT, (source.number, *fields))
        names = _NAME if batch.rows else _CHANGE
        ask.executemany(names, [(source.number, *name) for name in batch.names])
        if fresh:
            source.upto, source.digest = fresh[-1][0], fresh[-1][-1]
        if batch.renamings is not None:
            self._note_renamings(ask, source, batch)
        self._owners[batch.ledger] = post.address
        source.address, source.heard_ms, source.newest = post.address, post.heard_ms, max(batch.newest, source.upto)
        ask.execute(_MOVE, (*(getattr(source, each) for each in _MOVES), source.number))
        return source.ack()

    def _note_renamings(self, ask: sqlite3.Connection, source: Source, batch: Batch) -> None:
        source.names = batch.renamings or ""
        for other in self.sources.values():
            if other.ledger == source.ledger and other.number < source.number:
                self._rename(ask, other, source, batch)

    @staticmethod
    def _rename(ask: sqlite3.Connection, earlier: Source, source: Source, batch: Batch) -> None:
        """Change the names in an *earlier* epoch of the ledger too, because it contains games of the same table."""
        for game, place, text, digest in batch.names:
            ask.execute(_CHANGE_SAME, (text, digest, earlier.number, game, place, source.number))
        removed = renamings_of(batch.renamings).own
        for game, place, text, began_ms in ask.execute(_NAMED, (earlier.number,)).fetchall():
            name = text_of(text)
            if name is not None and any(removed.get(mark, -1) >= began_ms for mark in marks(name)):
                ask.execute(_REMOVE, (earlier.number, game, place))
        earlier.names = batch.renamings or ""
        ask.execute("UPDATE source SET names = ? WHERE number = ?", (earlier.names, earlier.number))

    def _begin(self, ask: sqlite3.Connection, source: Source, heard_ms: int) -> None:
        made = ask.execute(
            "INSERT INTO source (address, ledger, epoch, heard_ms) VALUES (?, ?, ?, ?)",
            (source.address, source.ledger, source.epoch, heard_ms),
        )
        assert made.lastrowid is not None
        source.number = made.lastrowid
        self.sources[(source.ledger, source.epoch)] = source

    def _follows(self, source: Source, batch: Batch) -> bool:
        """Return True if *batch* continues the stored rows: the row before it and all duplicates are equal to them."""
        there = dict(self._digests(source, batch.after, batch.last))
        if batch.after and there.pop(batch.after, None) != batch.before:
            return False
        return there == {fields[0]: fields[-1] for fields in batch.rows if fields[0] <= source.upto}

    def _digests(self, source: Source, first: int, last: int) -> list[tuple[int, object]]:
        chosen = "SELECT id, digest FROM stored_row WHERE source = ? AND id BETWEEN ? AND ?"
        return self._connection.execute(chosen, (source.number, first, last)).fetchall()

    def born(self, address: str, body: str, heard_ms: int) -> None:
        """Store the newest description that a table has sent of itself."""
        with transaction(self._connection) as ask:
            ask.execute("INSERT OR REPLACE INTO birth VALUES (?, ?, ?)", (address, body, heard_ms))

    def births(self) -> dict[str, tuple[str, int]]:
        """Return the newest description that each table has sent of itself, and its time of arrival."""
        found = self._connection.execute("SELECT address, body, heard_ms FROM birth ORDER BY address")
        return {address: (body, heard_ms) for address, body, heard_ms in found.fetchall()}

    def goes_on_elsewhere(self, source: Source) -> bool:
        """Return whether the table has continued the ledger of *source* from a copy, which makes a newer source."""
        later = (each for each in self.sources.values() if each.number > source.number)
        return bool(source.forked) or any(each.ledger == source.ledger for each in later)

    # Merging

    def reading(self, source: Source, upto: int) -> Queries:
        """Return the rows of *source* up to row *upto* in the form of a ledger; they are valid until the next call."""
        self._connection.execute("UPDATE temp.chosen SET source = ?, upto = ?", (source.number, upto))
        return Queries(self._connection)

    def merged_into(self, ledger: str, last: int) -> None:
        """Forget which rows were merged, unless they were merged into *ledger*, whose newest row is *last*."""
        found = self._connection.execute("SELECT ledger, last FROM into_ledger").fetchone()
        if found is None or found[0] != ledger or found[1] > last:
            with transaction(self._connection) as ask:
                ask.execute("UPDATE source SET merged = 0")
                ask.execute("DELETE FROM into_ledger")
                ask.execute("INSERT INTO into_ledger VALUES (?, ?)", (ledger, last))
            for source in self.sources.values():
                source.merged = 0

    def note_merged(self, last: int) -> None:
        """Store which rows of each source are now in the ledger, whose newest row is *last*.

        If this is out of date after a power cut, rows are merged again, which changes nothing.
        """
        with transaction(self._connection) as ask:
            moved = [(source.merged, source.number) for source in self.sources.values()]
            ask.executemany("UPDATE source SET merged = ?1 WHERE number = ?2 AND merged <> ?1", moved)
            ask.execute("UPDATE into_ledger SET last = ?", (last,))

    # Checking

    def checked(self) -> Iterator[Checked]:
        """Compare each row and the names of each source with their checksums."""
        for source in self.sources.values():
            heads: dict[object, object] = {}
            for fields in self.rows(source):
                wrong = digest_of(heads.get(fields[1]), fields[:-1]) != fields[-1]
                yield Checked(source, fields[0], wrong)
                heads[fields[1]] = fields[-1]
            if not all(map(is_whole, self.names(source))):
                yield Checked(source, 0, True)

    def rows(self, source: Source) -> Iterator[tuple[Any, ...]]:
        """Yield the columns and the checksum of each row of *source*."""
        chosen = f"SELECT {COLUMNS}, digest FROM stored_row WHERE source = ? ORDER BY id"  # noqa: S608
        yield from self._connection.execute(chosen, (source.number,))

    def names(self, source: Source) -> list[tuple[int, int, object, object]]:
        """Return the names of *source*: game, place, text and checksum."""
        chosen = "SELECT game, place, text, digest FROM stored_name WHERE source = ? ORDER BY game, place"
        return self._connection.execute(chosen, (source.number,)).fetchall()


def _insert(ask: sqlite3.Connection, into: str, fields: tuple[Any, ...]) -> None:
    """Insert one row. A string that is not valid UTF-8 in the table's file is stored unchanged."""
    try:
        ask.execute(f"{into} ({', '.join('?' * len(fields))})", fields)
    except UnicodeEncodeError:
        places = ["CAST(? AS TEXT)" if isinstance(each, str) else "?" for each in fields]
        values = [each.encode(errors="surrogateescape") if isinstance(each, str) else each for each in fields]
        ask.execute(f"{into} ({', '.join(places)})", values)


def _is_full(error: sqlite3.Error) -> bool:
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) == sqlite3.SQLITE_FULL


def write_ledger(inbox: Inbox, source: Source, target: Path) -> None:
    """Write the rows of *source* to a new ledger at *target*, byte for byte with their checksums and names."""
    with closing(connect(target)) as copy:
        lay_out(copy)
        with transaction(copy):
            copy.execute("UPDATE meta SET value = ? WHERE name = 'ledger'", (source.ledger,))
            if source.names:
                copy.execute("INSERT INTO meta VALUES ('names', ?)", (source.names,))
            for fields in inbox.rows(source):
                _insert(copy, f"INSERT INTO row ({COLUMNS}, digest) VALUES", fields)
            copy.executemany("INSERT INTO name VALUES (?, ?, ?, ?)", inbox.names(source))
        copy.execute("PRAGMA journal_mode = DELETE")

"""The file of summaries in the ledger's folder. It is computed from the ledger and may be deleted at any time.

The summary of a finished game has all data from which the statistics are computed.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import field
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from companion.kernel.private_file import private
from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from companion.statistics.rating import Rating, rated


@dataclass(frozen=True)
class Seated:
    """One seat of a game. *place* counts clockwise from 0. *person* identifies a player in all games ("" if unknown).

    *turn* counts from 1 in the order of the first round, None if the game does not record who began. *won* is None if
    nobody could win; *rank* is 1 for winners. *ms* is the seat's time in *turns* steps. A player who *left* early
    neither won nor lost, and has no points that count.
    """

    place: int
    colour: str
    name: str
    person: str
    turn: int | None = None
    won: bool | None = None
    rank: int | None = None
    total: int | None = None
    ms: int = 0
    turns: int = 0
    left: bool = False


@dataclass(frozen=True)
class Summary:
    """The summary of one game. *counted* means that it has ended and was not a demo.

    *ms* is its length by the game's clock, or None if none was timed. *margin* is the winner's lead, or None without
    a winner or points. *steps* maps each step to the number of its occurrences and their total time in
    milliseconds.
    """

    number: int
    kind: str
    began_ms: int
    ended_ms: int
    counted: bool
    seats: tuple[Seated, ...]
    ms: int | None = None
    moves: int = 0
    draws: int = 0
    margin: int | None = None
    steps: Mapping[str, tuple[int, int]] = field(default_factory=dict)


FILE = "summaries.sqlite"
VERSION = 2
"""The version of the summaries. A file with another version is replaced."""
TIMEOUT_S = 5.0
EVERY_KIND = ""
_SHAPE = """
CREATE TABLE game (
    number INTEGER PRIMARY KEY, mark BLOB NOT NULL, kind TEXT NOT NULL, counted INTEGER NOT NULL,
    began INTEGER NOT NULL, ended INTEGER NOT NULL, ms INTEGER, players INTEGER NOT NULL,
    moves INTEGER NOT NULL, draws INTEGER NOT NULL, margin INTEGER, rated INTEGER NOT NULL
);
CREATE INDEX game_unrated ON game (ended, number) WHERE rated = 0;
CREATE INDEX game_by_end ON game (ended, number);
CREATE TABLE seat (
    game INTEGER NOT NULL, place INTEGER NOT NULL, colour TEXT NOT NULL, name TEXT NOT NULL, person TEXT NOT NULL,
    turn INTEGER, won INTEGER, rank INTEGER, total INTEGER, ms INTEGER NOT NULL, turns INTEGER NOT NULL,
    left INTEGER NOT NULL,
    PRIMARY KEY (game, place)
) WITHOUT ROWID;
CREATE INDEX seat_person ON seat (person, game);
CREATE TABLE step (
    game INTEGER NOT NULL, word TEXT NOT NULL, times INTEGER NOT NULL, ms INTEGER NOT NULL, PRIMARY KEY (game, word)
) WITHOUT ROWID;
CREATE TABLE rating (
    kind TEXT NOT NULL, person TEXT NOT NULL, nth INTEGER NOT NULL, game INTEGER NOT NULL, ended INTEGER NOT NULL,
    mu REAL NOT NULL, sigma REAL NOT NULL, PRIMARY KEY (kind, person, nth)
) WITHOUT ROWID;
CREATE INDEX rating_by_end ON rating (ended, game);
"""
_PARTS = "SELECT type, name, tbl_name, sql FROM sqlite_master"
_TABLES = ("game", "seat", "step", "rating")
_UNRATED = "SELECT number, kind, ended FROM game WHERE rated = 0 ORDER BY ended, number LIMIT ?"
AT_ONCE = 500


@shows("revision", "answers")
class SummaryStore:
    """The summaries of games by number, and the ratings after each game.

    Each summary has a mark, a hash of the rows that it was computed from. The store is thread-safe.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Do not call this directly; use `beside`."""
        self._connection = connection
        self._lock = Lock()
        self.revision = 0
        """A number that changes whenever the contents change."""
        self.answers: dict[object, tuple[int, Any]] = {}
        """Cached answers, each with the value of `revision` for which it is valid."""

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def asking(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection for reading. Only one caller has it at a time."""
        with self._lock:
            yield self._connection

    def marks(self) -> dict[int, bytes]:
        """Return the mark of each summary, by the number of its game."""
        with self._lock:
            return dict(self._connection.execute("SELECT number, mark FROM game"))

    def drop(self, games: Iterable[int]) -> None:
        """Delete the summaries of *games* and the ratings that depend on them."""
        gone = [(game,) for game in games]
        if not gone:
            return
        with self._changing() as ask:
            for (number,) in gone:
                self._rate_again_from(ask, number)
            for table, column in (("game", "number"), ("seat", "game"), ("step", "game")):
                ask.executemany(f"DELETE FROM {table} WHERE {column} = ?", gone)  # noqa: S608 - names of ours

    def leave_no_trace(self) -> None:
        """Truncate the write-ahead log, so that deleted data is neither in the database nor in the log."""
        with self._lock:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def put(self, summaries: Iterable[tuple[Summary, bytes]]) -> None:
        """Save *summaries*, each with its mark. They replace older summaries of the same games."""
        with self._changing() as ask:
            for each, mark in summaries:
                self._rate_again_from(ask, each.number)
                for table, column in (("game", "number"), ("seat", "game"), ("step", "game")):
                    ask.execute(f"DELETE FROM {table} WHERE {column} = ?", (each.number,))  # noqa: S608
                _put(ask, each, mark)

    def rate(self) -> bool:
        """Update the ratings for a few hundred games. Return whether there are more games to rate."""
        with self._changing() as ask:
            first = ask.execute(_UNRATED, (1,)).fetchone()
            if first is None:
                return False
            _forget_ratings(ask, first[2], first[0])
            known: dict[tuple[str, str], tuple[int, Rating]] = {}
            for number, kind, ended in ask.execute(_UNRATED, (AT_ONCE,)).fetchall():
                _rate(ask, known, number, kind, ended)
                ask.execute("UPDATE game SET rated = 1 WHERE number = ?", (number,))
            return True

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise
            self.revision += 1

    @staticmethod
    def _rate_again_from(ask: sqlite3.Connection, number: int) -> None:
        found = ask.execute("SELECT ended FROM game WHERE number = ? AND counted AND rated", (number,)).fetchone()
        if found is not None:
            _forget_ratings(ask, found[0], number)


def _put(ask: sqlite3.Connection, each: Summary, mark: bytes) -> None:
    stamps = (each.began_ms, each.ended_ms, each.ms, len(each.seats), each.moves, each.draws, each.margin)
    row = (each.number, mark, each.kind, each.counted, *stamps, not each.counted)
    ask.execute("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    seats = (
        (each.number, s.place, s.colour, s.name, s.person, s.turn, s.won, s.rank, s.total, s.ms, s.turns, s.left)
        for s in each.seats
    )
    ask.executemany("INSERT INTO seat VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", seats)
    steps = ((each.number, word, times, ms) for word, (times, ms) in each.steps.items())
    ask.executemany("INSERT INTO step VALUES (?, ?, ?, ?)", steps)


def _forget_ratings(ask: sqlite3.Connection, ended: int, number: int) -> None:
    """Delete the ratings after a game and after all later games, because each rating depends on the earlier ones."""
    ask.execute("DELETE FROM rating WHERE (ended, game) >= (?, ?)", (ended, number))
    ask.execute("UPDATE game SET rated = 0 WHERE (ended, number) >= (?, ?) AND rated AND counted", (ended, number))


def _rate(
    ask: sqlite3.Connection, known: dict[tuple[str, str], tuple[int, Rating]], number: int, kind: str, ended: int
) -> None:
    """Rate the known players of one game. Seats without a known person are ignored."""
    chosen = "SELECT person, rank FROM seat WHERE game = ? AND person <> '' AND rank IS NOT NULL"
    seats = ask.execute(chosen, (number,)).fetchall()
    if len(seats) < 2:
        return
    for scope in (EVERY_KIND, kind):
        before = [_latest(ask, known, scope, person) for person, _ in seats]
        after = rated([rating for _, rating in before], [rank for _, rank in seats])
        for (person, _), (nth, _), rating in zip(seats, before, after, strict=True):
            known[scope, person] = (nth + 1, rating)
            row = (scope, person, nth + 1, number, ended, rating.mu, rating.sigma)
            ask.execute("INSERT INTO rating VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def _latest(
    ask: sqlite3.Connection, known: Mapping[tuple[str, str], tuple[int, Rating]], kind: str, person: str
) -> tuple[int, Rating]:
    if (kind, person) in known:
        return known[kind, person]
    chosen = "SELECT nth, mu, sigma FROM rating WHERE kind = ? AND person = ? ORDER BY nth DESC LIMIT 1"
    found = ask.execute(chosen, (kind, person)).fetchone()
    return (0, Rating()) if found is None else (found[0], Rating(found[1], found[2]))


def store_of(ledger: Path) -> SummaryStore:
    """Open or create the summaries of the *ledger*; in memory if no file can be written."""
    path = ledger.with_name(FILE)
    for _ in range(2):
        try:
            return SummaryStore(_opened(path))
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                break  # the storage failed; the contents of the file may be valid
            for part in ("", "-wal", "-shm"):
                path.with_name(path.name + part).unlink(missing_ok=True)
        except OSError:
            break
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _shape(connection)
    return SummaryStore(connection)


def _opened(path: Path) -> sqlite3.Connection:
    if path.exists() and not path.is_file():
        raise FileExistsError(path)
    os.close(private(path, os.O_RDWR | os.O_CREAT))
    connection = sqlite3.connect(path, timeout=TIMEOUT_S, isolation_level=None, check_same_thread=False)
    try:
        _check_ours(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA secure_delete = ON")  # deleted names must not remain in free pages
        connection.execute("PRAGMA synchronous = OFF")  # contents lost in a power cut are computed again
        _shape(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_ours(connection: sqlite3.Connection) -> None:
    """Raise `DatabaseError` if this version did not create the file. The caller then replaces the file."""
    there = set(connection.execute(_PARTS))
    if there and (connection.execute("PRAGMA user_version").fetchone() != (VERSION,) or there != _parts()):
        raise sqlite3.DatabaseError("these are no summaries of ours")


@cache
def _parts() -> frozenset[tuple[str, ...]]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        _shape(empty)
        return frozenset(empty.execute(_PARTS))


def _shape(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("PRAGMA user_version").fetchone() != (VERSION,):
        for statement in _SHAPE.split(";")[:-1]:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")

"""Read the ledger. Results contain the rows on the disk and then the rows that wait in memory."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from hashlib import blake2b
from threading import RLock
from typing import Any, TypeVar

from companion.kernel.errors import Malformed
from companion.kernel.names import readable, same_person
from companion.kernel.said import Said, said
from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from companion.ledger.errors import PagesDamaged, Unreadable
from companion.ledger.findings import renamed
from companion.ledger.names import name_in, named
from companion.ledger.renaming import Renamings, renamings, stored_names
from companion.ledger.row import COLUMNS, Row, damaged, digest_of, row_of
from companion.ledger.storage import is_damage

T = TypeVar("T")
# This selects each row with its own checksum and the checksum of the row before it in its chain, by the index by game.
_BEFORE = "SELECT digest FROM row AS r WHERE r.game IS row.game AND r.id < row.id ORDER BY r.id DESC LIMIT 1"
_SELECT = f"SELECT {COLUMNS}, digest, ({_BEFORE}) FROM row"  # noqa: S608 - the columns are ours
# Rows of judgements and of the clock do not count as play: colours may be judged again later, and a start of the
# companion may add a clock row.
_NEWEST = "WHERE game = ? AND kind NOT IN ('judgement', 'clock') ORDER BY id DESC LIMIT 1"
_NEWEST_OF = "SELECT id FROM row WHERE game = ? AND word <> 'beat' ORDER BY id DESC LIMIT 1"
# This jumps from game to game through the index. A scan of all rows would take time proportional to the size of the
# ledger.
_GAMES = """WITH RECURSIVE found(game) AS (
    SELECT min(game) FROM row UNION ALL
    SELECT (SELECT min(game) FROM row WHERE game > found.game) FROM found WHERE game IS NOT NULL
) SELECT game FROM found"""
# The checksum of a game's newest row covers all its rows, and the checksum of a name covers the name.
_MARKS = f"""SELECT game, id, digest FROM row WHERE id IN (
    SELECT (SELECT max(id) FROM row WHERE game = each.game) FROM ({_GAMES}) AS each WHERE game IS NOT NULL
)"""  # noqa: S608 - no value in it
_NAMES = "SELECT game, place, digest FROM name WHERE game <> 0 ORDER BY game, place"
StoredDigest = tuple[int, object]
"""The number of a row and the checksum stored with it. In a damaged file the checksum may have any type."""
LARGEST = 2**63
"""One more than SQLite's largest integer."""
_IS_MERGED = """EXISTS (SELECT 1 FROM json_each(?) AS span
    WHERE row.id BETWEEN json_extract(span.value, '$[0]') AND json_extract(span.value, '$[1]'))"""
"""An SQL condition that selects rows that came from another ledger. Its parameter is `Queries.merged` as JSON."""
_TURNS = ("paused", "resumed", "abandoned", "finished", "reopened")


@dataclass(frozen=True)
class Volume:
    """The data that a list of games shows about a game, except its header.

    *turn* is the last row that paused, resumed or ended the game, *lines* the number of lines that are not undone, and
    *last_ms* the wall clock time of its newest row. *own_row* is the number of that row, or 0 if it came from another
    ledger. The game with the largest *own_row* was played here last, even if the clock was wrong.
    """

    turn: Row | None
    lines: int
    last_ms: int
    own_row: int


def spans_of(value: object) -> tuple[tuple[int, int], ...]:
    """Return the spans (first row, last row) in *value*, the stored text of `merged`, or () if it is invalid."""
    try:
        found = tuple((first, last) for first, last in json.loads(value))  # type: ignore[arg-type]
    except (TypeError, ValueError, RecursionError):
        return ()
    return found if all(type(each) is int and 0 < each < LARGEST for span in found for each in span) else ()


@shows("pending", "_misnamed")
class Queries:
    """Read rows through a connection, together with the rows that wait in memory.

    Every method may raise `Unreadable` if the storage fails. Methods that return rows may raise `Malformed` if one of
    these rows is damaged.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.pending: list[Row] = []
        self._connection = connection
        self._misnamed: set[int] = set()
        # SQLite crashes if a connection is closed while another thread is inside it.
        self._inside = RLock()

    def close(self) -> None:
        """Close the connection. A thread that still reads through it gets `Unreadable` with its next row."""
        with self._inside:
            self._connection.close()

    @property
    def misnamed(self) -> tuple[Said, ...]:
        """One message for each game in which a damaged name was found, among the names read so far.

        A damaged name is treated like a removed name.
        """
        return tuple(renamed(game).sentence for game in sorted(self._misnamed))

    @property
    def identity(self) -> str:
        """The 32 hexadecimal digits that identify this ledger and its copies, or "" if they are damaged."""
        found = next(self._asked("SELECT value FROM meta WHERE name = 'ledger'"), (None,))
        return found[0] if isinstance(found[0], str) else ""

    def game_identity(self, game: int) -> str:
        """Return the 32 hexadecimal digits that identify a game in every ledger, or "" if they are damaged."""
        chosen = "SELECT iif(json_valid(body), json_extract(body, '$.id'), NULL) FROM row WHERE id = ?"
        waiting = next((row.body.get("id") for row in self.pending if row.id == game), None)
        found = next(self._asked(chosen, game), (waiting,))
        return found[0] if isinstance(found[0], str) else ""

    def games_known_as(self, identity: str) -> tuple[int, ...]:
        """Return the games with this *identity*, oldest first.

        There are several if two companions continued the same game separately.
        """
        known = "iif(json_valid(body), json_extract(body, '$.id'), NULL)"
        chosen = f"SELECT id FROM row WHERE kind = 'game' AND {known} = ? ORDER BY id"  # noqa: S608 - no values
        waiting = (row.id for row in self.pending if row.kind == "game" and row.body.get("id") == identity)
        return (*(number for (number,) in self._asked(chosen, identity)), *waiting)

    def people(self) -> dict[str, tuple[int, ...]]:
        """Return each name in its newest spelling, with the games in which it occurs, newest first.

        Removed names are left out. The game 0 means that the name occurs in rows outside any game.
        """
        games: dict[str, dict[int, None]] = {}
        spelling: dict[str, str] = {}
        for each in reversed(self._answered(lambda file: tuple(stored_names(file)))):
            if each.text is not None:
                person = same_person(each.text)
                spelling.setdefault(person, readable(each.text))
                games.setdefault(person, {})[each.game] = None
        return {spelling[person]: tuple(found) for person, found in games.items()}

    def unprintable_names(self) -> dict[str, tuple[int, ...]]:
        """Return the names that contain unprintable characters, in the form that pages display, with their games."""
        found: dict[str, tuple[int, ...]] = {}
        for each in self._answered(lambda file: tuple(stored_names(file))):
            if each.text is not None and (shown := readable(each.text)) != each.text:
                found[shown] = (*found.get(shown, ()), each.game)
        return found

    def games_of(self, name: str) -> tuple[int, ...]:
        """Return the games with a player called *name*, in any spelling; 0 means the rows outside any game."""
        person = same_person(name)
        return next((games for each, games in self.people().items() if same_person(each) == person), ())

    @property
    def renamings(self) -> Renamings:
        """The recorded changes and removals of names."""
        return self._answered(renamings)

    def lend_names(self, borrower: Callable[[sqlite3.Connection], None]) -> None:
        """Call *borrower* with the connection. It may read only the names."""
        self._answered(borrower)

    def _answered(self, ask: Callable[[sqlite3.Connection], T]) -> T:
        try:
            with self._inside:
                return ask(self._connection)
        except sqlite3.Error as error:
            raise self._unreadable(error) from error

    def newest(self) -> Row | None:
        """Return the newest row on the disk."""
        return next(self._stored("ORDER BY id DESC LIMIT 1"), None)

    def newest_digest(self) -> StoredDigest | None:
        """Return the number and the stored checksum of the newest row on the disk."""
        return next(self._asked("SELECT id, digest FROM row ORDER BY id DESC LIMIT 1"), None)

    def stored_digest(self, number: int) -> StoredDigest | None:
        """Return the number and the stored checksum of a row on the disk, or None if there is no such row."""
        return next(self._asked("SELECT id, digest FROM row WHERE id = ?", number), None)

    def row(self, number: int) -> Row | None:
        """Return the row with this number, or None."""
        waiting = (row for row in self.pending if row.id == number)
        return next(waiting, None) or next(self._stored("WHERE id = ?", number), None)

    def rows(self, game: int, before: int, after: int = 0) -> Iterator[Row]:
        """Yield the rows of a game with numbers above *after* and below *before*, oldest first."""
        chosen = "WHERE game = ? AND id > ? AND id < ? ORDER BY id"
        return self._all(chosen, (game, after, before), lambda row: row.game == game and after < row.id < before)

    def newest_of(self, game: int) -> int | None:
        """Return the number of the newest row of a game, or None if there is no such game.

        Beats of the clock do not count.
        """
        waiting = [row.id for row in self.pending if row.game == game and row.word != "beat"]
        found = waiting[-1] if waiting else next(self._asked(_NEWEST_OF, game), (None,))[0]
        return found if isinstance(found, int) else None

    @property
    def merged(self) -> tuple[tuple[int, int], ...]:
        """The first and last row of each span of rows from another ledger. They were not written at this table."""
        return spans_of(next(self._asked("SELECT value FROM meta WHERE name = 'merged'"), (None,))[0])

    def outside(self, kind: str, most: int, amiss: list[str]) -> tuple[Row, ...]:
        """Return the newest *most* rows of *kind* that belong to no game, oldest first.

        Damaged rows are left out, and the reason for each is appended to *amiss*. Rows that were merged from other
        ledgers are sorted before all rows of this ledger.
        """
        waiting = [row for row in self.pending if row.game is None and row.kind == kind][-most:]
        # The condition on the game lets SQLite use the index by game, which is fast in a ledger of any size.
        chosen = f"{_SELECT} WHERE game IS NULL AND kind = ? ORDER BY {_IS_MERGED}, id DESC LIMIT ?"
        found = self._asked(chosen, kind, json.dumps(self.merged), most - len(waiting))
        stored = [self._or_none(fields, amiss) for fields in found]
        return (*(row for row in reversed(stored) if row is not None), *waiting)

    def outside_after(self, after: int, kinds: Collection[str]) -> Iterator[Row]:
        """Yield the rows of *kinds* on the disk that belong to no game and have numbers above *after*, oldest first.

        Damaged rows are left out.
        """
        chosen = f"{_SELECT} WHERE game IS NULL AND id > ? ORDER BY id"
        found = (self._or_none(fields, []) for fields in self._asked(chosen, after))
        return (row for row in found if row is not None and row.kind in kinds)

    def recorded_as(self, source: tuple[str, str, int]) -> int | None:
        """Return the row of this ring event that is stored on the disk, or None."""
        chosen = "SELECT id FROM row WHERE kind = 'ring' AND device = ? AND boot = ? AND seq = ?"
        return next((number for (number,) in self._asked(chosen, *source)), None)

    def judged(self, raw: int) -> Row | None:
        """Return the judgement that was recorded in the row directly after the raw ring row *raw*, or None."""
        row = self.row(raw + 1)
        return row if row is not None and row.kind == "judgement" and row.ring == raw else None

    def lines(self, game: int, before: int, after: int = 0) -> Iterator[Row]:
        """Yield the lines of a game, including `undo`, with numbers above *after* and below *before*, oldest first."""
        chosen = "WHERE game = ? AND id > ? AND id < ? AND kind = 'line' ORDER BY id"
        return self._all(
            chosen,
            (game, after, before),
            lambda row: row.game == game and after < row.id < before and row.kind == "line",
        )

    def newest_lines(self, game: int, before: int, most: int) -> tuple[Row, ...]:
        """Return the newest *most* lines of a game with numbers below *before*, newest first, without `undo` lines."""
        waiting = [row for row in self.pending if row.game == game and row.kind == "line" and row.undoes is None]
        newest = [row for row in reversed(waiting) if row.id < before][:most]
        chosen = "WHERE game = ? AND id < ? AND kind = 'line' AND undoes IS NULL ORDER BY id DESC LIMIT ?"
        return (*newest, *self._stored(chosen, game, before, most - len(newest)))

    def undoings(self, lines: Iterable[int]) -> dict[int, Row]:
        """Return the `undo` row of each of these *lines* that was undone."""
        wanted = set(lines)
        marks = ", ".join("?" * len(wanted))
        rows = self._all(f"WHERE undoes IN ({marks})", tuple(wanted), lambda row: row.undoes in wanted)
        return {row.undoes: row for row in rows if row.undoes is not None}

    def live_game(self) -> int | None:
        """Return the game that was opened or switched to last at this table, or None."""
        chosen = f"WHERE word IN ('opened', 'switched') AND NOT {_IS_MERGED} ORDER BY id DESC LIMIT 1"
        newest = self._asked(f"SELECT game FROM row {chosen}", json.dumps(self.merged))  # noqa: S608 - no value in it
        return next((game for (game,) in newest if isinstance(game, int)), None)

    def has(self, source: tuple[str, str, int]) -> bool:
        """Return whether this event of a ring is on the disk."""
        return self.recorded_as(source) is not None

    def games(self) -> tuple[int, ...]:
        """Return the numbers of all games, newest first, including damaged ones."""
        stored = [game for (game,) in self._asked(_GAMES) if isinstance(game, int)]
        waiting = [row.id for row in self.pending if row.kind == "game"]
        return tuple(sorted({*stored, *waiting}, reverse=True))

    def touched(self, since: int) -> tuple[int, ...]:
        """Return the numbers of all games with a row after row *since*, oldest first; of all games if *since* is 0."""
        if not since:
            return self.games()[::-1]
        stored = self._asked("SELECT DISTINCT game FROM row WHERE id > ? AND game IS NOT NULL", since)
        waiting = {row.game for row in self.pending if row.game is not None and row.id > since}
        return tuple(sorted({game for (game,) in stored if isinstance(game, int)} | waiting))

    @property
    def game_count(self) -> int:
        """The number of games."""
        # Without this hint SQLite would use an index of all rows, which takes seconds for millions of rows.
        stored = next(self._asked("SELECT count(*) FROM row INDEXED BY row_first WHERE kind = 'game'"), (0,))[0]
        return int(stored) + sum(row.kind == "game" for row in self.pending)

    def games_before(self, before: int, most: int) -> tuple[int, ...]:
        """Return the numbers of the newest *most* games with numbers below *before*, newest first."""
        waiting = sorted((row.id for row in self.pending if row.kind == "game" and row.id < before), reverse=True)[
            :most
        ]
        stored: list[int] = []
        while len(waiting) + len(stored) < most:
            found = next(self._asked("SELECT max(game) FROM row WHERE game < ?", before), (None,))[0]
            if not isinstance(found, int):
                break
            stored.append(before := found)
        return tuple(dict.fromkeys((*waiting, *stored)))

    def marks(self) -> dict[int, bytes]:
        """Return a digest for each game on the disk.

        The digest changes with every new row and every changed name of the game.
        """
        found = {game: blake2b(_bytes(number, digest), digest_size=16) for game, number, digest in self._asked(_MARKS)}
        for game, place, digest in self._asked(_NAMES):
            if game in found:
                found[game].update(_bytes(place, digest))
        return {game: mark.digest() for game, mark in found.items()}

    def volume(self, game: int) -> Volume:
        """Return the data that a list of games shows about one game, except its header."""
        waiting = [row for row in self.pending if row.game == game and row.kind not in ("judgement", "clock")]
        query = "SELECT count(*), count(undoes) FROM row WHERE game = ? AND kind = 'line'"
        lines, undone = next(self._asked(query, game))
        lines += sum(row.kind == "line" for row in waiting)
        undone += sum(row.undoes is not None for row in waiting)
        newest = waiting[-1:] or list(self._stored(_NEWEST, game))
        wall_ms, number = (newest[0].wall_ms, newest[0].id) if newest else (0, 0)
        is_merged = any(first <= number <= last for first, last in self.merged)
        return Volume(self._turn(game, waiting), lines - 2 * undone, wall_ms, 0 if is_merged else number)

    def _turn(self, game: int, waiting: list[Row]) -> Row | None:
        marks = ", ".join("?" * len(_TURNS))
        chosen = f"WHERE game = ? AND kind = 'moment' AND word <> 'beat' AND word IN ({marks}) ORDER BY id DESC LIMIT 1"
        fresh = [row for row in reversed(waiting) if row.kind == "moment" and row.word in _TURNS]
        return next(iter(fresh), None) or next(self._stored(chosen, game, *_TURNS), None)

    def _all(self, chosen: str, values: tuple[Any, ...], keep: Callable[[Row], bool]) -> Iterator[Row]:
        yield from self._stored(chosen, *values)
        yield from filter(keep, tuple(self.pending))

    def _stored(self, chosen: str, *values: object) -> Iterator[Row]:
        yield from map(self._row, self._asked(f"{_SELECT} {chosen}", *values))

    def _row(self, fields: tuple[Any, ...]) -> Row:
        """Return the row in *fields* with its names filled in, or raise `Malformed` if its checksum does not match."""
        columns = fields[:-2]
        row = row_of(columns)
        if digest_of(fields[-1], columns) != fields[-2]:
            why = said("it was changed, or the row before it is gone")
            raise damaged(row.id, why)
        return named(row, self._name)

    def _name(self, game: int, place: int) -> str | None:
        try:
            with self._inside:
                name, whole = name_in(self._connection, game, place)
        except sqlite3.Error as error:
            raise self._unreadable(error) from error
        if not whole:
            self._misnamed.add(game)
        return name

    def _or_none(self, fields: tuple[Any, ...], amiss: list[str]) -> Row | None:
        try:
            return self._row(fields)
        except Malformed as fault:
            amiss.append(fault.reason)
            return None

    def _asked(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        try:
            with self._inside:
                cursor = self._connection.execute(query, values)
            while (row := self._next_of(cursor)) is not None:
                yield row
        except sqlite3.Error as error:
            raise self._unreadable(error) from error

    def _next_of(self, cursor: sqlite3.Cursor) -> tuple[Any, ...] | None:
        with self._inside:
            row: tuple[Any, ...] | None = cursor.fetchone()
        return row

    def _unreadable(self, error: sqlite3.Error) -> Unreadable:
        why = said("The ledger can't be read: %(why)s.", why=str(error))
        if not is_damage(error):
            return Unreadable(why)
        self._found_damaged()
        return PagesDamaged(why)

    def hides(self, game: int, number: int) -> bool:
        """Return True if the row with this *number* belongs to *game* but is missing from the index by game."""
        there = "SELECT digest FROM row NOT INDEXED WHERE id = ? AND game = ?"
        shown = "SELECT digest FROM row INDEXED BY row_by_game WHERE id = ? AND game = ?"
        table = next(self._asked(there, number, game), None)
        return table is not None and next(self._asked(shown, number, game), None) != table

    def mixes_up(self, game: int) -> bool:
        """Return whether the index by game differs from the table for this *game*. This scans the whole table."""
        # Compare all columns that the index contains. For any other column SQLite would read the row itself.
        there = "SELECT id, kind, undoes, digest FROM row NOT INDEXED WHERE game = ? ORDER BY id"
        shown = "SELECT id, kind, undoes, digest FROM row INDEXED BY row_by_game WHERE game = ? ORDER BY id"
        return list(self._asked(there, game)) != list(self._asked(shown, game))

    def disorder(self) -> PagesDamaged:
        """Record that an index does not contain all rows of the table, and return the exception to raise."""
        self._found_damaged()
        return PagesDamaged(said("The ledger can't be read: %(why)s.", why="an index doesn't show all rows"))

    def _found_damaged(self) -> None:
        """Record that pages of the file are damaged. The default does nothing."""


def _bytes(number: object, digest: object) -> bytes:
    return f"{number} {digest!r} ".encode()

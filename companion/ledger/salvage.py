"""What can be saved of a ledger that SQLite refuses: every row that is whole, taken over into a new one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from companion.ledger.names import is_whole
from companion.ledger.pages import Record, Value, entries, records
from companion.ledger.queries import spans_of
from companion.ledger.renaming import Renamings, renamings_of
from companion.ledger.row import RowKind
from companion.ledger.schema import lay_out

MOST = 1 << 40
"""No row has such a number; a byte that has tipped over may say so."""
# No JSON and no checksum: whoever reads it is told that it cannot be read.
_EMPTY = """INSERT OR IGNORE INTO row (id, game, kind, word, who, via, at_ms, step_ms, wall_ms, body)
    VALUES (?, ?, ?, '', '', '', 0, 0, 0, '')"""
_GAPS = """SELECT behind + 1, id - 1 FROM (SELECT id, lag(id, 1, 0) OVER (ORDER BY id) AS behind FROM row)
    WHERE id > behind + 1"""


class Saved(NamedTuple):
    """What came of it: so many *rows*, runs of rows that are *lost* nobody knows of which game, games without names."""

    rows: int
    lost: tuple[tuple[int, int], ...]
    nameless: tuple[int, ...]


NOTHING = Saved(0, (), ())


def salvage(damaged: Path, fresh: Path, identity: str = "", last: int = 0) -> Saved:
    """Make a ledger at *fresh* of what is whole in *damaged*; that may be nothing.

    *identity* is by what the ledger is known beside the file, for where that is lost in it, and *last* the number of
    its newest row: what a damaged index says of rows behind that never was.

    A row that is lost but for its place in an index leaves an empty one there: its game is told of as damaged.
    *damaged* is only read. Raises OSError and sqlite3.Error where *fresh* cannot be written.
    """
    with closing(sqlite3.connect(fresh, isolation_level=None)) as ledger:
        lay_out(ledger)
        # What is no JSON any more comes along too: its row is to be named, not missed.
        ledger.execute("PRAGMA ignore_check_constraints = ON")
        ledger.execute("BEGIN")
        width = len(ledger.execute("PRAGMA table_info(row)").fetchall())
        marks = ", ".join("?" * width)
        ledger.executemany(f"INSERT OR IGNORE INTO row VALUES ({marks})", _rows(damaged, width))  # noqa: S608
        rows, newest = ledger.execute("SELECT count(*), coalesce(max(id), 0) FROM row").fetchone()
        if identity and rows:
            ledger.execute("INSERT OR REPLACE INTO meta VALUES ('ledger', ?)", (identity,))
        _take_over_the_rest(damaged, ledger, max(last, newest) if last else MOST)
        ledger.execute("COMMIT")
        return Saved(rows, tuple(ledger.execute(_GAPS)), tuple(_nameless(ledger)))


def _rows(damaged: Path, width: int) -> Iterator[tuple[Value, ...]]:
    for number, columns in records(damaged):
        if _is_row((number, columns), width):
            yield number, *columns[1:]


def _is_row(record: Record, width: int) -> bool:
    """Tell whether *record* is a row of the ledger: its number stands outside, and its texts are texts or damaged."""
    columns = record[1]
    texts = all(isinstance(each, str | bytes) for each in columns[2:6])
    return len(columns) == width and columns[0] is None and texts and record[0] < MOST


def _take_over_the_rest(damaged: Path, ledger: sqlite3.Connection, last: int) -> None:
    """Take over what stands beside the rows, known by its looks: the ledger's identity, names, rows by their index."""
    for entry in entries(damaged):
        match entry:
            case (int() | None as game, int(number), str(kind), _, *_) if kind in list(RowKind) and 0 < number <= last:
                ledger.execute(_EMPTY, (number, game, kind))
            case ("ledger", str(identity)):
                ledger.execute("INSERT OR REPLACE INTO meta VALUES ('ledger', ?)", (identity,))
            # Else a game that came by a merge would pass for one that was put on this table.
            case ("merged", str(spans)) if spans_of(spans):
                ledger.execute("INSERT OR REPLACE INTO meta VALUES ('merged', ?)", (spans,))
            # Else a merge would bring names back that were removed.
            case ("names", str(changes)) if renamings_of(changes) != Renamings():
                ledger.execute("INSERT OR REPLACE INTO meta VALUES ('names', ?)", (changes,))
            # One that is not whole is lost: it would only keep a whole one out that lies on a later page.
            case (int(game), int(place), str() | None as text, bytes() | None as digest):
                if is_whole((game, place, text, digest)):
                    ledger.execute("INSERT OR IGNORE INTO name VALUES (?, ?, ?, ?)", entry)


def _nameless(ledger: sqlite3.Connection) -> Iterator[int]:
    """Yield the games in whose header somebody has a name that is lost."""
    for game, body in ledger.execute("SELECT id, body FROM row WHERE kind = 'game'").fetchall():
        known = {place for (place,) in ledger.execute("SELECT place FROM name WHERE game = ?", (game,))}
        try:
            places = {player["name"] for player in json.loads(body)["header"]["players"]}
        except (ValueError, TypeError, KeyError):
            continue  # a header that is damaged: its game says so
        if {place for place in places if isinstance(place, int)} - known:
            yield game

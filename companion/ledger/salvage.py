"""Save what is readable in a ledger that SQLite refuses: copy every intact row to a new ledger."""

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
"""No row has a number this large, but a flipped bit may produce one."""
# Without JSON and checksum: reading it raises `Malformed`.
_EMPTY = """INSERT OR IGNORE INTO row (id, game, kind, word, who, via, at_ms, step_ms, wall_ms, body)
    VALUES (?, ?, ?, '', '', '', 0, 0, 0, '')"""
_GAPS = """SELECT behind + 1, id - 1 FROM (SELECT id, lag(id, 1, 0) OVER (ORDER BY id) AS behind FROM row)
    WHERE id > behind + 1"""


class Saved(NamedTuple):
    """What was saved: the number of *rows*, the *lost* runs of rows of unknown games, and the games with lost names."""

    rows: int
    lost: tuple[tuple[int, int], ...]
    nameless: tuple[int, ...]


NOTHING = Saved(0, (), ())


def salvage(damaged: Path, fresh: Path, identity: str = "", last: int = 0) -> Saved:
    """Create a ledger at *fresh* from what is intact in *damaged*, which may be nothing. *damaged* is only read.

    *identity* and *last* come from the `.newest` file. *identity* is used if the damaged file has lost it. *last* is
    the number of the newest row, so that a damaged index cannot invent later rows. If a row is lost but still in an
    index, an empty row is written, so that its game is reported as damaged.

    Raises OSError and sqlite3.Error if *fresh* cannot be written.
    """
    with closing(sqlite3.connect(fresh, isolation_level=None)) as ledger:
        lay_out(ledger)
        # Copy bodies that are no longer JSON too: the row should be reported as damaged, not as missing.
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
    """Return whether *record* is a row of the ledger: it has the right number of columns, and texts where expected.

    A damaged text is read as bytes and accepted.
    """
    columns = record[1]
    texts = all(isinstance(each, str | bytes) for each in columns[2:6])
    return len(columns) == width and columns[0] is None and texts and record[0] < MOST


def _take_over_the_rest(damaged: Path, ledger: sqlite3.Connection, last: int) -> None:
    """Copy everything except rows, recognised by format: identity, names, merges, rows found only in an index."""
    for entry in entries(damaged):
        match entry:
            case (int() | None as game, int(number), str(kind), _, *_) if kind in list(RowKind) and 0 < number <= last:
                ledger.execute(_EMPTY, (number, game, kind))
            case ("ledger", str(identity)):
                ledger.execute("INSERT OR REPLACE INTO meta VALUES ('ledger', ?)", (identity,))
            # Without this a merged game would look like one that was opened at this table.
            case ("merged", str(spans)) if spans_of(spans):
                ledger.execute("INSERT OR REPLACE INTO meta VALUES ('merged', ?)", (spans,))
            # Without this a merge would bring removed names back.
            case ("names", str(changes)) if renamings_of(changes) != Renamings():
                ledger.execute("INSERT OR REPLACE INTO meta VALUES ('names', ?)", (changes,))
            # Skip a damaged name: it would block an intact one on a later page.
            case (int(game), int(place), str() | None as text, bytes() | None as digest):
                if is_whole((game, place, text, digest)):
                    ledger.execute("INSERT OR IGNORE INTO name VALUES (?, ?, ?, ?)", entry)


def _nameless(ledger: sqlite3.Connection) -> Iterator[int]:
    """Yield the games whose header refers to a lost name."""
    for game, body in ledger.execute("SELECT id, body FROM row WHERE kind = 'game'").fetchall():
        known = {place for (place,) in ledger.execute("SELECT place FROM name WHERE game = ?", (game,))}
        try:
            places = {player["name"] for player in json.loads(body)["header"]["players"]}
        except (ValueError, TypeError, KeyError):
            continue  # a damaged header is reported when its game is read
        if {place for place in places if isinstance(place, int)} - known:
            yield game

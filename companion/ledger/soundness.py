"""Whether a file is a ledger of ours and nothing else: its marks, and every part of its schema, word by word.

SQLite runs what a schema says: triggers, views, checks, generated columns. So a file with a part that we don't make is
refused, whoever opens it for whatever. Of what is ours and missing, a trigger is made again in our own ledger. Without
a table or an index rows may be doubled or lost already, so that is damage.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from contextlib import closing
from functools import cache

from companion.kernel.i18n import Said, said
from companion.ledger.errors import LedgerDamaged, LedgerFault
from companion.ledger.schema import NEW_PROBE, OURS, VERSION, known_version, lay_out
from companion.ledger.storage import transaction

Part = tuple[str, str, str, str | None]
"""Kind, name, table and text of one part of a schema, as `sqlite_master` has them."""

NEXT_VERSIONS = 16
"""So far ahead may a program be that wrote a ledger: a number beyond is damage, not the future."""
GREATEST = 1 << 40
"""No row has such a number."""
LONGEST_MERGED = 200_000
"""Letters that tell of what was laid in from other ledgers: some ten thousand merges."""
_PARTS = "SELECT type, name, tbl_name, sql FROM sqlite_master"
_MADE_AGAIN = ("index", "trigger")
# A header that its index has and the list of games has not: the list is made by another index.
_UNLISTED = """WITH RECURSIVE found(game) AS (
    SELECT min(game) FROM row UNION ALL
    SELECT (SELECT min(game) FROM row WHERE game > found.game) FROM found WHERE game IS NOT NULL
) SELECT id FROM row INDEXED BY row_first
WHERE kind = 'game' AND id NOT IN (SELECT game FROM found WHERE game IS NOT NULL)"""
_TAKEN_BY_ITS_NUMBER = "SELECT id FROM row NOT INDEXED WHERE id = ? AND game = id AND kind = 'game'"
_IDENTITY = re.compile(r"[0-9a-f]{32}")


def check_ours(connection: sqlite3.Connection) -> int:
    """Return the version of the file's shape, 0 for a database without anything in it, or raise `LedgerFault`.

    Indexes and triggers may be missing, with which nothing that is read is another: `missing_parts` names them.
    """
    there = Counter(connection.execute(_PARTS).fetchall())
    _check_header(connection, there)
    version = known_version(connection)
    (encoding,) = connection.execute("PRAGMA encoding").fetchone()
    if there and encoding != "UTF-8":
        raise LedgerDamaged(f"Its texts are in {encoding}, which the companion never writes.")
    ours = parts() if version else frozenset()
    for part in sorted((there - Counter(ours)).keys(), key=str):
        raise LedgerDamaged(_strange(part))
    for kind, name, *_ in sorted(ours - there.keys(), key=str):
        if kind not in _MADE_AGAIN:
            raise LedgerDamaged(f"This ledger is damaged: its {name} is wrong or missing.")
    if version:
        _check_newest(connection)
    # Only now, since all of it is ours. The check on bodies calls json_valid, which SQLite trusts in no schema.
    connection.execute("PRAGMA trusted_schema = ON")
    return version


def missing_parts(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the indexes and triggers that a ledger has and the file has not: `trigger row_stays`."""
    return tuple(f"{kind} {name}" for kind, name, *_ in _missing(connection))


def _missing(connection: sqlite3.Connection) -> list[Part]:
    return sorted(parts() - set(connection.execute(_PARTS)), key=str)


def mend(connection: sqlite3.Connection) -> tuple[Said, ...]:
    """Make triggers again that are missing in our own ledger; return what to say.

    Raises `LedgerDamaged` for a missing index. The mark that is written over to try the storage is made again without
    a word: nothing follows from it.
    """
    missing = missing_parts(connection)
    for part in missing:
        if part.startswith("index"):
            raise LedgerDamaged(f"This ledger is damaged: its {part.split()[1]} is wrong or missing.")
    if missing or connection.execute("SELECT count(*) FROM probe").fetchone() != (1,):
        with transaction(connection):
            for *_, sql in _missing(connection):
                connection.execute(sql or "")
            connection.execute(NEW_PROBE)
    return tuple(said("The ledger's %(part)s was missing. The companion made it again.", part=each) for each in missing)


def check_listed(connection: sqlite3.Connection) -> None:
    """Raise `LedgerDamaged` where games are there that no list would show."""
    for (number,) in connection.execute(_UNLISTED).fetchall():
        if connection.execute(_TAKEN_BY_ITS_NUMBER, (number,)).fetchone():
            raise LedgerDamaged(f"This ledger is damaged: its index doesn't show game {number}.")


def check_values(connection: sqlite3.Connection) -> None:
    """Raise `LedgerDamaged` where a file of somebody else holds what would stop us from going on with it."""
    least, most = connection.execute("SELECT coalesce(min(id), 1), coalesce(max(id), 1) FROM row").fetchone()
    if not 0 < least <= most < GREATEST:
        raise LedgerDamaged(f"Its rows have numbers from {least} to {most}, which the companion never gives.")
    for table, number in connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall():
        if table != "row" or not isinstance(number, int) or not 0 <= number < GREATEST:
            raise LedgerDamaged("Its count of rows isn't one that the companion keeps.")
    marks = connection.execute("SELECT id, typeof(mark) FROM probe").fetchall()
    if marks != [(1, "integer")]:
        raise LedgerDamaged("Its mark for trying the storage is wrong or missing.")
    # A ledger that lost its identity on a damaged card still works.
    found = connection.execute("SELECT value FROM meta WHERE name = 'ledger'").fetchone()
    if found is not None and not (isinstance(found[0], str) and _IDENTITY.fullmatch(found[0])):
        raise LedgerDamaged("Its identity isn't one that the companion gives.")
    (laid_in,) = connection.execute("SELECT coalesce(max(length(value)), 0) FROM meta WHERE name = 'merged'").fetchone()
    if laid_in > LONGEST_MERGED:
        raise LedgerDamaged("It tells of more merges than anybody has made.")


@cache
def parts() -> frozenset[Part]:
    """Return every part of the schema of a ledger."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        lay_out(empty)
        return frozenset(empty.execute(_PARTS))


def _check_newest(connection: sqlite3.Connection) -> None:
    """Raise `LedgerDamaged` for a newest row after which no row can be numbered."""
    try:
        (newest,) = connection.execute("SELECT max(id) FROM row").fetchone()
    except sqlite3.DatabaseError:
        return  # a page of the table is lost: whoever needs it is told, and the rest can be read
    if newest is not None and newest >= GREATEST:
        raise LedgerDamaged(f"This ledger is damaged: it has a row {newest}, a number that the companion never gives.")


def _check_header(connection: sqlite3.Connection, there: Counter[Part]) -> None:
    """Raise `LedgerDamaged` where the file has our shape, but says that it is another's or of another time."""
    marks = [int(connection.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("application_id", "user_version")]
    fits = marks[0] == OURS and VERSION <= marks[1] <= VERSION + NEXT_VERSIONS
    if not fits and _tables(parts()) <= there.keys():
        raise LedgerDamaged("This ledger is damaged: its header doesn't match.")
    if marks[1] < 0:
        raise LedgerFault("This file is a database, but not a ledger of the companion.")


def _tables(some: frozenset[Part]) -> frozenset[Part]:
    return frozenset(part for part in some if part[0] == "table")


def _strange(part: Part) -> str:
    """Say which part isn't ours; its name comes from a file of somebody else, and is quoted and cut."""
    kind, name = str(part[0])[:20], str(part[1])
    if any(name == known for _, known, *_ in parts()):
        return f"Its {kind} {name} isn't the one that the companion makes."
    quoted = ascii(name if len(name) <= 40 else f"{name[:40]}…")
    return f"It holds a {kind} named {quoted}, which the companion never makes."


def check_holds_ledger(version: int) -> None:
    """Raise `LedgerFault` for a database that has nothing in it."""
    if version < 1:
        raise LedgerFault("This file is empty: it holds no ledger.")

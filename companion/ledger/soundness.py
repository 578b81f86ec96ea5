"""Check that a file is a ledger: its header, and the SQL text of every part of its schema.

SQLite executes code in a schema: triggers, views, checks and generated columns. Therefore a file with any part that the
companion does not create is never opened. A missing trigger is recreated in the companion's own ledger. A missing table
or index counts as damage, because without it rows may have been duplicated or lost.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from contextlib import closing
from functools import cache

from companion.kernel.said import Said, said
from companion.ledger.errors import LedgerDamaged, LedgerFault
from companion.ledger.schema import NEW_PROBE, OURS, VERSION, known_version, lay_out
from companion.ledger.storage import transaction

Part = tuple[str, str, str, str | None]
"""Type, name, table and SQL text of one part of a schema, as in `sqlite_master`."""

NEXT_VERSIONS = 16
"""The number of later schema versions that count as written by a newer program.

A larger number in the header is damage.
"""
GREATEST = 1 << 40
"""No row has a number this large."""
LONGEST_MERGED = 200_000
"""The maximum length of `merged` in `meta`, in characters. It is enough for about ten thousand merges."""
_PARTS = "SELECT type, name, tbl_name, sql FROM sqlite_master"
_MADE_AGAIN = ("index", "trigger")
# This selects headers of games that the index of headers contains but the index by game does not.
_UNLISTED = """WITH RECURSIVE found(game) AS (
    SELECT min(game) FROM row UNION ALL
    SELECT (SELECT min(game) FROM row WHERE game > found.game) FROM found WHERE game IS NOT NULL
) SELECT id FROM row INDEXED BY row_first
WHERE kind = 'game' AND id NOT IN (SELECT game FROM found WHERE game IS NOT NULL)"""
_TAKEN_BY_ITS_NUMBER = "SELECT id FROM row NOT INDEXED WHERE id = ? AND game = id AND kind = 'game'"
_IDENTITY = re.compile(r"[0-9a-f]{32}")


def check_ours(connection: sqlite3.Connection) -> int:
    """Return the version of the file's schema, or 0 for an empty database, or raise `LedgerFault`.

    Missing indexes and triggers are accepted, because they do not change what is read. `missing_parts` lists them.
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
    # Only here is the whole schema known to be harmless. Its CHECK calls json_valid, which SQLite allows only in
    # trusted schemas.
    connection.execute("PRAGMA trusted_schema = ON")
    return version


def missing_parts(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the indexes and triggers that the file lacks, for example `trigger row_stays`."""
    return tuple(f"{kind} {name}" for kind, name, *_ in _missing(connection))


def _missing(connection: sqlite3.Connection) -> list[Part]:
    return sorted(parts() - set(connection.execute(_PARTS)), key=str)


def mend(connection: sqlite3.Connection) -> tuple[Said, ...]:
    """Recreate missing triggers in the companion's own ledger, and return a message for each.

    Raises `LedgerDamaged` for a missing index. A missing row in `probe`, which only tests the storage, is recreated
    without a message.
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
    """Raise `LedgerDamaged` if the index by game does not contain a game; lists would not show that game."""
    for (number,) in connection.execute(_UNLISTED).fetchall():
        if connection.execute(_TAKEN_BY_ITS_NUMBER, (number,)).fetchone():
            raise LedgerDamaged(f"This ledger is damaged: its index doesn't show game {number}.")


def check_values(connection: sqlite3.Connection) -> None:
    """Raise `LedgerDamaged` if a file contains values with which the companion could not continue."""
    least, most = connection.execute("SELECT coalesce(min(id), 1), coalesce(max(id), 1) FROM row").fetchone()
    if not 0 < least <= most < GREATEST:
        raise LedgerDamaged(f"Its rows have numbers from {least} to {most}, which the companion never gives.")
    for table, number in connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall():
        if table != "row" or not isinstance(number, int) or not 0 <= number < GREATEST:
            raise LedgerDamaged("Its stored number of rows is invalid.")
    marks = connection.execute("SELECT id, typeof(mark) FROM probe").fetchall()
    if marks != [(1, "integer")]:
        raise LedgerDamaged("Its mark for trying the storage is wrong or missing.")
    # A ledger that lost its identity on a damaged card still works.
    found = connection.execute("SELECT value FROM meta WHERE name = 'ledger'").fetchone()
    if found is not None and not (isinstance(found[0], str) and _IDENTITY.fullmatch(found[0])):
        raise LedgerDamaged("Its identity isn't one that the companion gives.")
    (merged_length,) = connection.execute(
        "SELECT coalesce(max(length(value)), 0) FROM meta WHERE name = 'merged'"
    ).fetchone()
    if merged_length > LONGEST_MERGED:
        raise LedgerDamaged("It lists more merges than are possible.")


@cache
def parts() -> frozenset[Part]:
    """Return all parts of the schema of a ledger."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        lay_out(empty)
        return frozenset(empty.execute(_PARTS))


def _check_newest(connection: sqlite3.Connection) -> None:
    """Raise `LedgerDamaged` if the number of the newest row is so large that no row can follow."""
    try:
        (newest,) = connection.execute("SELECT max(id) FROM row").fetchone()
    except sqlite3.DatabaseError:
        return  # a page of the table is lost; reading it raises an error later, and the other pages can be read
    if newest is not None and newest >= GREATEST:
        raise LedgerDamaged(f"This ledger is damaged: it has a row {newest}, a number that the companion never gives.")


def _check_header(connection: sqlite3.Connection, there: Counter[Part]) -> None:
    """Raise `LedgerDamaged` if the file has a ledger's tables but another program's header or an impossible version."""
    marks = [int(connection.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("application_id", "user_version")]
    fits = marks[0] == OURS and VERSION <= marks[1] <= VERSION + NEXT_VERSIONS
    if not fits and _tables(parts()) <= there.keys():
        raise LedgerDamaged("This ledger is damaged: its header doesn't match.")
    if marks[1] < 0:
        raise LedgerFault("This file is a database, but not a ledger of the companion.")


def _tables(some: frozenset[Part]) -> frozenset[Part]:
    return frozenset(part for part in some if part[0] == "table")


def _strange(part: Part) -> str:
    """Return a sentence that names a part that is not allowed.

    The name may come from an attacker, so it is quoted and shortened.
    """
    kind, name = str(part[0])[:20], str(part[1])
    if any(name == known for _, known, *_ in parts()):
        return f"Its {kind} {name} isn't the one that the companion makes."
    quoted = ascii(name if len(name) <= 40 else f"{name[:40]}…")
    return f"It holds a {kind} named {quoted}, which the companion never makes."


def check_holds_ledger(version: int) -> None:
    """Raise `LedgerFault` for an empty database."""
    if version < 1:
        raise LedgerFault("This file is empty: it holds no ledger.")

"""Yield every row of a ledger in the order of the numbers, with the ranges that cannot be read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

AT_ONCE = 500
_FIRST = -(2**63)


@dataclass(frozen=True)
class Unread:
    """The rows from *first* to *last* cannot be read; *why* is SQLite's message.

    Some of these numbers may never have been used.
    """

    first: int
    last: int
    why: str


def rows_in(connection: sqlite3.Connection, columns: str, table: str = "row") -> Iterator[tuple[Any, ...] | Unread]:
    """Yield *columns* of each row of *table*, the number first, in batches, so that rows may be changed meanwhile.

    It reads the table itself, not an index. After a damaged page it continues with the next readable row.
    """
    query = f"SELECT {columns} FROM {table} NOT INDEXED WHERE id >= ? ORDER BY id LIMIT ?"  # noqa: S608 - both are ours
    after, most, last = _FIRST, AT_ONCE, None
    while True:
        try:
            found = _some(connection, query, after + 1, most)
        except sqlite3.DatabaseError as error:
            if most > 1:
                most = 1  # one by one up to the damaged row
                continue
            last = _last(connection, table) if last is None else last
            behind = _behind(connection, query, after + 1, last)
            yield Unread(max(after, 0) + 1, behind - 1, str(error))
            after, most = behind - 1, AT_ONCE
            if behind > last:
                return
            continue
        if not found:
            return
        yield from found
        after = max(after, found[-1][0])


def _some(connection: sqlite3.Connection, query: str, first: int, most: int) -> list[tuple[Any, ...]]:
    found = connection.execute(query, (first, most)).fetchall()
    if found and found[-1][0] < first:
        raise sqlite3.DatabaseError("rows are out of order")
    return found


def _behind(connection: sqlite3.Connection, query: str, bad: int, last: int) -> int:
    """Return the first number after *bad* from which rows can be read, or *last* + 1 if all are unreadable."""
    step = 1
    while bad + step <= last and not _readable(connection, query, bad + step):
        step *= 2
    good, bad = min(bad + step, last + 1), bad + step // 2
    while good - bad > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if _readable(connection, query, middle) else (good, middle)
    return good


def _readable(connection: sqlite3.Connection, query: str, first: int) -> bool:
    try:
        return bool(_some(connection, query, first, 1))
    except sqlite3.DatabaseError:
        return False


def _last(connection: sqlite3.Connection, table: str) -> int:
    """Return the largest row number that was ever used, as far as the file can be read."""
    for query in (f"SELECT max(id) FROM {table}", f"SELECT seq FROM sqlite_sequence WHERE name = '{table}'"):  # noqa: S608
        try:
            found = connection.execute(query).fetchone()
        except sqlite3.DatabaseError:
            continue
        if found is not None and isinstance(found[0], int):
            return found[0]
    return 0

"""Verify a whole ledger. Rows that do not follow from the row before them and missing rows at the end are reported."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.progress import ProgressWatch, unwatched
from companion.kernel.shown import shows
from companion.ledger.errors import LedgerFault, reason
from companion.ledger.findings import Finding, Harm, Verdict, finding, renamed
from companion.ledger.names import MARK, OUTSIDE, is_whole, places_in
from companion.ledger.queries import Queries
from companion.ledger.read_connection import connect_to_read
from companion.ledger.row import COLUMNS, digest_of, row_of
from companion.ledger.soundness import check_holds_ledger, check_ours, missing_parts
from companion.ledger.writer import Newest, Torn, read_newest

# `rows_in` yields every row of a ledger in the order of the numbers, and the ranges that cannot be read.

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
    """Yield *columns* of each row of *table*; the first column is the number.

    It reads in batches, so that rows can be written meanwhile. It reads the table itself, not an index. After a
    damaged page it continues with the next readable row.
    """
    query = f"SELECT {columns} FROM {table} NOT INDEXED WHERE id >= ? ORDER BY id LIMIT ?"  # noqa: S608 - both are ours
    after, most, last = _FIRST, AT_ONCE, None
    while True:
        try:
            found = _some(connection, query, after + 1, most)
        except sqlite3.DatabaseError as error:
            if most > 1:
                most = 1  # read rows one by one up to the damaged row
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
    """Return the largest row number that was ever used, as far as the file is readable."""
    for query in (f"SELECT max(id) FROM {table}", f"SELECT seq FROM sqlite_sequence WHERE name = '{table}'"):  # noqa: S608
        try:
            found = connection.execute(query).fetchone()
        except sqlite3.DatabaseError:
            continue
        if found is not None and isinstance(found[0], int):
            return found[0]
    return 0


# `Chain` checks one chain of rows, link by link. The checksum of a row covers the checksum of the row before it in the
# same chain. A row that does not fit is doubtful until a later row of its chain is read:
# - If the later row follows the last good row, the doubtful rows were inserted.
# - If the later row follows the checksum stored in the doubtful row, the contents of the doubtful row were changed.
# - If the later row follows the checksum computed for the doubtful row, the stored checksum was changed.


@dataclass
class Gap:
    """A range of row numbers that are missing or unreadable.

    *missed* maps each chain that breaks at this gap to the number of the first row after the break.
    """

    harm: Harm
    first: int
    last: int
    why: str = ""
    missed: dict[object, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ChainDoubt:
    """Doubtful rows of one chain: *first* to *last* do not follow *after*, the last good row before them.

    *own* is False if the next row follows the checksum computed for the doubtful row, not the one stored with it.
    """

    harm: Harm
    game: object
    first: int
    last: int
    after: int
    own: bool = True


@shows("_last", "_head", "_doubtful")
class Chain:
    """One chain of rows, in the order of their numbers: the rows of one game, or the rows that belong to no game."""

    def __init__(self, game: object) -> None:
        self._game = game
        self._last = 0
        self._head: object = None
        self._doubtful: list[int] = []
        self._either: tuple[object, object] = (None, None)

    def follow(self, number: int, fields: tuple[Any, ...], stored: object, gaps: list[Gap]) -> list[ChainDoubt]:
        """Check the next row, and return the doubts about earlier rows that it confirms.

        *stored* is its stored checksum.
        """
        if digest_of(self._head, fields) == stored:
            found = self._doubts_of(Harm.PUT_IN)
        elif self._doubtful and digest_of(self._either[0], fields) == stored:
            found = self._doubts_of(Harm.CHANGED)
        elif self._doubtful and digest_of(self._either[1], fields) == stored:
            found = self._doubts_of(Harm.CHANGED, own=False)
        elif self._misses(number, gaps):
            found = self._doubts_of(Harm.CHANGED)
        else:
            self._doubt(number, fields, stored)
            return []
        self._last, self._head, self._doubtful = number, stored, []
        return found

    def end(self, known: int | None) -> list[ChainDoubt]:
        """Return the doubts about the last rows of the chain, which no later row can resolve.

        *known* is the last row that the companion is known to have written. Rows after it were inserted.
        """
        if not self._doubtful:
            return []
        added = self._either[0] is None or (known is not None and self._doubtful[0] > known)
        return self._doubts_of(Harm.PUT_IN if added else Harm.CHANGED)

    def _doubts_of(self, harm: Harm, own: bool = True) -> list[ChainDoubt]:
        if not self._doubtful:
            return []
        return [ChainDoubt(harm, self._game, self._doubtful[0], self._doubtful[-1], self._last, own)]

    def _doubt(self, number: int, fields: tuple[Any, ...], stored: object) -> None:
        before = self._either[0] if self._doubtful else self._head
        self._either = (stored, digest_of(before, fields))
        self._doubtful.append(number)

    def _misses(self, number: int, gaps: list[Gap]) -> bool:
        newest = self._doubtful[-1] if self._doubtful else self._last
        between = [gap for gap in gaps if gap.first > newest]
        for gap in between:
            gap.missed[self._game] = number
        return bool(between)


_COMPLAINTS = 3


def verify(path: Path, watch: ProgressWatch = unwatched) -> Verdict:
    """Check the ledger at *path* and return all problems, or raise `LedgerFault`. The file is never written.

    The ledger may be in use, and it may be a copy in any folder. *watch* is called for each row.
    """
    # Read this before the rows. Otherwise a row that is committed during the check would look as if it had been cut
    # off.
    newest, end_unchecked = _known_end(path)
    try:
        with closing(connect_to_read(path)) as connection:
            connection.execute("BEGIN")
            version = check_ours(connection)
            if version == 0 and newest is not None:
                return Verdict(0, Inspection(newest).findings(), end_unchecked)
            check_holds_ledger(version)
            if newest is not None and newest.ledger != Queries(connection).identity:
                newest, end_unchecked = None, "The file that marks the ledger's end belongs to another ledger."
            seen = Inspection(newest)
            for found in watch(rows_in(connection, f"{COLUMNS}, digest")):
                seen.take(found)
            names = changed_names(connection, seen.referred)
            found = (*_disorder(connection), *seen.findings(), *names)
            return Verdict(seen.rows, found, end_unchecked, missing_parts(connection))
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise LedgerFault(f"{path} can't be read as a ledger: {reason(error)}.") from error


@shows("rows", "_last", "_other_end")
class Inspection:
    """Collects the findings while the rows are read. *newest* is the newest row according to the `.newest` file."""

    def __init__(self, newest: Newest | None) -> None:
        self.rows = 0
        self._newest = newest
        self._last = 0
        self._gaps: list[Gap] = []
        self._chains: dict[object, Chain] = {}
        self._doubts: list[ChainDoubt] = []
        self._other_end = False
        self.referred: set[tuple[int, int]] = set()
        """Game and index of each name that a row refers to."""

    def take(self, found: tuple[Any, ...] | Unread) -> None:
        """Check the next row, or record a range of rows that cannot be read."""
        if isinstance(found, Unread):
            self._gaps.append(Gap(Harm.UNREADABLE, found.first, found.last, found.why))
            self._last = max(self._last, found.last)
            return
        self.rows += 1
        number, game = found[0], found[1]
        if number > self._last + 1:
            self._gaps.append(Gap(Harm.CUT_OUT, self._last + 1, number - 1))
        self._last = max(self._last, number)
        chain = self._chains.setdefault(game, Chain(game))
        self._refer(found)
        self._doubts += chain.follow(number, found[:-1], found[-1], self._gaps)
        if self._newest is not None and number == self._newest.number:
            self._other_end = found[-1] != self._newest.digest

    def _refer(self, found: tuple[Any, ...]) -> None:
        if found[2] == "game" or str(found[4]).startswith(MARK):
            with suppress(Malformed):  # a damaged row is reported because of its checksum
                row = row_of(found[:-1])
                self.referred.update((row.game or OUTSIDE, place) for place in places_in(row))

    def findings(self) -> tuple[Finding, ...]:
        """Return all findings, sorted by row number."""
        known = None if self._newest is None else self._newest.number
        doubts = self._doubts + [doubt for chain in self._chains.values() for doubt in chain.end(known)]
        moved = [doubt for doubt in doubts if doubt.harm is Harm.PUT_IN]
        found = [_of_doubt(doubt, moved) for doubt in doubts] + [each for gap in self._gaps for each in _of_gap(gap)]
        return tuple(sorted([*found, *self._end(found)], key=lambda each: (each.first, each.harm)))

    def _end(self, found: list[Finding]) -> Iterator[Finding]:
        """Yield a finding if the last rows are missing or do not agree with the `.newest` file."""
        if self._newest is None:
            return
        number, game = self._newest.number, self._newest.game or None
        if number > self._last:
            yield finding(Harm.CUT_OFF, self._last + 1, number, game if number == self._last + 1 else None)
        elif self._other_end and not any(each.first <= number <= each.last for each in found):
            yield finding(Harm.CHANGED, number, number, game)


def _of_doubt(doubt: ChainDoubt, moved: list[ChainDoubt]) -> Finding:
    """Return the finding for a doubt.

    If a row does not follow in its chain, the row before it may have been moved to another game. In this case the moved
    row is reported.
    """
    if doubt.harm is Harm.CHANGED and doubt.own and doubt.first == doubt.last:
        for other in moved:
            if other.game != doubt.game and doubt.after < other.first and other.last < doubt.first:
                return finding(Harm.CUT_OUT, other.first, other.last, doubt.game)
    return finding(doubt.harm, doubt.first, doubt.last, doubt.game)


def _of_gap(gap: Gap) -> Iterator[Finding]:
    games = list(gap.missed)
    yield finding(gap.harm, gap.first, gap.last, games[0] if len(games) == 1 else None, gap.why)
    if len(games) > gap.last - gap.first + 1:
        # More chains are broken than rows are missing, so in one of the chains the row itself was changed.
        yield from (finding(Harm.CHANGED, number, number, game) for game, number in gap.missed.items())


def _known_end(path: Path) -> tuple[Newest | None, str]:
    try:
        return read_newest(path), ""
    except Torn as fault:
        return None, f"The file that marks the ledger's end can't be read: {fault}."


def changed_names(connection: sqlite3.Connection, referred: set[tuple[int, int]]) -> Iterator[Finding]:
    """Yield a finding for each game with a name that was changed, or with a reference to a missing name."""
    held, harmed = set(), set()
    try:
        for game, place, text, digest in connection.execute("SELECT game, place, text, digest FROM name"):
            held.add((game, place))
            if not is_whole((game, place, text, digest)):
                harmed.add(game)
    except sqlite3.DatabaseError:
        return  # the page of the row is lost, which is reported as disorder
    yield from (renamed(game) for game in sorted(harmed | {game for game, _ in referred - held}))


def _disorder(connection: sqlite3.Connection) -> Iterator[Finding]:
    """Yield a finding if SQLite's own check reports a problem of pages or indexes."""
    try:
        messages = [line for (line,) in connection.execute(f"PRAGMA integrity_check({_COMPLAINTS})")]
    except sqlite3.DatabaseError as error:
        messages = [str(error)]
    if messages != ["ok"]:
        yield finding(Harm.DISORDER, 0, 0, None, "; ".join(messages))

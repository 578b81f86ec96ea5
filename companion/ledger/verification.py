"""Verify a whole ledger: report rows that do not follow the row before them, and a missing end."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.progress import ProgressWatch, unwatched
from companion.kernel.shown import shows
from companion.ledger.chain import Chain, ChainDoubt, Gap
from companion.ledger.errors import LedgerFault, reason
from companion.ledger.findings import Finding, Harm, Verdict, finding, renamed
from companion.ledger.names import MARK, OUTSIDE, is_whole, places_in
from companion.ledger.newest import Newest, Torn, newest_beside
from companion.ledger.queries import Queries
from companion.ledger.read_connection import connect_to_read
from companion.ledger.row import COLUMNS, row_of
from companion.ledger.scan import Unread, rows_in
from companion.ledger.soundness import check_holds_ledger, check_ours, missing_parts

_COMPLAINTS = 3


def verify(path: Path, watch: ProgressWatch = unwatched) -> Verdict:
    """Return what is wrong with the ledger at *path*, or raise `LedgerFault`. It is read row by row and never written.

    The ledger may be in use, or be a copy anywhere. *watch* is called for each row.
    """
    # Read this before the rows: a row that is committed meanwhile must not look as if it had been cut off.
    newest, beside = _beside(path)
    try:
        with closing(connect_to_read(path)) as connection:
            connection.execute("BEGIN")
            version = check_ours(connection)
            if version == 0 and newest is not None:
                return Verdict(0, Inspection(newest).findings(), beside)
            check_holds_ledger(version)
            if newest is not None and newest.ledger != Queries(connection).identity:
                newest, beside = None, "The file beside the ledger that marks its end belongs to another ledger."
            seen = Inspection(newest)
            for found in watch(rows_in(connection, f"{COLUMNS}, digest")):
                seen.take(found)
            names = changed_names(connection, seen.referred)
            found = (*_disorder(connection), *seen.findings(), *names)
            return Verdict(seen.rows, found, beside, missing_parts(connection))
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise LedgerFault(f"{path} can't be read as a ledger: {reason(error)}.") from error


@shows("rows", "_last", "_other_end")
class Inspection:
    """What has been found while the rows are read. *newest* is the newest row according to the `.newest` file."""

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
        """Yield the finding if the ledger's end is missing or differs from the `.newest` file."""
        if self._newest is None:
            return
        number, game = self._newest.number, self._newest.game or None
        if number > self._last:
            yield finding(Harm.CUT_OFF, self._last + 1, number, game if number == self._last + 1 else None)
        elif self._other_end and not any(each.first <= number <= each.last for each in found):
            yield finding(Harm.CHANGED, number, number, game)


def _of_doubt(doubt: ChainDoubt, moved: list[ChainDoubt]) -> Finding:
    """Return what a doubt means.

    If a row does not fit its chain, the row before it may have been moved to another game. Then the moved row is
    reported.
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
        # More chains are broken than rows are missing, so in one of them the row itself was changed.
        yield from (finding(Harm.CHANGED, number, number, game) for game, number in gap.missed.items())


def _beside(path: Path) -> tuple[Newest | None, str]:
    try:
        return newest_beside(path), ""
    except Torn as fault:
        return None, f"The file beside the ledger that marks its end can't be read: {fault}."


def changed_names(connection: sqlite3.Connection, referred: set[tuple[int, int]]) -> Iterator[Finding]:
    """Yield a finding for each game with a name that was changed, or with a reference to a missing name."""
    held, harmed = set(), set()
    try:
        for game, place, text, digest in connection.execute("SELECT game, place, text, digest FROM name"):
            held.add((game, place))
            if not is_whole((game, place, text, digest)):
                harmed.add(game)
    except sqlite3.DatabaseError:
        return  # its page is lost, which is reported as disorder
    yield from (renamed(game) for game in sorted(harmed | {game for game, _ in referred - held}))


def _disorder(connection: sqlite3.Connection) -> Iterator[Finding]:
    """Yield a finding for what SQLite's own check reports about pages and indexes."""
    try:
        told = [line for (line,) in connection.execute(f"PRAGMA integrity_check({_COMPLAINTS})")]
    except sqlite3.DatabaseError as error:
        told = [str(error)]
    if told != ["ok"]:
        yield finding(Harm.DISORDER, 0, 0, None, "; ".join(told))

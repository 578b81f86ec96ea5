"""Merge growing ledgers into one repeatedly. Each time, only the rows that are new are read and compared.

The result is the same as if `merge` was called with the whole ledgers. For each game that has grown recently, the
merger remembers which rows were merged, and their new numbers. A game that is not remembered, or that was continued in
two ways, is merged by `merge`.
"""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from companion.kernel.errors import Malformed
from companion.kernel.shown import shows
from companion.ledger.errors import LedgerFault
from companion.ledger.file import Ledger
from companion.ledger.merging import (
    Merged,
    append_asides,
    append_rows,
    asides_after,
    begins,
    chain_of,
    links,
    merge_game,
    people_of,
    rows_of,
)
from companion.ledger.queries import Queries
from companion.ledger.row import Row

REMEMBERED = 512
"""The maximum number of remembered games. No club has more games than this that grow at the same time."""


@dataclass
class _Branch:
    """A game of the common ledger: its *number*, the checksums of its rows, and their numbers."""

    number: int
    chain: list[str] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)


@dataclass
class _Followed:
    """The merged part of a game of another ledger: its rows are the first of *branch*. *last* is its newest row."""

    branch: _Branch
    places: dict[int, int]
    not_people: frozenset[str]
    last: int


@shows("_into", "_followed")
class Merger:
    """Merges other ledgers into the ledger *into*, which nobody else changes in the meantime."""

    def __init__(self, into: Ledger) -> None:
        self._into = into
        self._identities: dict[str, list[int]] = {}
        self._branches: dict[int, _Branch] = {}
        self._followed: OrderedDict[tuple[Hashable, int], _Followed] = OrderedDict()
        self._asides = set(asides_after(into, 0))
        for game in reversed(into.games()):
            self._identities.setdefault(into.game_identity(game), []).append(game)

    def merge(self, source: Hashable, other: Queries, after: int) -> tuple[Merged, tuple[str, ...]]:
        """Merge the rows of *other* with numbers above *after*. *source* identifies *other* from one call to the next.

        Returns the counts, and a sentence for each game that could not be merged because a row of it is damaged. The
        names are not adopted.
        """
        merged, amiss = Merged(), []
        for game in other.touched(after):
            try:
                merged += self._merge_game(source, other, game)
            except Malformed as fault:
                amiss.append(fault.reason)
            except LedgerFault as fault:
                if not isinstance(fault.__cause__, sqlite3.IntegrityError):
                    raise
                amiss.append(f"game {game} has the same event of a ring twice")
        fresh = {key: row for key, row in asides_after(other, after).items() if key not in self._asides}
        self._asides |= fresh.keys()
        return merged + append_asides(self._into, other, fresh), tuple(amiss)

    def _merge_game(self, source: Hashable, other: Queries, game: int) -> Merged:
        key = (source, game)
        followed = self._followed.pop(key, None)  # remembered again below, unless a row is damaged
        if followed is not None:
            fresh = list(other.rows(game, _END, followed.last))
            if self._goes_on(followed, fresh):
                self._followed[key] = followed
                return Merged(longer=1) if fresh else Merged()
        return self._merge_whole(key, other, game)

    def _goes_on(self, followed: _Followed, fresh: Sequence[Row]) -> bool:
        """Append *fresh* to the branch, unless it is already there. On a conflict, change nothing and return False."""
        branch, done = followed.branch, len(followed.places)
        places = {**followed.places, **{row.id: done + at for at, row in enumerate(fresh)}}
        new = list(links(fresh, places, followed.not_people))
        there = branch.chain[done : done + len(new)]
        if there != new[: len(there)]:
            return False
        missing = fresh[len(there) :]
        first = self._into.last + 1
        if missing:
            ids = [*branch.ids, *range(first, first + len(missing))]
            append_rows(self._into, missing, lambda old: ids[places[old]] if old in places else None)
            branch.ids, branch.chain = ids, [*branch.chain, *new[len(there) :]]
        followed.places = places
        followed.last = fresh[-1].id if fresh else followed.last
        return True

    def _merge_whole(self, key: tuple[Hashable, int], other: Queries, game: int) -> Merged:
        rows, identity = rows_of(other, game), other.game_identity(game)
        numbers = self._identities.setdefault(identity, [])
        known = [(number, chain_of(rows_of(self._into, number))) for number in numbers]
        merged = merge_game(self._into, rows, identity, known)
        self._identities[identity] = [number for number, _ in known]
        self._remember(key, rows, known)
        return merged

    def _remember(
        self, key: tuple[Hashable, int], rows: Sequence[Row], known: Sequence[tuple[int, tuple[str, ...]]]
    ) -> None:
        chain = chain_of(rows)
        for number, here in known:
            if number in self._branches or begins(here, chain):
                branch = self._branches.setdefault(number, _Branch(number))
                branch.chain, branch.ids = list(here), [row.id for row in rows_of(self._into, number)]
        fits = [self._branches[number] for number, here in known if begins(here, chain)]
        if not fits:
            return  # an imported record of this game has different rows: compare it as a whole each time
        places = {row.id: place for place, row in enumerate(rows)}
        self._followed[key] = _Followed(fits[0], places, people_of(rows[0]), rows[-1].id)
        while len(self._followed) > REMEMBERED:
            self._followed.popitem(last=False)
            used = {id(each.branch) for each in self._followed.values()}
            self._branches = {number: each for number, each in self._branches.items() if id(each) in used}


_END = 2**62

"""A cache of the summaries of a ledger's games, and the code that updates it from the ledger."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from threading import Lock
from time import thread_time

from companion.kernel.errors import Malformed
from companion.kernel.progress import ProgressWatch, unwatched
from companion.kernel.shown import shows
from companion.ledger import Ledger, LedgerFault
from companion.model.game import AnyGame
from companion.session.repository import Repository
from companion.session.summarise import counts, listed, summary_of
from companion.statistics import Questions, Summary, SummaryStore, store_of

COMPARED = 8
"""The number of players in the table of results against each other. The players with the most games are chosen."""
PIECE = 10
"""The number of summaries that are written in one transaction."""


@shows("_store", "left", "fault")
class Summaries:
    """A cache with a summary of each game of a ledger, in a file in the ledger's folder.

    The ledger doesn't depend on it. It reads through its own connection, so it never blocks the table.
    """

    def __init__(self, ledger: Path, games: Mapping[str, AnyGame]) -> None:
        """Use the ledger at *ledger*. No file is opened yet."""
        self._ledger, self._games = ledger, games
        self._busy = Lock()
        self._store: SummaryStore | None = None
        self._opening = Lock()
        self.left = 0
        """The number of games still to be summarised."""
        self.fault = ""
        """Why the ledger could not be read at the last attempt; empty if it could."""

    @property
    def store(self) -> SummaryStore:
        """The file with the summaries, opened at the first use."""
        with self._opening:
            if self._store is None:
                self._store = store_of(self._ledger)
            return self._store

    @property
    def questions(self) -> Questions:
        """Queries over the games that have been summarised so far."""
        return Questions(self.store)

    def drop(self, game: int) -> None:
        """Delete the summary of one game and the ratings that depend on it. The next `catch_up` makes them again.

        Call this after a change of a game that isn't in its rows. It isn't needed for a changed name.
        """
        self.store.drop([game])

    def forget(self, games: Iterable[int]) -> None:
        """Delete the summaries of *games* without a trace, because a name in these games was changed or removed."""
        with suppress(sqlite3.Error):  # The next `catch_up` notices the changed names and deletes these summaries.
            self.store.drop(games)
            self.store.leave_no_trace()

    def close(self) -> None:
        """Close the file."""
        with self._opening:
            if self._store is not None:
                self._store.close()
                self._store = None

    def catch_up(self, rest: Callable[[float], object] = lambda took_s: None, watch: ProgressWatch = unwatched) -> None:
        """Summarise all games that have changed, and delete the summaries of games that no longer exist.

        *rest* is called after each game with the processor seconds it took, so that a background caller can pause.
        *watch* reports the progress. If the ledger can't be read, `fault` is set and the old summaries remain.
        """
        with self._busy:
            try:
                with closing(Ledger.read_only(self._ledger)) as ledger:
                    self._catch_up(ledger, rest, watch)
                self.fault = ""
            except (LedgerFault, sqlite3.Error) as fault:
                self.fault = str(fault)

    def _catch_up(self, ledger: Ledger, rest: Callable[[float], object], watch: ProgressWatch) -> None:
        store, there = self.store, ledger.marks()
        known = store.marks()
        changed = [game for game, mark in there.items() if known.get(game) != mark]
        # This is done first, because summarising takes a while and an outdated summary must not count during that time.
        store.drop(game for game in known if game not in there or known[game] != there[game])
        self.left = len(changed)
        for first in watch(range(0, len(changed), PIECE), -(-len(changed) // PIECE)):
            piece = changed[first : first + PIECE]
            store.put([self._looked_at(ledger, game, there[game], rest) for game in piece])
            while store.rate():
                pass
        self.left = 0
        self.questions.foresee(COMPARED)

    def _looked_at(
        self, ledger: Ledger, game: int, mark: bytes, rest: Callable[[float], object]
    ) -> tuple[Summary, bytes]:
        began = thread_time()
        found = self._summary(ledger, game)
        rest(thread_time() - began)
        self.left -= 1
        return found, mark

    def _summary(self, ledger: Ledger, number: int) -> Summary:
        """Return a game's summary.

        If the game is damaged, of an unknown kind, or doesn't count, the summary contains only the data for a list.
        """
        repository = Repository(ledger, self._games, Random(0))
        entry = repository.entry(number)
        if entry.damage or entry.name not in self._games or not counts(entry, repository.begun_by(number)):
            return listed(entry)
        try:
            return summary_of(self._games[entry.name], entry, repository.all_of(number))
        except (Malformed, LookupError):
            return listed(entry)

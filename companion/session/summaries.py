"""The summaries of a ledger's games, brought up to what the ledger holds: the ledger alone is trusted."""

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
from companion.statistics import Questions, Summary, SummaryStore, beside

COMPARED = 8
"""So many players at most are shown one against the other: those who played most."""
PIECE = 10
"""So many summaries are kept at once."""


@shows("_store", "left", "fault")
class Summaries:
    """What is known of all games of a ledger; nothing of it is known to the ledger.

    It reads through a connection of its own, so that no tap at the table waits for it.
    """

    def __init__(self, ledger: Path, games: Mapping[str, AnyGame]) -> None:
        """Look into the *ledger* when asked to; its file is opened then."""
        self._ledger, self._games = ledger, games
        self._busy = Lock()
        self._store: SummaryStore | None = None
        self._opening = Lock()
        self.left = 0
        """So many games are still to be looked at."""
        self.fault = ""
        """Why the ledger could not be looked into last."""

    @property
    def store(self) -> SummaryStore:
        """The file beside the ledger, opened at its first use."""
        with self._opening:
            if self._store is None:
                self._store = beside(self._ledger)
            return self._store

    @property
    def questions(self) -> Questions:
        """What can be asked of the games that were looked at so far."""
        return Questions(self.store)

    def drop(self, game: int) -> None:
        """Forget what is known of one game, and what followed from it: it is looked at anew with the next `catch_up`.

        For whoever changes a game beside the ledger's rows. A name that is changed in the ledger is noticed anyway.
        """
        self.store.drop([game])

    def forget(self, games: Iterable[int]) -> None:
        """Forget *games* so that the file holds no letter of them: somebody in them is called otherwise now."""
        with suppress(sqlite3.Error):  # what is left there is noticed and dropped with the next `catch_up`
            self.store.drop(games)
            self.store.leave_no_trace()

    def close(self) -> None:
        """Let go of the file."""
        with self._opening:
            if self._store is not None:
                self._store.close()
                self._store = None

    def catch_up(self, rest: Callable[[float], object] = lambda took_s: None, watch: ProgressWatch = unwatched) -> None:
        """Look at every game that is not as it was when it was looked at last, and forget those that are gone.

        *rest* is called after each game with the processor seconds that it took, so that a caller with time can let
        others go first; *watch* sees each piece of games. Where the ledger cannot be read `fault` says why, and what
        was known stays.
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
        # Before anything is looked at anew, which takes its time: nothing that has changed may count meanwhile.
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
        """Return the game in short; of one that is damaged, or of a kind that is not here, as much as a list shows."""
        repository = Repository(ledger, self._games, Random(0))
        entry = repository.entry(number)
        if entry.damage or entry.name not in self._games or not counts(entry, repository.begun_by(number)):
            return listed(entry)
        try:
            return summary_of(self._games[entry.name], entry, repository.all_of(number))
        except (Malformed, LookupError):
            return listed(entry)

"""The fairness report for all rings. It is computed from the draws of all games, in the background, and cached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import Condition
from typing import Protocol

from companion.fairness import GameDraws, RingReport, Survey
from companion.kernel.errors import Malformed
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import DeedSeries, Supervisor
from companion.kernel.values import dataclass
from companion.ledger import Unreadable
from companion.session.archive import TouchedGames

PATIENCE_S = 0.15
"""How many seconds a caller waits for a report that is nearly finished."""
Deed = Callable[[], None]


class DrawSource(Protocol):
    """A source of draws: a table, or a substitute in tests."""

    def touched(self, since: int) -> TouchedGames:
        """Return the games with rows after row *since*; 0 returns all games."""

    def game_draws(self, game_id: int) -> GameDraws:
        """Return the draws of a game, or raise `Malformed`."""


@dataclass(frozen=True)
class Outlook:
    """The newest state of the report. While *working*, the draws of *done* of *games* games have been added.

    *trouble* says why there is no report; it is empty if there is one.
    """

    reports: tuple[RingReport, ...] = ()
    done: int = 0
    games: int = 0
    working: bool = False
    trouble: str = ""


def in_background(threads: Supervisor) -> Callable[[Deed], None]:
    """Return a function that runs tasks one after another in a thread of *threads*. A task that fails is run again."""
    return DeedSeries(threads, "fairness", said("The fairness report"))


@shows("_up_to", "_seen", "_live")
class FairnessWatch:
    """Provides the newest fairness report to any thread. Callers never wait for the whole computation.

    The draws of each game are added once, and only the live game is computed again. If an earlier game is continued, or
    one of its draws is undone, all games are computed again.
    """

    def __init__(self, draws: DrawSource, begin: Callable[[Deed], None] | None = None) -> None:
        """Take the draws from *draws*. *begin* runs a task in the background, and runs it again after an error."""
        self._draws = draws
        self._begin = begin or in_background(Supervisor())
        self._changed = Condition()
        self._outlook = Outlook()
        self._up_to = 0
        # Used only by the one thread that computes the report.
        self._survey, self._settled, self._seen = Survey(), set[int](), 0
        self._live: int | None = None
        self._names = 0

    def go_by(self, draws: DrawSource) -> None:
        """Take the draws from *draws* from now on. It must be the same ledger, opened again."""
        self._draws = draws

    def look(self, patience_s: float = PATIENCE_S) -> Outlook:
        """Return the present report.

        If there are new draws, wait up to *patience_s* seconds until they have been added.
        """
        try:
            touched = self._draws.touched(self._up_to)
        except Unreadable as fault:
            return Outlook(self._outlook.reports, trouble=fault.refusal)
        with self._changed:
            renamed = touched.names != self._names
            if renamed:
                # A name that was changed or removed must no longer be shown, even while the report is computed again.
                self._outlook = replace(self._outlook, reports=())
            if self._outlook.working or (self._up_to and touched.last == self._up_to and not renamed):
                begins = False
            else:
                begins, self._outlook = True, self._now(working=True)
        if begins:
            self._begun()
        with self._changed:
            self._changed.wait_for(lambda: not self._outlook.working, patience_s)
            return self._outlook

    def _begun(self) -> None:
        try:
            self._begin(self._reckon)
        except BaseException:
            self._update(working=False)  # no thread could be started; the next `look` tries again
            raise

    def _now(self, **changes: object) -> Outlook:
        known = {name: getattr(self._outlook, name) for name in ("reports", "done", "games")}
        return Outlook(**{**known, **changes})

    def _update(self, **changes: object) -> None:
        with self._changed:
            self._outlook = self._now(**changes)
            self._changed.notify_all()

    def _reckon(self) -> None:
        try:
            touched = self._draws.touched(self._seen)
            if touched.names != self._names or self._settled.intersection(touched.games):
                self._survey, self._settled, self._live = Survey(), set(), None
                touched = self._draws.touched(0)
            self._settle(touched)
            whole = self._survey.copy()
            if touched.live is not None:
                whole.add(self._draws_of(touched.live))
            self._up_to, self._names = touched.last, touched.names
            self._update(reports=whole.reports())
        except Unreadable as fault:
            self._update(trouble=fault.refusal)
        except BaseException:
            # The same thread begins again after its pause. `working` stays set, so that no other thread begins.
            self._survey, self._settled, self._live, self._seen = Survey(), set(), None, 0
            self._update(trouble=said("This can't be worked out now. It is tried again soon."), working=True)
            raise

    def _settle(self, touched: TouchedGames) -> None:
        """Add the draws of the games that are no longer being played."""
        unloaded = () if self._live is None else (self._live,)
        self._live = touched.live
        fresh = sorted({*touched.games, *unloaded} - {touched.live} - self._settled)
        for number, game in enumerate(fresh):
            self._update(done=number, games=len(fresh), working=True)
            self._survey.add(self._draws_of(game))
            self._settled.add(game)
        self._seen = touched.last

    def _draws_of(self, game: int) -> GameDraws:
        try:
            return self._draws.game_draws(game)
        except Malformed:
            return GameDraws()  # the game can't be read; lists of games say so

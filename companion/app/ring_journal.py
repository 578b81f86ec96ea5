"""Why a ring cannot be had, in the log of the service: in one line each, and not for ever."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.app.workers import Worker
from companion.kernel.i18n import Said, said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from companion.ports.ring import RingState, RingView
from companion.session.table import Table

AGAIN_S = 600.0
MOST = 50
ANSWERS = "answers"


@shows("_settled")
class RingJournal:
    """Says each trouble of a ring once; again only after the ring was well meanwhile, ten minutes later at least."""

    def __init__(self, say: Callable[[str], None], now: Callable[[], float]) -> None:
        self._say, self._now = say, now
        self._told: dict[str, float] = {}
        self._settled: set[str] = set()

    def look(self, view: RingView) -> None:
        """Say what is new in how the ring stands."""
        if view.trouble:
            # By its pattern: seconds of silence and counts of events differ each time, and say the same.
            self._tell(view.trouble, view.trouble.pattern if isinstance(view.trouble, Said) else view.trouble)
        elif view.state is RingState.LIVE:
            if len(self._settled) < len(self._told):
                self._tell(f"The ring at {view.port} answers.", ANSWERS)
            self._settled = set(self._told)

    def _tell(self, sentence: str, what: str) -> None:
        told_at = self._told.get(what)
        if told_at is None and len(self._told) >= MOST:
            return
        if told_at is not None and (what not in self._settled or self._now() - told_at < AGAIN_S):
            return
        self._say(sentence)
        # Last: what could not be said is said when the thread is back.
        self._told[what] = self._now()
        self._settled.discard(what)


def ring_journal(table: Table, say: Callable[[str], None], threads: Supervisor) -> Callable[[], None]:
    """Keep a journal of the ring at *table* until the returned end is called; the ring waits for no log."""
    journal = RingJournal(say, time.monotonic)
    errand = Worker(threads, "ring journal", lambda: journal.look(table.snapshot.ring), said("The ring's journal"))
    end = table.subscribe_ring(lambda view: errand.ask())
    errand.ask()

    def over() -> None:
        end()
        errand.end()

    return over

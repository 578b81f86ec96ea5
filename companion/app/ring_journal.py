"""Log the troubles of a ring, one line each. The number of lines is limited."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.app.workers import Worker
from companion.kernel.said import Said, said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from companion.ports.ring import RingState, RingView
from companion.session.table import Table

AGAIN_S = 600.0
MOST = 50
ANSWERS = "answers"


@shows("_settled")
class RingJournal:
    """Logs each trouble of a ring once.

    It logs the same trouble again only if the ring has answered in between, and not within ten minutes.
    """

    def __init__(self, say: Callable[[str], None], now: Callable[[], float]) -> None:
        self._say, self._now = say, now
        self._logged: dict[str, float] = {}
        self._settled: set[str] = set()

    def look(self, view: RingView) -> None:
        """Log the trouble in *view*, the state of the ring, if it is new."""
        if view.trouble:
            # Compare the patterns of sentences, because the seconds of silence or the counts of events differ each
            # time.
            self._log(view.trouble, view.trouble.pattern if isinstance(view.trouble, Said) else view.trouble)
        elif view.state is RingState.LIVE:
            if len(self._settled) < len(self._logged):
                self._log(f"The ring at {view.port} answers.", ANSWERS)
            self._settled = set(self._logged)

    def _log(self, sentence: str, what: str) -> None:
        logged_at = self._logged.get(what)
        if logged_at is None and len(self._logged) >= MOST:
            return
        if logged_at is not None and (what not in self._settled or self._now() - logged_at < AGAIN_S):
            return
        self._say(sentence)
        # This is done last, so that a failed log entry is repeated when the thread restarts.
        self._logged[what] = self._now()
        self._settled.discard(what)


def ring_journal(table: Table, say: Callable[[str], None], threads: Supervisor) -> Callable[[], None]:
    """Log the troubles of the ring at *table*, in a thread of its own, until the returned function is called."""
    journal = RingJournal(say, time.monotonic)
    errand = Worker(threads, "ring journal", lambda: journal.look(table.snapshot.ring), said("The ring's journal"))
    end = table.subscribe_ring(lambda view: errand.ask())
    errand.ask()

    def over() -> None:
        end()
        errand.end()

    return over

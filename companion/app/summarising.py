"""Summaries of games kept up to what happens at the table, in a thread that takes half of a processor at most."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Event

from companion.app.workers import Worker
from companion.kernel.i18n import said
from companion.kernel.supervisor import Supervisor
from companion.model.snapshot import Snapshot, Status
from companion.session.table import Table


def summaries_kept(table: Table, threads: Supervisor) -> Callable[[], None]:
    """Have games looked at now, and whenever one may have ended, changed or come; returns the end of it."""
    over = Event()

    def rest(took_s: float) -> None:
        """Leave as much time to others: a lower priority would hold up whoever waits for the interpreter's lock."""
        if over.wait(took_s):
            raise _Over

    def look() -> None:
        with suppress(_Over):
            table.summaries.catch_up(rest)

    errand = Worker(threads, "summaries", look, said("The statistics"))
    before = [table.snapshot]

    def attend(snapshot: Snapshot) -> None:
        if _may_differ(before[0], snapshot):
            errand.ask()
        before[0] = snapshot

    unsubscribe = table.subscribe(attend)
    errand.ask()

    def end() -> None:
        unsubscribe()
        over.set()
        errand.end()
        table.summaries.close()

    return end


class _Over(Exception):
    """The evening is over."""


def _may_differ(before: Snapshot, after: Snapshot) -> bool:
    """Tell whether more may have come than the next row of a game in play: an end, another game, a record."""
    played_on = after.status is Status.LIVE and before.game_id == after.game_id and before.version < after.version
    return not played_on or before.status is not after.status

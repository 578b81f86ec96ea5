"""Update the summaries of games, in a thread that uses at most half of a processor."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Event

from companion.app.workers import Worker
from companion.kernel.said import said
from companion.kernel.supervisor import Supervisor
from companion.model.snapshot import Snapshot, Status
from companion.session.table import Table


def start_summaries(table: Table, threads: Supervisor) -> Callable[[], None]:
    """Update the summaries now, and whenever a game may have ended, changed or been added.

    Returns a function that stops the updates.
    """
    over = Event()

    def rest(took_s: float) -> None:
        """Sleep as long as the last step took.

        A lower priority of the thread would not help: it would block threads that wait for the interpreter's lock.
        """
        if over.wait(took_s):
            raise _Over

    def look() -> None:
        with suppress(_Over):
            table.archive.summaries.catch_up(rest)

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
        table.archive.summaries.close()

    return end


class _Over(Exception):
    """Raised in the thread when the service is closing."""


def _may_differ(before: Snapshot, after: Snapshot) -> bool:
    """Return whether summaries may be out of date: a game ended, another game was started, or games were imported."""
    played_on = after.status is Status.LIVE and before.game_id == after.game_id and before.version < after.version
    return not played_on or before.status is not after.status

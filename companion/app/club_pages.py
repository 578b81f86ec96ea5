"""Serves the pages of a club, in the process that also collects its rows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from companion.club.collector import Collector
from companion.club.decisions import Decisions
from companion.club.league import Result, raw_results
from companion.club.wall import Wall
from companion.games.registry import GAMES
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from web import HostPin
from web.club import Club, make_club_app
from web.server.service import PlainService

FRESH_S = 3.0
"""Results are read again from the ledger at most this often."""


@shows("_read_at")
class Results:
    """The finished games of the club. They are read again on a request if they are older than `FRESH_S`."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, threading.Lock()
        self._read_at, self._found = float("-inf"), tuple[Result, ...]()

    def __call__(self) -> Sequence[Result]:
        """Return the finished games, oldest first."""
        with self._lock:
            if time.monotonic() - self._read_at >= FRESH_S:
                self._found = raw_results(self._folder, GAMES)
                self._read_at = time.monotonic()
            return self._found


def club_of(
    folder: Path,
    name: str,
    wall: Wall,
    collector: Collector,
    decisions: Decisions,
    labels: Callable[[], Mapping[str, str]],
) -> Club:
    """Return the contents of the pages of the club in *folder*."""

    def late() -> Sequence[str]:
        there = labels()
        return sorted(there[address] for address in collector.late & there.keys())

    return Club(name, wall, decisions, HostPin(folder), Results(folder), late, collector.call)


def serve_club(
    club: Club, bind: str, port: int, threads: Supervisor, started: Callable[[], object] = lambda: None
) -> tuple[int, Callable[[], None]]:
    """Serve the pages of *club* in a thread. Return the port, and a function that stops it. Raises OSError."""
    service = PlainService(make_club_app(club), bind, port, started)
    thread = threads.start("club pages", service.run, said("The club's pages"))

    def end() -> None:
        service.stop()
        thread.end()

    return service.port, end

"""Compute luck reports in the background, one game after another, and cache the newest reports."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Protocol

from companion.kernel.errors import Malformed
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import DeedSeries, Supervisor
from companion.kernel.values import dataclass
from companion.ledger import Unreadable
from companion.luck.reckoning import LuckReport

MOST_CACHED, WAITING = 32, 8
"""The maximum numbers of cached reports, and of games that wait for one (`WAITING`).

A request for a game that finds no place in the queue is dropped, and must be repeated.
"""


@dataclass(frozen=True)
class Reckoned:
    """The result for one game. *report* is None until *done*, and also afterwards if the game has no report."""

    done: bool
    report: LuckReport | None = None


class Luck(Protocol):
    """The interface by which pages get luck reports."""

    def of(self, game: int, version: int) -> Reckoned:
        """Return the luck report of a game at a *version*, or start computing it."""


@shows("_works", "_known", "_wanted")
class LuckInBackground:
    """Returns cached reports at once and computes the others in a thread.

    The thread runs as long as games wait; after an error it continues with the next one. The cache key is the game's
    number and newest *version*, so a corrected game is computed again.
    """

    def __init__(self, reckon: Callable[[int], LuckReport | None], threads: Supervisor | None = None) -> None:
        self._reckon = reckon
        self._begin = DeedSeries(threads or Supervisor(), "luck", said("The luck report"))
        self._lock = Lock()
        self._known: OrderedDict[tuple[int, int], LuckReport | None] = OrderedDict()
        self._wanted: list[tuple[int, int]] = []
        self._works = False

    def of(self, game: int, version: int) -> Reckoned:
        """Return the luck report of a game if it is cached, or start computing it."""
        key = (game, version)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return Reckoned(True, self._known[key])
            if key not in self._wanted and len(self._wanted) < WAITING:
                self._wanted.append(key)
            if not self._works:
                self._begin(self._work)
                self._works = True
        return Reckoned(False)

    def _work(self) -> None:
        while (key := self._next()) is not None:
            self._reckoned(key)

    def _reckoned(self, key: tuple[int, int]) -> None:
        report = None
        try:
            report = self._reckon(key[0])
        except (Malformed, Unreadable):
            pass  # Games with unreadable rows get no luck report; their pages report the rows.
        finally:
            # Cache a failure too, or it would be retried endlessly.
            self._keep(key, report)

    def _next(self) -> tuple[int, int] | None:
        with self._lock:
            self._works = bool(self._wanted)
            return self._wanted[0] if self._wanted else None

    def _keep(self, key: tuple[int, int], report: LuckReport | None) -> None:
        with self._lock:
            self._wanted.remove(key)
            self._known[key] = report
            while len(self._known) > MOST_CACHED:
                self._known.popitem(last=False)

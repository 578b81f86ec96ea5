"""Reckons luck beside the table: one game after another in a thread of its own, the newest reports kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Protocol

from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import DeedSeries, Supervisor
from companion.kernel.values import dataclass
from companion.ledger import Unreadable
from companion.luck.reckoning import LuckReport

KEPT, WAITING = 32, 8
"""Reports that are kept, and games that may wait for theirs: whoever asks for a ninth asks again."""


@dataclass(frozen=True)
class Reckoned:
    """What is known of a game's luck: not yet anything unless *done*, and then perhaps nothing at all."""

    done: bool
    report: LuckReport | None = None


class Luck(Protocol):
    """Where the luck of games is told, as far as it is known."""

    def of(self, game: int, version: int) -> Reckoned:
        """Return the luck of a game as it was at a *version*, and have it reckoned where it isn't."""


@shows("_works", "_known", "_wanted")
class LuckInBackground:
    """Answers at once with what is known; what is not is reckoned while nobody waits.

    The thread lives as long as there is something to do, and after an error goes on with the games that still wait.
    A game is asked for by its number and its newest *version*, so that one that was put right afterwards is reckoned
    anew.
    """

    def __init__(self, reckon: Callable[[int], LuckReport | None], threads: Supervisor | None = None) -> None:
        self._reckon = reckon
        self._begin = DeedSeries(threads or Supervisor(), "luck", said("The luck report"))
        self._lock = Lock()
        self._known: OrderedDict[tuple[int, int], LuckReport | None] = OrderedDict()
        self._wanted: list[tuple[int, int]] = []
        self._works = False

    def of(self, game: int, version: int) -> Reckoned:
        """Return the luck of a game as far as it is known, and have it reckoned where it is not."""
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
            pass  # rows that cannot be read: their pages say so, and luck is not told
        finally:
            # Whatever went wrong, nobody has it tried again and again.
            self._keep(key, report)

    def _next(self) -> tuple[int, int] | None:
        with self._lock:
            self._works = bool(self._wanted)
            return self._wanted[0] if self._wanted else None

    def _keep(self, key: tuple[int, int], report: LuckReport | None) -> None:
        with self._lock:
            self._wanted.remove(key)
            self._known[key] = report
            while len(self._known) > KEPT:
                self._known.popitem(last=False)

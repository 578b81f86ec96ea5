"""A game that plays itself, to be watched: kept in memory, by a clock of its own, and never near the real one.

It is no game of the ledger: rows are for good, the table holds one game at a
time, and a station that leaves the real ring must never count in a made-up
one. So it is a fold of its own beside the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from threading import Lock
from typing import Any

from companion.kernel.shown import shows
from companion.kernel.validation import Line
from companion.kernel.values import dataclass
from companion.model.game import AnyGame
from companion.model.snapshot import Snapshot, Status, TranscriptLine

TableState = Callable[[Any, Random], Any]
"""Returns a legal command for a state that is not the end."""
PACES_S = (6.0, 3.0, 1.5)
"""Seconds a step, the slowest first."""
USUAL = 1
RECENT = 12


@dataclass(frozen=True)
class Practice:
    """A made-up game so far: *before* is the state that the newest line found."""

    game: AnyGame
    header: Line
    state: Any
    before: Any = None
    recent: tuple[TranscriptLine, ...] = ()
    steps: int = 0

    @property
    def over(self) -> bool:
        """Whether it has been played to its end."""
        return self.game.result(self.state) is not None

    @property
    def snapshot(self) -> Snapshot:
        """The game as the pages of a real one see it: nothing of the table's own is in it."""
        status = Status.FINISHED if self.over else Status.LIVE
        return Snapshot(
            version=self.steps,
            status=status,
            game=self.game,
            header=self.header,
            state=self.state,
            recent=self.recent,
        )


def begin(game: AnyGame, header: Line) -> Practice:
    """Return the table before the first line."""
    return Practice(game, header, game.start(header))


def onwards(practice: Practice, play: TableState, lots: Random) -> Practice:
    """Return *practice* one line further: the companion's own where nobody has a choice, else a made-up player's."""
    game, before = practice.game, practice.state
    command = game.by_itself(before, frozenset()) or play(before, lots)
    state = before
    for event in game.decide(before, command):
        state = game.evolve(state, event)
    steps = practice.steps + 1
    line = TranscriptLine(steps, game.line(command), "practice", "virtual", 0)
    return replace(practice, state=state, before=before, recent=(line, *practice.recent)[:RECENT], steps=steps)


@dataclass(frozen=True)
class DemoStatus:
    """How a practice stands: whether it *runs*, how fast, and in how many seconds the next step is due."""

    practice: Practice
    runs: bool
    pace: int
    due_s: float


@shows("_practice", "_runs", "_due")
class PracticeTable:
    """The practice of this house, safe to use from any thread.

    It needs no thread: whoever looks when a step is due sees it made, one a
    look; so it stands still when everybody has left.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        """Keep no practice yet; *now* gives monotonic seconds."""
        self._now = now
        self._lock = Lock()
        self._practice: Practice | None = None
        self._play: TableState = _nobody
        self._lots = Random()
        self._runs, self._pace, self._due = False, USUAL, 0.0

    def begin(self, game: AnyGame, header: Line, play: TableState, seed: int) -> None:
        """Have a new game play itself, the same one for the same *seed*."""
        with self._lock:
            self._practice, self._play, self._lots = begin(game, header), play, Random(seed)
            self._runs, self._pace = True, USUAL
            self._wait()

    def look(self) -> DemoStatus | None:
        """Return how it stands, a step further where one is due; None where there is no practice."""
        with self._lock:
            if self._runs and self._now() >= self._due:
                self._onwards()
            return self._shown()

    def step(self) -> None:
        """Make the next step now, and stand still after it."""
        with self._lock:
            self._runs = False
            self._onwards()

    def pause(self) -> None:
        """Stand still."""
        with self._lock:
            self._runs = False

    def go(self) -> None:
        """Go on by the clock."""
        with self._lock:
            self._runs = self._practice is not None and not self._practice.over
            self._wait()

    def pace(self, change: int) -> None:
        """Go faster (above nought) or slower, as far as that goes."""
        with self._lock:
            self._pace = min(max(self._pace + change, 0), len(PACES_S) - 1)
            self._wait()

    def stop(self) -> None:
        """Put it away."""
        with self._lock:
            self._practice, self._runs = None, False

    def _onwards(self) -> None:
        if self._practice is not None and not self._practice.over:
            self._practice = onwards(self._practice, self._play, self._lots)
            self._runs = self._runs and not self._practice.over
            self._wait()

    def _wait(self) -> None:
        self._due = self._now() + PACES_S[self._pace]

    def _shown(self) -> DemoStatus | None:
        if self._practice is None:
            return None
        return DemoStatus(self._practice, self._runs, self._pace, max(0.0, self._due - self._now()))


def _nobody(state: Any, lots: Random) -> Any:
    raise AssertionError("nobody plays before a practice has begun")

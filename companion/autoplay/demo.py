"""A demo: a game that the program plays in memory, with its own clock and without a ring.

A demo is not in the ledger, for three reasons: rows are permanent, the table holds one game at a time, and a station
drawn from the real ring must never count in a demo. Therefore this module folds the state of the demo itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from threading import Lock
from typing import Any

from companion.kernel.fields import Line
from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from companion.model.game import AnyGame
from companion.model.snapshot import Snapshot, Status, TranscriptLine

Policy = Callable[[Any, Random], Any]
"""A function that returns a legal command for a state that is not final."""
PACES_S = (6.0, 3.0, 1.5)
"""Seconds per step, slowest first."""
USUAL = 1
RECENT = 12


@dataclass(frozen=True)
class Practice:
    """A demo game up to the present step. *before* is the state before the newest line."""

    game: AnyGame
    header: Line
    state: Any
    before: Any = None
    recent: tuple[TranscriptLine, ...] = ()
    steps: int = 0

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.result(self.state) is not None

    @property
    def snapshot(self) -> Snapshot:
        """The game in the form that pages expect, without any state of the real table."""
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
    """Return the demo before its first line."""
    return Practice(game, header, game.start(header))


def onwards(practice: Practice, play: Policy, lots: Random) -> Practice:
    """Return *practice* after one more line.

    The line is the automatic one if the rules leave no choice, otherwise the one that *play* chooses.
    """
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
    """The state of a demo: whether it *runs*, how fast, and in how many seconds the next step is due."""

    practice: Practice
    runs: bool
    pace: int
    due_s: float


@shows("_practice", "_runs", "_due")
class PracticeTable:
    """The demo of this companion; thread-safe.

    It needs no thread: `look` makes a step if one is due, and never more than one. The demo therefore stops when nobody
    watches it.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        """Start without a demo; *now* returns monotonic seconds."""
        self._now = now
        self._lock = Lock()
        self._practice: Practice | None = None
        self._play: Policy = _nobody
        self._lots = Random()
        self._runs, self._pace, self._due = False, USUAL, 0.0

    def begin(self, game: AnyGame, header: Line, play: Policy, seed: int) -> None:
        """Start a new demo. The same *seed* gives the same game."""
        with self._lock:
            self._practice, self._play, self._lots = begin(game, header), play, Random(seed)
            self._runs, self._pace = True, USUAL
            self._wait()

    def look(self) -> DemoStatus | None:
        """Make the next step if it is due, and return the state of the demo, or None if there is no demo."""
        with self._lock:
            if self._runs and self._now() >= self._due:
                self._onwards()
            return self._shown()

    def step(self) -> None:
        """Make the next step now and pause the demo."""
        with self._lock:
            self._runs = False
            self._onwards()

    def pause(self) -> None:
        """Pause the demo."""
        with self._lock:
            self._runs = False

    def go(self) -> None:
        """Continue the demo at the present pace."""
        with self._lock:
            self._runs = self._practice is not None and not self._practice.over
            self._wait()

    def pace(self, change: int) -> None:
        """Play the demo faster (*change* above 0) or slower, within `PACES_S`."""
        with self._lock:
            self._pace = min(max(self._pace + change, 0), len(PACES_S) - 1)
            self._wait()

    def stop(self) -> None:
        """Remove the demo."""
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

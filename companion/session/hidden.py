"""Remove the information that a viewer must not see from a game. No other module does this.

A game's `Secrets` decide what each viewer may see of a state and of a line. Pages, the API, the replay and its file use
the results of the functions here, never the table's own snapshot, moves or timeline. Only records, exports and copies
of the ledger contain hidden information, because they are for the owner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.kernel.fields import Line
from companion.model.capabilities import Viewer
from companion.model.countdown import REVEAL
from companion.model.game import AnyGame
from companion.model.snapshot import Snapshot, TranscriptLine
from companion.session.archive import Archive, PartialGame
from companion.session.moves import RecordedMove
from companion.session.timeline import Begin, Position, Route, StepKind, Timeline

EVERYBODY = Viewer()


def seen_by(snapshot: Snapshot, viewer: Viewer) -> Snapshot:
    """Return *snapshot* as *viewer* may see it. Its state, its newest lines, and the line to undo are changed.

    The result depends on the step of the clock. Pages use `seen_at`, which reads the clock.
    """
    return _seen_at_step(snapshot, viewer, clock_now(snapshot).step)


def _seen_at_step(snapshot: Snapshot, viewer: Viewer, step: str) -> Snapshot:
    game, undoable = snapshot.game, snapshot.undoable
    if game is None or game.secrets is None:
        return snapshot
    look = _Look(game, snapshot.state, viewer, step)
    return replace(
        snapshot,
        state=look.state(snapshot.state),
        recent=tuple(map(look.transcript_line, snapshot.recent)),
        undoable=None if undoable is None else replace(undoable, line=look.line(undoable.line, False)),
    )


def newest_of(lines: Iterable[TranscriptLine]) -> int:
    """Return the row of the newest of *lines* that counts, or 0 if there is none. *lines* are newest first."""
    return next((line.id for line in lines if not line.undone), 0)


@dataclass(frozen=True)
class ClockNow:
    """The *step* that a game's clock shows ("" if there is none), and the row of the *newest* line at that moment."""

    newest: int
    step: str

    def step_for(self, newest: int) -> str:
        """Return the step for a state. *newest* is the row of its newest line.

        The state and the clock are read one after the other, and a line may be added or undone in between. In that case
        the newest card is treated as face down, to be safe.
        """
        return self.step if newest == self.newest else REVEAL


def clock_now(snapshot: Snapshot) -> ClockNow:
    """Return the clock's step and the newest line of *snapshot*."""
    return ClockNow(newest_of(snapshot.recent), "" if snapshot.timing is None else snapshot.timing.step)


def seen_moves(
    moves: Sequence[RecordedMove], game: AnyGame | None, now: ClockNow, viewer: Viewer
) -> tuple[RecordedMove, ...]:
    """Return *moves* of *game* as *viewer* may see them at the clock's step *now*."""
    if game is None or game.secrets is None or not moves:
        return tuple(moves)
    last = next((move for move in reversed(moves) if not move.line.undone), None)
    newest, state = (0, moves[0].before) if last is None else (last.line.id, last.after)
    look = _Look(game, state, viewer, now.step_for(newest))
    return tuple(
        RecordedMove(
            look.transcript_line(move.line), look.earlier(move.before), look.earlier(move.after, move.line.undone)
        )
        for move in moves
    )


def seen_partial(found: PartialGame, now: ClockNow, viewer: Viewer) -> PartialGame:
    """Return a stored game as *viewer* may see it at the clock's step *now*.

    Its record is unchanged; it is for the owner.
    """
    snapshot = _seen_at_step(found.snapshot, viewer, now.step_for(newest_of(found.snapshot.recent)))
    return replace(found, snapshot=snapshot, moves=seen_moves(found.moves, snapshot.game, now, viewer))


def seen_now(timeline: Timeline, clock: Callable[[], ClockNow]) -> SeenTimeline:
    """Return *timeline* as everybody may see it at the present step of the clock.

    *clock* is called only if the step makes a difference, because for a stored game it folds all rows, which takes
    long.
    """
    secrets, state = timeline.game.secrets, timeline.newest
    if secrets is None or secrets.state(state, EVERYBODY, REVEAL) == secrets.state(state, EVERYBODY, ""):
        return SeenTimeline(timeline)
    return SeenTimeline(timeline, clock().step_for(newest_of(timeline.at(len(timeline)).recent)))


class SeenTimeline:
    """A timeline as *viewer* may see it; *step* is the present step of the game's clock."""

    def __init__(self, timeline: Timeline, step: str = "", viewer: Viewer = EVERYBODY) -> None:
        self._timeline = timeline
        self._look = _Look(timeline.game, timeline.newest, viewer, step)
        self.game, self.header = timeline.game, timeline.header

    def __len__(self) -> int:
        """Return the number of steps after the start."""
        return len(self._timeline)

    @property
    def newest(self) -> Any:
        """The state after the newest step."""
        return self._look.state(self._timeline.newest)

    def at(self, number: int) -> Position:
        """Return the game at step *number*, from 0 to the last."""
        position = self._timeline.at(number)
        line, back = position.line, position.kind is StepKind.UNDO
        return replace(
            position,
            line=None if line is None else self._look.transcript_line(replace(line, undone=line.undone or back)),
            before=self._look.earlier(position.before, back),
            state=self._look.earlier(position.state, line is not None and line.undone),
            recent=tuple(
                replace(each, line=self._look.line(each.line, each.id in position.gone)) for each in position.recent
            ),
        )

    def route(self, undone: bool = False) -> Route:
        """Return the steps of the game. Undone steps are included only if *undone* is true."""
        return self._timeline.route(undone)


def seen_record(timeline: Timeline) -> SeenTimeline:
    """Return a game from a record as everybody may see it.

    A record has no clock, so the newest cards are treated as face down until the game is over.
    """
    over = timeline.game.result(timeline.newest) is not None
    return SeenTimeline(timeline, "" if over else REVEAL)


def seen_stored(archive: Archive, game_id: int, begin: Begin) -> SeenTimeline:
    """Return a game of the ledger as everybody may see it at its stored step of the clock."""
    return seen_now(archive.timeline(game_id, begin), lambda: clock_now(archive.partial(game_id).snapshot))


class _Look:
    """Applies the `Secrets` of a game for one viewer.

    *now* is the newest state of the game, and *step* its clock's step.
    """

    def __init__(self, game: AnyGame, now: Any, viewer: Viewer, step: str) -> None:
        self._secrets, self._now, self._viewer, self._step = game.secrets, now, viewer, step

    def state(self, state: Any) -> Any:
        """Return the newest state as the viewer may see it."""
        return self._of(state, self._step)

    def earlier(self, state: Any, undone: bool = False) -> Any:
        """Return an earlier state as the viewer may see it. In an *undone* state the newest cards are hidden again.

        During the countdown before cards are turned over, the newest cards are hidden in every state, even in states
        from before these cards were laid. That is simpler, because corrections may come after the last card.
        """
        return self._of(state, REVEAL if undone or self._step == REVEAL else "")

    def transcript_line(self, line: TranscriptLine) -> TranscriptLine:
        """Return a transcript line as the viewer may see it."""
        return replace(line, line=self.line(line.line, line.undone))

    def line(self, line: Line, undone: bool) -> Line:
        """Return a line of the record as the viewer may see it."""
        if self._secrets is None:
            return line
        return self._secrets.line(self._now, line, self._viewer, self._step, undone)

    def _of(self, state: Any, step: str) -> Any:
        return state if self._secrets is None else self._secrets.state(state, self._viewer, step)

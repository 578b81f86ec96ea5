"""The data that a table sends to a club or a home: its state, its events and its stage, as a spectator sees them.

Nothing here reads rows. Every value comes from the snapshot for a spectator without a seat, so no message can contain a
hidden card. Names of players are left out; seats are colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.events.table_events import (
    Abandoned,
    Answered,
    Begun,
    ClockChanged,
    Fate,
    LineDone,
    PassageAsked,
    StepStarted,
)
from companion.kernel.shown import shows
from companion.model.game import draw_wanted
from companion.model.snapshot import Snapshot, Status
from companion.session.hidden import EVERYBODY, seen_by
from companion.session.transaction import Happening

HURRY, CALLED = "hurry", "called"
EVENTS = ("began", "turn", "drawn", "asked", "answered", "paused", "resumed", "over", HURRY, CALLED)
HURRY_S = 10.0
"""The time of a step counts as nearly over when no more than this many seconds are left."""
SETTLED_S = 2.0
"""After a draw is settled, a new stage is held back for this many seconds."""
STAGES = EMPTY, PLAY, BREAK, OVER = "empty", "play", "break", "over"
_STAGES = {
    Status.NONE: EMPTY,
    Status.LIVE: PLAY,
    Status.PAUSED: BREAK,
    Status.ABANDONED: OVER,
    Status.FINISHED: OVER,
}


def state_of(snapshot: Snapshot, since_ms: int = 0) -> dict[str, Any]:
    """Return the state of a table. *since_ms* is how long the present step has taken.

    - *row*: the version of the table, *status* and *game*: the game in play.
    - *turn*: the colours that must act, *step*: the name of the step, *round*: its number, None if the game has none.
    - *points*: the points that everybody may know, by colour.
    - *armed*: whether a draw from the ring is expected now. *ring*: the state of the ring's connection.
    - *called*: whether the club is calling the table now.
    - *asks*: the kind of the open question, empty without one. *kept*: whether the ledger can be written.
    """
    seen = seen_by(snapshot, EVERYBODY)
    game = seen.game
    found: dict[str, Any] = {"row": seen.version, "status": str(seen.status), "game": None, "turn": [], "step": ""}
    found |= {"round": None, "points": {}}
    if game is not None:
        view = game.view(seen.state, EVERYBODY)
        found |= {"game": game.name, "turn": list(game.waited_for(seen.state)), "round": view.get("round")}
        found["step"] = "" if seen.timing is None else seen.timing.step
        found["points"] = {} if game.facts is None else dict(game.facts.points(seen.state, None))
    found |= {"armed": is_armed(seen), "asks": str(seen.questions[0].kind) if seen.questions else ""}
    found |= {"ring": str(seen.ring.state), "kept": not seen.storage, "called": seen.called}
    return {**found, "since_ms": since_ms}


def is_armed(snapshot: Snapshot) -> bool:
    """Return whether a draw from the ring is expected now."""
    game = snapshot.game
    return snapshot.status is Status.LIVE and game is not None and draw_wanted(game, snapshot.state) is not None


def events_of(happening: Happening, turn: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the events of a transaction for programs that react to them: the type, the row, and whose *turn* it is.

    The events do not contain what was drawn or laid; the state does.
    """
    for entry in happening.entries:
        word = _word(entry.event)
        if word:
            yield {"event_type": word, "row": entry.id, "turn": list(turn)}


def _word(event: object) -> str:
    match event:
        case Begun():
            return "began"
        case LineDone(ring=int()):
            return "drawn"
        case PassageAsked():
            return "asked"
        case Answered():
            return "answered"
        case ClockChanged(change=StepStarted()):
            return "turn"
        case Fate.PAUSED:
            return "paused"
        case Fate.RESUMED | Fate.REOPENED:
            return "resumed"
        case Fate.FINISHED | Abandoned():
            return "over"
        case _:
            return ""  # other events do not matter to these programs


def hurry_in_s(snapshot: Snapshot, now: float) -> float | None:
    """Return the seconds until the time of the present step is nearly over; 0 or less if it is nearly over now.

    Return None if the clock is stopped, if there is no limit, or if the time is over. *now* is in monotonic seconds.
    """
    if not snapshot.runs or snapshot.timing is None:
        return None
    timing = snapshot.timing.at(round((now - snapshot.as_of) * 1000))
    if not timing.limit_ms or timing.over:
        return None
    return (timing.lead_ms + timing.left_ms) / 1000 - HURRY_S


class Signals:
    """The events that are not caused by a row, each reported once when it begins: `hurry` and `called`."""

    def __init__(self) -> None:
        self._were = frozenset[str]()

    def look(self, snapshot: Snapshot, now: float) -> Iterator[dict[str, Any]]:
        """Yield the events that begin now. *now* is in monotonic seconds.

        An event counts as sent when the caller asks for the next one. If it couldn't be sent, stop iterating; the next
        call yields it again.
        """
        soon = hurry_in_s(snapshot, now)
        are = {HURRY: soon is not None and soon <= 0, CALLED: snapshot.called}
        now_true = frozenset(word for word, so in are.items() if so)
        self._were &= now_true
        turn = [] if snapshot.game is None else list(snapshot.game.waited_for(snapshot.state))
        for word in sorted(now_true - self._were):
            yield {"event_type": word, "row": snapshot.version, "turn": turn}
            self._were |= {word}


@shows("shown")
class Stage:
    """The scene for the lights of a room: `empty`, `play`, `break` or `over`.

    A new stage is held back from the moment a draw is expected until `SETTLED_S` after the draw is settled, because
    changing light disturbs the colour sensor.
    """

    def __init__(self) -> None:
        self.shown = ""
        self._armed_at: float | None = None

    def look(self, snapshot: Snapshot, now: float) -> str | None:
        """Return the stage to show now, or None if it is held back or has not changed. *now* is in seconds."""
        if is_armed(snapshot) or snapshot.ring.armed:
            self._armed_at = now
        stage = _STAGES[snapshot.status]
        if stage == self.shown or self.wait_s(now):
            return None
        self.shown = stage
        return stage

    def wait_s(self, now: float) -> float:
        """Return for how many more seconds the stage is held back."""
        return 0.0 if self._armed_at is None else max(0.0, self._armed_at + SETTLED_S - now)

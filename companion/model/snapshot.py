"""Snapshots of the live game: frozen values that are replaced after each commit, never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.model.clock import Step, TimeControl
from companion.model.countdown import Countdown
from companion.model.game import AnyGame
from companion.ports.ring import RingView

NOT_A_DRAW = "not a draw"
SAME = "same"
MISREAD = "misread"
KNOCKED_OVER = "knocked over"
DAMAGE = ("unreadable", "damaged")
"""The kinds of notices that say that a part of the ledger can't be read."""
ANOTHER_RING = "another-ring"
"""The kind of notice that says that draws now come from another ring."""
LIGHT = "light"
"""The kind of notice that says that the light of the room has changed between two draws."""
UNATTENDED, CALLED = "unattended", "called"
"""The kinds of notices that pages show at once, without a new row: a thread has failed; the club calls the table."""
DEMO = "demo"
"""The `via` of a game that was begun as a demo. Such games never count in statistics."""
WHOLE_ATTEMPT = "whole attempt"
UNDO_REASONS = (MISREAD, KNOCKED_OVER, NOT_A_DRAW, WHOLE_ATTEMPT)
"""The reasons for undoing a draw of the ring. The last one undoes its whole attempt, with the line that began it."""


class MovedOn(Exception):
    """The game has moved on since the requesting page was made."""

    def __init__(self, version: int) -> None:
        super().__init__(said("The game has moved on. Look again first."))
        self.version = version

    @property
    def reason(self) -> str:
        """The translatable sentence."""
        reason: str = self.args[0]
        return reason


class ImportFault(Exception):
    """The error for a record that can't be imported. *index* is the number of the wrong line; the header is line 1."""

    def __init__(self, index: int, line: object, reason: str) -> None:
        super().__init__(f"line {index}: {reason}")
        self.index, self.line, self.reason = index, line, reason


class Status(StrEnum):
    """The status of the game on the table."""

    NONE = "none"
    LIVE = "live"
    PAUSED = "paused"
    ABANDONED = "abandoned"
    FINISHED = "finished"

    @property
    def over(self) -> bool:
        """Tell whether the game is finished or abandoned."""
        return self in (Status.ABANDONED, Status.FINISHED)


class Asked(StrEnum):
    """The kind of a question about a passage."""

    UNSURE = "unsure"
    FOREIGN = "foreign"
    LATE = "late"
    PAIR = "pair"


@dataclass(frozen=True)
class Who:
    """The author of an action: *name* is `host`, `ring` or a colour, and *via* is the device used."""

    name: str
    via: str


@dataclass(frozen=True)
class TranscriptLine:
    """One line of the game's history.

    *ring* is the raw row of the passage that caused it. *note* is a remark about the line, or the reason if it was
    undone.
    """

    id: int
    line: Line
    who: str
    via: str
    at_ms: int
    undone: bool = False
    ring: int | None = None
    note: str = ""


@dataclass(frozen=True)
class Question:
    """A question about a passage that the ring could not judge.

    *id* is the raw row of the passage. *offered* are colours with probabilities, likeliest first. *fault* is a key of
    `companion.ring.faults`, for the fault that occurred; it is empty if there was no fault.
    """

    id: int
    kind: str
    offered: tuple[tuple[str, float], ...]
    detail: str
    fault: str = ""


@dataclass(frozen=True)
class Notice:
    """A message for the table that has no effect on the game. *id* is the row that caused it, or 0."""

    id: int
    kind: str
    text: str
    at_ms: int = 0


@dataclass(frozen=True)
class Cause:
    """A possible cause of a difference, and its correction. *ask* is a question, and *way* the text of the button.

    *word* names the cause in the command `Mend`. There are three kinds of correction:

    - Undo from row *again_from* on and draw again. *really* is the colour that left (empty means none).
    - Add the *lines*.
    - Let the table move stations by hand. *moves* counts the stations to add by colour; a negative number means to take
      them away.
    """

    word: str
    ask: str
    way: str
    again_from: int = 0
    really: str = ""
    lines: tuple[Line, ...] = ()
    moves: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Doubt:
    """One difference between the counted and the expected stations, with possible *causes*, likeliest first."""

    text: str
    causes: tuple[Cause, ...]


@dataclass(frozen=True)
class LeftOver:
    """The stations that should be left after a finished attempt.

    It is shown until the table agrees, or until the next attempt. *id* is the row that ended the attempt of *seat* at
    *place*; *label* is the table's word for the place. *stations* counts the expected stations by colour in seat order,
    including zeros. *draws* are the draws of the attempt, oldest first. *counted* is None until the table has counted
    other stations; then *doubts* are the differences. *left_open* means that the table continues in spite of a
    difference.
    """

    id: int
    seat: str
    place: str
    label: str
    stations: Mapping[str, int]
    draws: tuple[TranscriptLine, ...]
    counted: Mapping[str, int] | None = None
    doubts: tuple[Doubt, ...] = ()
    left_open: bool = False


@dataclass(frozen=True)
class Undoable:
    """The line that an undo would undo now. If the ring made it (*by_ring*), the undo needs a reason.

    *attempt* is the row of the line that began the ring's attempt, or 0 if there is none.
    """

    id: int
    line: Line
    by_ring: bool
    attempt: int = 0


@dataclass(frozen=True)
class GameEntry:
    """One game in a list of the ledger's games. *began* and *last* are seconds of the wall clock.

    *own_row* is the number of its newest row, or 0 if that row came from another ledger. *damage* says why the game
    can't be played; it is empty if it can. If *header* is empty, the game could not be read at all.
    """

    id: int
    name: str
    header: Line
    rules: str
    status: Status
    began: float
    last: float
    lines: int
    live: bool
    reason: str = ""
    damage: str = ""
    identity: str = ""
    """The game's identifier, the same in every ledger; it is empty if it can't be read."""
    own_row: int = 0


@dataclass(frozen=True)
class Snapshot:
    """The newest snapshot of the table.

    - *version*: the row of the newest visible change, or 0 if there is no game.
    - *copy*: the name of the copy in use, empty if unknown. *box*: its stored board, in the form of a header.
    - *stored*: a number that grows when a copy or a calibration is stored.
    - *dropped*: how many ring events outside of games were dropped because there were too many.
    - *seal*: the seal of the companion's seed, empty if the companion doesn't draw in this game.
    - *state*: the state that may be shown. *whole*: the complete state, with hidden cards. It is used only to check
      whether a line is legal.
    - *step_ms*, *game_ms*: the clocks at the monotonic second *as_of*. They advance while the status is live and the
      clock isn't stopped.
    - *timing*: the clock of the step, as pages show it. *pace*: the time limits.
    - *storage*: a sentence if the ledger can't be written; empty while it works.
    """

    version: int = 0
    status: Status = Status.NONE
    game_id: int | None = None
    game: AnyGame | None = None
    header: Line | None = None
    state: Any = None
    absent: frozenset[str] = frozenset()
    recent: tuple[TranscriptLine, ...] = ()
    questions: tuple[Question, ...] = ()
    notices: tuple[Notice, ...] = ()
    undoable: Undoable | None = None
    left_over: LeftOver | None = None
    copy: str = ""
    box: Line | None = None
    stored: int = 0
    dropped: int = 0
    seal: str = ""
    storage: str = ""
    ring: RingView = field(default_factory=RingView)
    step: Step | None = None
    step_ms: int = 0
    game_ms: int = 0
    as_of: float = 0.0
    timing: Countdown | None = None
    pace: TimeControl = field(default_factory=TimeControl)
    whole: Any = field(default=None, repr=False)

    @property
    def unattended(self) -> str:
        """Sentences that pages show at once, without a new row: see `UNATTENDED`. There are usually none."""
        return " ".join(notice.text for notice in self.notices if notice.kind in (UNATTENDED, CALLED))

    @property
    def called(self) -> bool:
        """Whether the club is calling this table now."""
        return any(notice.kind == CALLED for notice in self.notices)

    @property
    def newest_notice(self) -> Notice | None:
        """The newest notice since the last line. Older notices are outdated.

        There are two exceptions. The notices that another ring is connected, and that the light has changed, are shown
        for two minutes, even if new lines follow. A permanent notice is shown while there is no other notice. A call of
        the club is on every page anyway.
        """
        since = self.recent[0].id if self.recent else 0
        fresh = [notice for notice in self.notices if notice.id > since or notice.kind in (ANOTHER_RING, LIGHT)]
        lasting = [notice for notice in self.notices if not notice.id and notice.kind != CALLED]
        return next(iter(fresh or lasting), None)

    @property
    def runs(self) -> bool:
        """Whether the clocks run."""
        return self.status is Status.LIVE and (self.timing is None or self.timing.running)

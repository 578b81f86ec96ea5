"""Snapshots of the live game: frozen values that are replaced after each commit, never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from companion.kernel.i18n import said
from companion.kernel.validation import Line
from companion.kernel.values import dataclass
from companion.model.countdown import Countdown
from companion.model.game import AnyGame, Step
from companion.model.time_control import TimeControl
from companion.ports.ring import RingView

NOT_A_DRAW = "not a draw"
SAME = "same"
MISREAD = "misread"
KNOCKED_OVER = "knocked over"
DAMAGE = ("unreadable", "damaged")
"""Kinds of notices about parts of the ledger that can't be read."""
ANOTHER_RING = "another-ring"
"""Kind of the notice that draws now come from another ring."""
DEMO = "demo"
"""The `via` that begins a demo game; it never counts in statistics."""
UNDO_REASONS = (MISREAD, KNOCKED_OVER, NOT_A_DRAW)
"""The reasons for undoing a draw of the ring."""


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
    """A record that can't be imported: *index* is the number of the wrong line from 1; the header is line 1."""

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


class Asked(StrEnum):
    """The kind of a question about a passage."""

    UNSURE = "unsure"
    FOREIGN = "foreign"
    LATE = "late"
    PAIR = "pair"


@dataclass(frozen=True)
class Who:
    """Who acts, and with what: *name* is `host`, `ring` or a colour, *via* the device."""

    name: str
    via: str


@dataclass(frozen=True)
class TranscriptLine:
    """One line of the game's history.

    *ring* is the raw row of its passage. *note* is a remark about the line, or the reason if it was undone.
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

    *id* is its raw row. *offered* are colours with probabilities, likeliest first. *fault* is the key in
    `companion.ring.faults` for what went wrong, empty if nothing did.
    """

    id: int
    kind: str
    offered: tuple[tuple[str, float], ...]
    detail: str
    fault: str = ""


@dataclass(frozen=True)
class Notice:
    """A message that changes nothing; *id* is the row it comes from, 0 if it comes from none."""

    id: int
    kind: str
    text: str
    at_ms: int = 0


@dataclass(frozen=True)
class Cause:
    """A possible cause of a difference, and its correction: *ask* is a question, *way* the text of its button.

    *word* names it in the command `Mend`. There are three kinds of correction. Draw again from row *again_from* on,
    with *really* as the colour that left (empty: none). Or add the *lines*. Or the table moves stations by hand:
    *moves* is how many of each colour are put there, negative to take them away.
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
    """One difference between the counted and the expected stations; *causes* are likeliest first."""

    text: str
    causes: tuple[Cause, ...]


@dataclass(frozen=True)
class LeftOver:
    """The stations that a finished attempt must have left, until the next attempt or until the table agrees.

    *id* is the row that ended the attempt of *seat* at *place*, which the table calls *label*. *stations* are the
    expected ones, by colour in seat order, including zeros; *draws* are the attempt's, oldest first. *counted* is what
    the table counted instead, None if it hasn't, and *doubts* are the questions about the difference. *left_open*: the
    table plays on with it.
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
    """The line that undo would take back; one by the ring (*by_ring*) needs a reason."""

    id: int
    line: Line
    by_ring: bool


@dataclass(frozen=True)
class GameEntry:
    """One game of the ledger for a list; *began* and *last* are seconds of the wall clock.

    *own_row* is the number of its newest row, 0 if that came from another ledger. *damage* says why it can't be played,
    empty if it can; with an empty *header*, nothing else is known of it.
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
    """The game's identifier, the same in every ledger; empty if it can't be read."""
    own_row: int = 0


@dataclass(frozen=True)
class Snapshot:
    """The newest snapshot of the table.

    *version* is the row of the newest visible change, 0 without a game. *copy* names the copy in use, empty if unknown;
    *box* is its stored board as in a header. *kept* grows when a copy or a calibration is stored. *unkept* counts ring
    events outside of games that were dropped because there were too many. *seal* is the seal of the companion's seed,
    empty if it draws nothing. *whole* is the complete state for checking whether a line is legal; it is never shown,
    since *state* may lack hidden parts. *step_ms* and *game_ms* are the clocks at the monotonic second *as_of*; they
    advance while the status is live and the clock isn't stopped. *timing* is the step's clock as shown, *pace* the time
    limits. *storage* is empty while the ledger works, otherwise a sentence about the problem.
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
    kept: int = 0
    unkept: int = 0
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
        """What doesn't work now because a failed thread is waiting to restart, in sentences; empty if all is well."""
        return " ".join(notice.text for notice in self.notices if notice.kind == "unattended")

    @property
    def runs(self) -> bool:
        """Whether the clocks run."""
        return self.status is Status.LIVE and (self.timing is None or self.timing.running)

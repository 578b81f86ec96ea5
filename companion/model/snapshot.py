"""What anybody may see of the live game: frozen values, swapped after each commit, never changed."""

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
"""The kinds of notices that say what of the ledger could not be read."""
ANOTHER_RING = "another-ring"
"""The kind of the notice that draws come from another ring than before."""
DEMO = "demo"
"""By what a game is begun that is there to look around with: it never counts."""
UNDO_REASONS = (MISREAD, KNOCKED_OVER, NOT_A_DRAW)
"""Why a draw that really happened may be taken back."""


class MovedOn(Exception):
    """The game has moved on since the page was made that asked for this."""

    def __init__(self, version: int) -> None:
        super().__init__(said("The game has moved on. Look again first."))
        self.version = version

    @property
    def reason(self) -> str:
        """The sentence, as it was said."""
        reason: str = self.args[0]
        return reason


class ImportFault(Exception):
    """A record that cannot be taken in: *index* counts its lines from 1, the header being the first."""

    def __init__(self, index: int, line: object, reason: str) -> None:
        super().__init__(f"line {index}: {reason}")
        self.index, self.line, self.reason = index, line, reason


class Status(StrEnum):
    """How the game on the table stands."""

    NONE = "none"
    LIVE = "live"
    PAUSED = "paused"
    ABANDONED = "abandoned"
    FINISHED = "finished"


class Asked(StrEnum):
    """What kind of question a passage leaves open."""

    UNSURE = "unsure"
    FOREIGN = "foreign"
    LATE = "late"
    PAIR = "pair"


@dataclass(frozen=True)
class Who:
    """Who acts, and by what: a name (`host`, `ring`, a colour) and the thing in their hand."""

    name: str
    via: str


@dataclass(frozen=True)
class TranscriptLine:
    """One line of the game's story.

    *ring* is the raw row that made it, *note* what was said about it: for a
    line that was taken back, why.
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
    """Something the ring could not tell; *id* is the row of its raw event, *offered* likeliest first.

    *fault* is the name under which `companion.ring.faults` knows what went
    wrong, empty when nothing did.
    """

    id: int
    kind: str
    offered: tuple[tuple[str, float], ...]
    detail: str
    fault: str = ""


@dataclass(frozen=True)
class Notice:
    """Something worth a look that changes nothing; *id* is the row it comes from, 0 if from none."""

    id: int
    kind: str
    text: str
    at_ms: int = 0


@dataclass(frozen=True)
class Cause:
    """One thing that may have happened, and what mends it: *ask* as a question, *way* as the words of a button.

    *word* names it for the command that mends. Mended by drawing anew from the draw of
    row *again_from*, *really* being what left (empty: nothing did); or by
    *lines* of correction; or by the table's own hands, by which so many
    stations of a colour come there (*moves*, below nought: go from there).
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
    """One difference between what was counted and what must lie there; *causes* likeliest first."""

    text: str
    causes: tuple[Cause, ...]


@dataclass(frozen=True)
class LeftOver:
    """What must be left where an attempt is over, until the next attempt or until the table agrees.

    *id* is the row that ended the attempt of *seat* at *place*, which the
    table calls *label*; *stations* what must lie there now, by colour in
    seat order, noughts included; *draws* the attempt's, oldest first.
    *counted* is what the table counted instead, None while it has not, and
    *doubts* what to ask about the difference; *left_open*: play goes on with it.
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
    """What undo would take back; a line that the ring made (*by_ring*) asks for a reason."""

    id: int
    line: Line
    by_ring: bool


@dataclass(frozen=True)
class GameEntry:
    """One game in the ledger, as a list shows it; *began* and *last* are seconds of the wall clock.

    *own_row* is the number of its newest row, 0 where that came from another ledger. *damage* says why it cannot be
    played, empty while it can be; without a *header* nothing else can be told of it.
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
    """By what the game is known in every ledger; empty where that can't be read."""
    own_row: int = 0


@dataclass(frozen=True)
class Snapshot:
    """The newest snapshot of the table.

    *version* is the row of the newest change anybody can see, 0 without a
    game. *copy* names the copy of the game that lies on the table, empty
    while none is known, *box* is what is remembered of it, as a header writes
    it; *kept* grows when a copy or a calibration is kept, *unkept* counts what
    a ring that floods told beside play and nobody keeps. *seal* is that of the
    seed by which the companion draws, empty where it draws nothing.
    *whole* is the state that the rules decide by, whatever is hidden from whoever looks at *state*: it is asked
    whether a line is legal, and never shown.
    The clocks stood at *step_ms* and *game_ms* at the monotonic second
    *as_of* and run on while the status is live and nobody holds them; *timing*
    is the step's clock as it is shown, *pace* how the table wants it. *storage* is empty while the
    ledger keeps everything, a sentence when it does not.
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
        """What is not done now because a thread waits to start again, in sentences; empty while all is done."""
        return " ".join(notice.text for notice in self.notices if notice.kind == "unattended")

    @property
    def runs(self) -> bool:
        """Whether the clocks run."""
        return self.status is Status.LIVE and (self.timing is None or self.timing.running)

"""What can happen at a table, as values: a closed union, which the reducer folds and the rows of the ledger hold."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from companion.kernel.i18n import Said
from companion.kernel.validation import Line
from companion.kernel.values import dataclass
from companion.model.boxes import Copy
from companion.model.sealed import Lot
from companion.model.snapshot import Question
from companion.ports.ring import Judgement, RingEvent
from companion.ring.draw_policy import Became, RingPassage


@dataclass(frozen=True)
class Begun:
    """A game came on the table, or out of a record (*imported*)."""

    header: Line
    rules: str
    imported: bool = False


@dataclass(frozen=True)
class Stored:
    """A game's events as they lie in the ledger: only in the state that they follow on can the game read them."""

    lines: tuple[Line, ...]


@dataclass(frozen=True)
class LineDone:
    """A line of the game's record, and the game's own events that it made; *ring* is the raw row it comes from."""

    line: Line
    events: tuple[Any, ...] | Stored
    note: str | None = None
    ring: int | None = None


@dataclass(frozen=True)
class LineUndone:
    """Line *undoes* was taken back, and why (*note*); what a passage may have been besides is asked about (*asks*)."""

    undoes: int
    note: str | None = None
    asks: RingPassage | None = None


@dataclass(frozen=True)
class RingHeard:
    """A ring told of something."""

    event: RingEvent


@dataclass(frozen=True)
class Judged:
    """What the passage of raw row *ring* was taken for, when it came or later (*again*)."""

    ring: int
    judgement: Judgement
    again: bool = False


@dataclass(frozen=True)
class PassageAsked:
    """A passage leaves a question to the table."""

    question: Question


@dataclass(frozen=True)
class PassageSettled:
    """The passage of raw row *ring* made no line; *text* says so to the table."""

    ring: int
    became: Became
    text: Said


@dataclass(frozen=True)
class Answered:
    """A person said what the passage of raw row *ring* was."""

    ring: int
    chosen: str


@dataclass(frozen=True)
class StepStarted:
    """A step began whose limit is *limit_ms*, 0 for none."""

    step: str
    seats: tuple[str, ...]
    mark: tuple[int, ...]
    limit_ms: int


@dataclass(frozen=True)
class SeatReady:
    """A seat has laid face down."""

    seat: str


@dataclass(frozen=True)
class RevealBegun:
    """Three, two, one."""


@dataclass(frozen=True)
class Extended:
    """The step at hand was given *ms* more."""

    ms: int


@dataclass(frozen=True)
class ClockHeld:
    """The clock stands while the game may go on, and *why*."""

    why: str


@dataclass(frozen=True)
class ClockGoing:
    """The clock runs again."""


@dataclass(frozen=True)
class PaceSet:
    """The table wants its clocks so: JSON that only the game's own `TimeControl` can read."""

    pace: Line


ClockChange = StepStarted | SeatReady | RevealBegun | Extended | ClockHeld | ClockGoing | PaceSet


@dataclass(frozen=True)
class ClockChanged:
    """Something was done to the clock, in *version* of the game; older ledgers do not say in which."""

    change: ClockChange
    version: int | None = None


class Fate(StrEnum):
    """A turn in the fate of a game about which there is no more to say, by its word in the ledger."""

    PAUSED = "paused"
    RESUMED = "resumed"
    FINISHED = "finished"
    REOPENED = "reopened"
    SWITCHED = "switched"
    BEAT = "beat"


@dataclass(frozen=True)
class Abandoned:
    """The game was given up."""

    reason: str


@dataclass(frozen=True)
class SeatLeft:
    """A player left the table."""

    seat: str


@dataclass(frozen=True)
class SeatReturned:
    """A player is back."""

    seat: str


@dataclass(frozen=True)
class PlayedWith:
    """The copy that the game is played with."""

    copy: str


@dataclass(frozen=True)
class LeftAgreed:
    """The table agrees to what attempt *left* has left; *stations* were counted."""

    left: int
    stations: Mapping[str, int]


@dataclass(frozen=True)
class LeftCounted:
    """The table counts something else where attempt *left* was over."""

    left: int
    stations: Mapping[str, int]


@dataclass(frozen=True)
class LeftOpen:
    """The table plays on with a difference."""

    left: int


@dataclass(frozen=True)
class SeedSealed:
    """The companion's draws of this game come from a *seed* (hexadecimal digits), whose seal everybody may see.

    In a copy that was taken along before the end of the game the seed is empty, and only the *seal* is known.
    """

    seed: str
    seal: str = ""


@dataclass(frozen=True)
class WordsAdded:
    """Somebody said words to the seed: what is drawn from now on depends on them too."""

    words: str


@dataclass(frozen=True)
class LotDrawn:
    """The companion drew by the sealed seed; undoing what became of it does not take it back."""

    lot: Lot


SealEvent = SeedSealed | WordsAdded | LotDrawn
Moment = Fate | Abandoned | SeatLeft | SeatReturned | PlayedWith | LeftAgreed | LeftCounted | LeftOpen


@dataclass(frozen=True)
class CopyKept:
    """A copy of a game, new or changed; it outlasts games."""

    copy: Copy


@dataclass(frozen=True)
class CopyUsed:
    """A game was begun with the copy of this name."""

    name: str


@dataclass(frozen=True)
class CalibrationKept:
    """A calibration, whole, made for *copy*; the bridge alone reads what *line* holds."""

    copy: str
    line: Line


@dataclass(frozen=True)
class PaceKept:
    """The pace that a table likes for a *game*."""

    game: str
    pace: Line


LineEvent = LineDone | LineUndone
PassageEvent = PassageAsked | PassageSettled
Aside = CopyKept | CopyUsed | CalibrationKept | PaceKept
Event = Begun | LineEvent | RingHeard | Judged | PassageEvent | Answered | ClockChanged | Moment | SealEvent | Aside


@dataclass(frozen=True)
class EventEntry:
    """An event as it was put on record: numbered, and with the clocks as they stood just before it.

    *game* is None for what belongs to no game. *at_ms* is the game's clock,
    *step_ms* the step's, *wall_ms* the wall clock's.
    """

    id: int
    game: int | None
    who: str
    via: str
    at_ms: int
    step_ms: int
    wall_ms: int
    event: Event

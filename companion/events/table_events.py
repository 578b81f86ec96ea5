"""The events of a table: a closed union of frozen classes. The reducer folds them and the ledger stores them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from companion.kernel.fields import Line
from companion.kernel.said import Said
from companion.kernel.values import dataclass
from companion.model.boxes import Copy
from companion.model.sealed import Lot
from companion.model.snapshot import Question
from companion.ports.ring import Judgement, RingEvent
from companion.ring.draw_policy import Became, RingPassage


@dataclass(frozen=True)
class Begun:
    """A game was opened, or *imported* from a record."""

    header: Line
    rules: str
    imported: bool = False


@dataclass(frozen=True)
class Stored:
    """The events of a line, as the ledger stores them. The game needs the state before them to parse them."""

    lines: tuple[Line, ...]


@dataclass(frozen=True)
class LineDone:
    """A line of the game's record, with the game's own events. *ring* is the raw ring row that caused it."""

    line: Line
    events: tuple[Any, ...] | Stored
    note: str | None = None
    ring: int | None = None


@dataclass(frozen=True)
class LineUndone:
    """A line was undone.

    *undoes* is its row, *note* the reason, and *asks* a passage that the table is asked about again.
    """

    undoes: int
    note: str | None = None
    asks: RingPassage | None = None


@dataclass(frozen=True)
class RingEventReceived:
    """A ring sent an event."""

    event: RingEvent


@dataclass(frozen=True)
class Judged:
    """The colour of a passage was recognised. *ring* is its raw row; *again* means that this is not the first time."""

    ring: int
    judgement: Judgement
    again: bool = False


@dataclass(frozen=True)
class PassageAsked:
    """The table was asked what a passage was."""

    question: Question


@dataclass(frozen=True)
class PassageSettled:
    """A passage was settled without a line. *ring* is its raw row, and *text* explains it to the table."""

    ring: int
    became: Became
    text: Said


@dataclass(frozen=True)
class Answered:
    """A person answered the question about a passage. *ring* is its raw row."""

    ring: int
    chosen: str


@dataclass(frozen=True)
class StepStarted:
    """A step began. Its time limit is *limit_ms*, in milliseconds; 0 means no limit."""

    step: str
    seats: tuple[str, ...]
    mark: tuple[int, ...]
    limit_ms: int


@dataclass(frozen=True)
class SeatReady:
    """A player said that they are ready: their card is face down."""

    seat: str


@dataclass(frozen=True)
class RevealBegun:
    """The countdown 3-2-1 began."""


@dataclass(frozen=True)
class Extended:
    """The present step was extended by *ms* milliseconds."""

    ms: int


@dataclass(frozen=True)
class ClockHeld:
    """The clock was stopped while the game goes on; *why* is the reason."""

    why: str


@dataclass(frozen=True)
class ClockGoing:
    """The clock was started again."""


@dataclass(frozen=True)
class PaceSet:
    """The table changed its time limits. *pace* is JSON for the game's own `TimeControl`."""

    pace: Line


ClockChange = StepStarted | SeatReady | RevealBegun | Extended | ClockHeld | ClockGoing | PaceSet


@dataclass(frozen=True)
class ClockChanged:
    """The clock was changed while the game had this *version*. Older ledgers do not store the version."""

    change: ClockChange
    version: int | None = None


class Fate(StrEnum):
    """A change of a game's status that has no fields. The values are the words in the ledger."""

    PAUSED = "paused"
    RESUMED = "resumed"
    FINISHED = "finished"
    REOPENED = "reopened"
    SWITCHED = "switched"
    BEAT = "beat"


@dataclass(frozen=True)
class Abandoned:
    """The game was ended early."""

    reason: str


@dataclass(frozen=True)
class SeatLeft:
    """A player left the table."""

    seat: str


@dataclass(frozen=True)
class SeatReturned:
    """A player came back."""

    seat: str


@dataclass(frozen=True)
class PlayedWith:
    """The game is played with this copy."""

    copy: str


@dataclass(frozen=True)
class LeftAgreed:
    """The table confirmed the stations that an attempt left. *left* is the row that ended the attempt."""

    left: int
    stations: Mapping[str, int]


@dataclass(frozen=True)
class LeftCounted:
    """The table counted other stations than expected after an attempt. *left* is the row that ended the attempt."""

    left: int
    stations: Mapping[str, int]


@dataclass(frozen=True)
class LeftOpen:
    """The table continues in spite of a difference after an attempt. *left* is the row that ended the attempt."""

    left: int


@dataclass(frozen=True)
class SeedSealed:
    """The companion computes its draws in this game from *seed* (hexadecimal digits).

    *seal* is the published hash of the seed. In a copy of the game that was made before its end, *seed* is empty.
    """

    seed: str
    seal: str = ""


@dataclass(frozen=True)
class WordsAdded:
    """A player added words to the seed. Later draws depend on these words too."""

    words: str


@dataclass(frozen=True)
class LotDrawn:
    """The companion drew with the sealed seed. The draw still counts as made if its line is undone later."""

    lot: Lot


SealEvent = SeedSealed | WordsAdded | LotDrawn
Moment = Fate | Abandoned | SeatLeft | SeatReturned | PlayedWith | LeftAgreed | LeftCounted | LeftOpen


@dataclass(frozen=True)
class CopySaved:
    """A copy of a game was added or changed. It is not part of any game."""

    copy: Copy


@dataclass(frozen=True)
class CopyUsed:
    """A game was begun with the copy called *name*."""

    name: str


@dataclass(frozen=True)
class CalibrationSaved:
    """A calibration was made for the copy called *copy*. Only the bridge interprets *line*."""

    copy: str
    line: Line


@dataclass(frozen=True)
class PaceSaved:
    """The time limits that a table prefers for a *game* were saved."""

    game: str
    pace: Line


LineEvent = LineDone | LineUndone
PassageEvent = PassageAsked | PassageSettled
Aside = CopySaved | CopyUsed | CalibrationSaved | PaceSaved
Event = (
    Begun | LineEvent | RingEventReceived | Judged | PassageEvent | Answered | ClockChanged | Moment | SealEvent | Aside
)


@dataclass(frozen=True)
class EventEntry:
    """An event as recorded, with its number and the clocks just before it.

    *game* is None for an event outside games. *at_ms* is the game's clock, *step_ms* the clock of the step, *wall_ms*
    the wall clock, all in milliseconds.
    """

    id: int
    game: int | None
    who: str
    via: str
    at_ms: int
    step_ms: int
    wall_ms: int
    event: Event

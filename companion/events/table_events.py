"""The events of a table, as a closed union of values. The reducer folds them and the ledger stores them."""

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
    """A game was opened, or *imported* from a record."""

    header: Line
    rules: str
    imported: bool = False


@dataclass(frozen=True)
class Stored:
    """A game's events as the ledger stores them. To parse them, the game needs the state before them."""

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
    """Line *undoes* was undone because of *note*. *asks* is a passage that the table is asked about again."""

    undoes: int
    note: str | None = None
    asks: RingPassage | None = None


@dataclass(frozen=True)
class RingEventReceived:
    """A ring sent an event."""

    event: RingEvent


@dataclass(frozen=True)
class Judged:
    """The colour recognised in the passage of raw row *ring*, when it arrived or later (*again*)."""

    ring: int
    judgement: Judgement
    again: bool = False


@dataclass(frozen=True)
class PassageAsked:
    """The table is asked about a passage."""

    question: Question


@dataclass(frozen=True)
class PassageSettled:
    """The passage of raw row *ring* made no line; *text* tells the table why."""

    ring: int
    became: Became
    text: Said


@dataclass(frozen=True)
class Answered:
    """A person answered what the passage of raw row *ring* was."""

    ring: int
    chosen: str


@dataclass(frozen=True)
class StepStarted:
    """A step began. Its limit is *limit_ms*, 0 for no limit."""

    step: str
    seats: tuple[str, ...]
    mark: tuple[int, ...]
    limit_ms: int


@dataclass(frozen=True)
class SeatReady:
    """A player has chosen face down."""

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
    """The clock was stopped because of *why*, although the game continues."""

    why: str


@dataclass(frozen=True)
class ClockGoing:
    """The clock was started again."""


@dataclass(frozen=True)
class PaceSet:
    """The table set the pace of its clock: JSON that only the game's own `TimeControl` can read."""

    pace: Line


ClockChange = StepStarted | SeatReady | RevealBegun | Extended | ClockHeld | ClockGoing | PaceSet


@dataclass(frozen=True)
class ClockChanged:
    """The clock was changed, in *version* of the game. Older ledgers do not store the version."""

    change: ClockChange
    version: int | None = None


class Fate(StrEnum):
    """A change of a game's status without further details, by its word in the ledger."""

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
    """The table confirmed the stations that remain after attempt *left*."""

    left: int
    stations: Mapping[str, int]


@dataclass(frozen=True)
class LeftCounted:
    """The table counted other stations than expected after attempt *left*."""

    left: int
    stations: Mapping[str, int]


@dataclass(frozen=True)
class LeftOpen:
    """The table continues in spite of a difference after attempt *left*."""

    left: int


@dataclass(frozen=True)
class SeedSealed:
    """The companion's draws in this game come from a *seed* (hexadecimal digits). Everybody may see its *seal*.

    In a copy that was made before the end of the game the seed is empty and only the seal is known.
    """

    seed: str
    seal: str = ""


@dataclass(frozen=True)
class WordsAdded:
    """A player added words to the seed: later draws depend on them too."""

    words: str


@dataclass(frozen=True)
class LotDrawn:
    """The companion drew from the sealed seed. Undoing its line does not undo the draw."""

    lot: Lot


SealEvent = SeedSealed | WordsAdded | LotDrawn
Moment = Fate | Abandoned | SeatLeft | SeatReturned | PlayedWith | LeftAgreed | LeftCounted | LeftOpen


@dataclass(frozen=True)
class CopySaved:
    """A copy of a game was added or changed. It is not part of any game."""

    copy: Copy


@dataclass(frozen=True)
class CopyUsed:
    """A game was begun with the copy of this name."""

    name: str


@dataclass(frozen=True)
class CalibrationSaved:
    """A calibration was made for *copy*. Only the bridge reads *line*."""

    copy: str
    line: Line


@dataclass(frozen=True)
class PaceSaved:
    """The preferred pace of a table for a *game*."""

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

    *game* has no value for an event outside games. *at_ms* is the game's clock, *step_ms* the clock of the step,
    *wall_ms* the wall clock.
    """

    id: int
    game: int | None
    who: str
    via: str
    at_ms: int
    step_ms: int
    wall_ms: int
    event: Event

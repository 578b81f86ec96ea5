"""The state of a live game after a row of its ledger, as one frozen value; and the record of its lines, in memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.events.table_events import (
    Abandoned,
    Begun,
    EventEntry,
    Fate,
    LineDone,
    LineUndone,
    LotDrawn,
    SeedSealed,
    WordsAdded,
)
from companion.kernel.errors import Refused
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.values import replace
from companion.model.capabilities import Wanted
from companion.model.clock import Accounts, Clock, TimeBank, TimeControl
from companion.model.game import AnyGame, draw_wanted, ring_of
from companion.model.sealed import Sealed, lot_line
from companion.model.snapshot import Notice, Question, Status, TranscriptLine, Undoable
from companion.ring.draw_policy import Arming, Ended, RingPassage

STILL = {
    Status.PAUSED: said("The game is paused. Resume it first."),
    Status.ABANDONED: said("This game was ended early. Continue it first."),
}
"""The reason why a line is refused in a paused or abandoned game."""


@dataclass(frozen=True, slots=True)
class Remains:
    """A finished attempt.

    Row *id* ended it, *draws* are its lines, and *counted* are the stations that the table counted. *left_open* means
    that the table continues although the count differs.
    """

    id: int
    seat: str
    place: str
    draws: tuple[TranscriptLine, ...]
    counted: Mapping[str, int] | None = None
    left_open: bool = False


@dataclass(frozen=True, slots=True)
class Past:
    """A line that counts, and the state and the clock before it.

    *attempt* is the attempt that was in progress before the line, 0 if there was none. *remains* is the last finished
    attempt before the line.
    """

    line: TranscriptLine
    state: Any
    clock: Clock
    attempt: int = 0
    remains: Remains | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Earlier:
    """The players' times before each line that counts, newest first.

    It is a linked list with all lines, because undo may go back to any line.
    """

    accounts: Accounts
    rest: Earlier | None


@dataclass(frozen=True)
class RoomLight:
    """The room's light before a passage, as a share of the lamp's light. *at_us* is the device's clock since *boot*."""

    boot: str
    at_us: int
    share: float


@dataclass(frozen=True)
class TableState:
    """One game as it is after a row of its ledger.

    - *version*: the newest row with a visible effect. *moved*: the newest row that made open pages outdated.
    - *lines*: the number of lines that count. *past*: the newest of these lines.
    - *waiting*: passages that are not settled yet. *question*: the question about the first of them.
    - *attempt*: the row that began the attempt in progress, 0 if there is none.
    - *remains*: the last finished attempt, None while an attempt is in progress. *agreed*: the table has agreed to all
      attempts up to this row.
    - *copy*: the name of the copy in use. *pace*: the time limits. *device*: the ring that sent the last event.
    - *light*: the room's light before the last passage, if the ring reports it.
    - *sealed*: the seed for the companion's draws, if there is one.
    """

    game_id: int
    game: AnyGame
    header: Line
    rules: str
    state: Any
    clock: Clock
    version: int
    moved: int
    wanted: Wanted | None = None
    attempt: int = 0
    paused: bool = False
    abandoned: str | None = None
    closed: bool = False
    absent: frozenset[str] = frozenset()
    past: tuple[Past, ...] = ()
    earlier: Earlier | None = None
    lines: int = 0
    armings: tuple[Arming, ...] = ()
    remains: Remains | None = None
    agreed: int = 0
    copy: str = ""
    pace: TimeControl = field(default_factory=TimeControl)
    device: str = ""
    light: RoomLight | None = None
    sealed: Sealed | None = None
    waiting: tuple[RingPassage, ...] = ()
    question: Question | None = None
    recent: tuple[TranscriptLine, ...] = ()
    notices: tuple[Notice, ...] = ()

    def but(self, **changes: Any) -> TableState:
        """Return a copy with some fields changed, like `dataclasses.replace`.

        It takes a third of the time, which matters because a fold calls it for every row.
        """
        copy = object.__new__(TableState)
        copy.__dict__.update(self.__dict__, **changes)
        return copy

    def settled(self, ring: int) -> TableState:
        """Return a copy without a question and without the passage of raw row *ring*."""
        return self.but(waiting=tuple([each for each in self.waiting if each.id != ring]), question=None)

    @property
    def status(self) -> Status:
        """Live, paused, finished or abandoned."""
        if self.abandoned is not None:
            return Status.ABANDONED
        if self.game.result(self.state) is not None:
            return Status.FINISHED
        return Status.PAUSED if self.paused else Status.LIVE

    def check_going(self) -> None:
        """Raise `Refused` if the game is paused or abandoned."""
        status = self.status
        if status in STILL:
            raise Refused(STILL[status])

    @property
    def token(self) -> int:
        """The token with which a passage becomes a draw without a question, or 0."""
        return self.armings[-1].token if self.armings and self.armings[-1].ended is Ended.OPEN else 0

    @property
    def unagreed(self) -> Remains | None:
        """The last attempt, if it is finished and the table hasn't agreed to the remaining stations yet."""
        return self.remains if self.remains is not None and self.remains.id > self.agreed else None

    @property
    def undoable(self) -> Undoable | None:
        """The line that an undo would undo, which is the last line of a person or the ring."""
        line = _last_of_somebody(self.past)
        if line is None:
            return None
        by_ring = made_by_ring(line)
        return Undoable(line.id, line.line, by_ring, self._began_attempt(line.id) if by_ring else 0)

    def _began_attempt(self, draw: int) -> int:
        """Return the row of the line that began the attempt of the draw in row *draw*, or 0 if no line began it."""
        if not ring_of(self.game).in_attempts:
            return 0
        outside = (each.line for each in reversed(self.past) if each.line.id < draw and not each.attempt)
        line = next(outside, None)
        return 0 if line is None or ring_of(self.game).out(line.line) else line.id


def clocks_run(play: TableState) -> bool:
    """Return whether the game's clocks run: the game is live (not paused, not over), and nobody stopped the clock."""
    return play.status is Status.LIVE and not play.clock.held


def _last_of_somebody(past: tuple[Past, ...]) -> TranscriptLine | None:
    for each in reversed(past):
        if each.line.via != "companion":
            return each.line
    return None


def made_by_ring(line: TranscriptLine) -> bool:
    """Return whether this line was made by a station that left a ring."""
    return line.ring is not None or line.via in ("ring", "virtual")


def begin(game: AnyGame, row: int, begun: Begun) -> TableState:
    """Return the state after the header in row *row*, or raise `Malformed`.

    The game has no time banks until a row sets them, because older games were played without time banks.
    """
    state = game.start(begun.header)
    clock = Clock().turned(game.step(state))
    wanted = draw_wanted(game, state)
    attempt, armings = (row, (Arming(row, row),)) if wanted is not None else (0, ())
    return TableState(
        *(row, game, begun.header, begun.rules, state, clock, row, row),
        wanted=wanted,
        attempt=attempt,
        armings=armings,
        pace=replace(game.pace, bank=TimeBank()),
    )


def as_transcript_line(entry: EventEntry, done: LineDone, undoing: LineUndone | None = None) -> TranscriptLine:
    """Return the line in *entry* in the form for a transcript.

    It is marked as undone if *undoing*, an undo, is given.
    """
    note = (done.note if undoing is None else undoing.note) or ""
    return TranscriptLine(entry.id, done.line, entry.who, entry.via, entry.at_ms, undoing is not None, done.ring, note)


UNDO = {"do": "undo"}


@shows("_sealed", "_opened", "_over")
class Transcript:
    """The record of one game so far; a long game takes about a megabyte."""

    def __init__(self, game_id: int, header: Line) -> None:
        self.game_id = game_id
        self._lines = [header]
        self._sealed: Sealed | None = None
        self._opened = False
        self._waiting: list[Line] = []
        self._over = False

    def record(self) -> Iterator[Line]:
        """Return the record, header first, as a deep copy."""
        header, *lines = self._lines
        return map(_own, ({**header, **self._seal()}, *lines))

    def _seal(self) -> Line:
        """Return the part of the header about the sealed seed. The seed is included only when the game is over."""
        if self._sealed is None:
            return {}
        opened = {"seed": self._sealed.seed} if self._sealed.seed and (self._over or self._opened) else {}
        unused = {"lots": self._waiting} if self._waiting else {}
        fields = {"seal": self._sealed.seal, "words": list(self._sealed.words), "drawn": len(self._sealed.lots)}
        return {"sealed": {**fields, **opened, **unused}}

    @property
    def sealed(self) -> tuple[Sealed | None, bool]:
        """The seed with all its lots, and whether the seed may be published."""
        return self._sealed, self._over or self._opened

    def valid_lines(self) -> list[Line]:
        """Return the header and the lines that count, in order."""
        valid: list[Line] = []
        for line in self._lines:
            if line.get("do") == UNDO["do"]:
                valid.pop()
            else:
                valid.append(line)
        return valid

    def add(self, entries: Iterable[EventEntry]) -> None:
        """Add the lines and lots in *entries*."""
        for entry in entries:
            match entry.event:
                case LineDone() | LineUndone():
                    lots = {"lots": self._waiting} if self._waiting else {}
                    self._lines.append({**line_of(entry, entry.event), **lots})
                    self._waiting = []
                case SeedSealed(seed, seal):
                    self._sealed = Sealed(seed, known=seal)
                case WordsAdded(words) if self._sealed is not None:
                    self._sealed = replace(self._sealed, words=(*self._sealed.words, words))
                case LotDrawn(lot) if self._sealed is not None:
                    self._sealed = self._sealed.drawn(lot)
                    self._waiting.append(lot_line(lot))
                case Fate.FINISHED | Abandoned():
                    self._over = True
                case Fate.REOPENED | Fate.RESUMED:
                    self._opened, self._over = self._opened or self._over, False
                case _:
                    pass


def line_of(entry: EventEntry, event: LineDone | LineUndone) -> Line:
    """Return the line of *entry* in the form of a record."""
    line = event.line if isinstance(event, LineDone) else UNDO
    noted = {} if event.note is None else {"note": event.note}
    return {**line, "at": entry.at_ms, "via": entry.via, **noted}


def _own(line: Line) -> Line:
    own: Line = json.loads(json.dumps(line))
    return own

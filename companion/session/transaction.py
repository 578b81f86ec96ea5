"""A transaction: events that are committed together. It collects them before the commit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from companion.events import packed
from companion.events.table_events import (
    Aside,
    ClockChange,
    ClockChanged,
    Event,
    EventEntry,
    Fate,
    Judged,
    LineDone,
    LineUndone,
    LotDrawn,
    PassageAsked,
    PassageSettled,
    RingEventReceived,
    SeedSealed,
    StepStarted,
)
from companion.kernel.errors import Refused
from companion.kernel.fields import Line
from companion.kernel.said import Said, said, word
from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from companion.ledger import Row
from companion.model.game import check_lots, ring_of, ring_words
from companion.model.sealed import SEED_BYTES, SealedLots
from companion.model.snapshot import Asked, Question, Status, Who
from companion.ports.ring import RingEvent
from companion.records import opened
from companion.ring.draw_policy import Asks, Became, Draws, Left, RingPassage, practised, verdict
from companion.session.line_reducer import past_of
from companion.session.reducer import fold
from companion.session.state import Past, TableState, Transcript

COMPANION = Who("companion", "companion")
# The limit for lines that the companion adds. They are added under the table's lock, so an endless game would block
# every page.
BY_ITSELF_MOST = 1000

Lines = Callable[[], list[EventEntry]]
"""A function that returns the lines of the game that are already in the ledger, oldest first."""


@shows("entries")
class Transaction:
    """Events to be committed together. An added event is folded at once; `play` is the state after all of them.

    `rows` returns the events as rows of the ledger.
    """

    def __init__(
        self,
        play: TableState,
        transcript: Transcript,
        as_of: float,
        last: int,
        wall_ms: int,
        lots: Random,
        lines: Lines,
        entries: tuple[EventEntry, ...] = (),
    ) -> None:
        """Continue *play*, with its clock read at *as_of*. *entries* are events that *play* already contains.

        *last* is the ledger's newest row.
        """
        self.play = play
        self.transcript = transcript
        self.as_of = as_of
        self.entries = list(entries)
        self._timed = None if entries else play.clock.step
        self._last = last
        self._wall_ms = wall_ms
        self._lots = lots
        self._lines = lines

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows to be committed."""
        game = self.play.game
        return tuple([packed(entry, game) for entry in self.entries])

    def flushed(self) -> tuple[Row, ...]:
        """Remove and return `rows`, so that a long record doesn't fill the memory.

        Later rows continue the numbering.
        """
        rows = self.rows
        self._last += len(self.entries)
        self.entries.clear()
        return rows

    def add(self, event: Event, who: Who) -> EventEntry:
        """Add an event and fold it."""
        clock = self.play.clock
        stamps = (clock.game_ms, clock.step_ms, self._wall_ms)
        entry = EventEntry(self._last + len(self.entries) + 1, self.play.game_id, who.name, who.via, *stamps, event)
        self.entries.append(entry)
        self.play = fold(self.play, entry, self._deeper)
        return entry

    def aside(self, event: Aside, who: Who) -> None:
        """Add an event that belongs to no game."""
        self.entries.append(
            EventEntry(self._last + len(self.entries) + 1, None, who.name, who.via, 0, 0, self._wall_ms, event)
        )

    def at(self, at_ms: int) -> None:
        """Advance the game's clock to *at_ms*. The clock never goes back."""
        clock = self.play.clock
        self.play = replace(self.play, clock=clock.after(max(0, at_ms - clock.game_ms)))

    def line(self, line: Line, who: Who, ring: int | None = None) -> None:
        """Choose the random values of a line and add the line with its events, or raise `Malformed` or `Refused`."""
        envelope, bare = opened(line)
        game = self.play.game
        if self.play.sealed is None or not self.play.sealed.seed:
            whole = game.cast_lots(self.play.state, bare, self._lots)
        else:
            lots = SealedLots(self.play.sealed, self._lots)
            whole = game.cast_lots(self.play.state, bare, lots)
            for lot in lots.drawn:
                self.add(LotDrawn(lot), COMPANION)
        self.decided(game.parse(whole), who, envelope.note, ring)

    def seal(self) -> None:
        """Seal a new seed for the companion's draws, before the first draw."""
        self.add(SeedSealed(self._lots.randbytes(SEED_BYTES).hex()), COMPANION)

    def lot(self) -> str:
        """Draw the colour that a simulated ring must release, or "" if no seed is sealed or no draw is expected."""
        sealed, wanted = self.play.sealed, self.play.wanted
        if sealed is None or not sealed.seed or wanted is None:
            return ""
        lot = sealed.draw(wanted.under)
        self.add(LotDrawn(lot), COMPANION)
        return lot.colour

    def decided(self, command: Any, who: Who, note: str | None = None, ring: int | None = None) -> None:
        """Add the line and the events of *command*, or raise `Malformed` if it lacks a random value."""
        game = self.play.game
        line, events = game.line(command), tuple(game.decide(self.play.state, command))
        check_lots(game, self.play.state, line)
        self.add(LineDone(line, events, note or None, ring), who)

    def undo_one(self, who: Who, note: str, asks: RingPassage | None = None) -> None:
        """Undo the last line that counts, or raise `Refused` if there is none."""
        if not self.play.past:
            raise Refused(said("There's nothing to undo."))
        self.add(LineUndone(self.play.past[-1].line.id, note or None, asks), who)

    def hear(self, event: RingEvent, who: Who) -> None:
        """Add an event from the ring. A passage then waits until it is settled."""
        entry = self.add(RingEventReceived(event), who)
        if event.judgement is not None:
            self.add(Judged(entry.id, event.judgement), COMPANION)
        if self.play.waiting and self.play.waiting[-1].id == entry.id and self.play.status is not Status.LIVE:
            self.add(PassageSettled(entry.id, Became.PRACTICE, self._practised()), COMPANION)

    def clock(self, change: ClockChange, who: Who) -> None:
        """Add a change of the clock, together with the present version of the game."""
        self.add(ClockChanged(change, self.play.moved), who)

    def settle(self, ring: Who) -> None:
        """Add all events that follow automatically.

        These are the companion's lines, draws from waiting passages, and the end of the game.
        """
        live = self._act()
        while live and self.play.waiting and self._settle_first(ring):
            live = self._act()
        self.timed()
        if self.play.closed or not live:
            self.close()

    def timed(self) -> None:
        """Add `StepStarted` if another step has begun."""
        step = self.play.clock.step
        if step == self._timed:
            return
        self._timed = step
        if step is not None:
            limit_ms = self.play.pace.limit(step.name).ms
            self.clock(StepStarted(step.name, step.seats, step.mark, limit_ms), COMPANION)

    def close(self) -> None:
        """If the game has just ended, add `Fate.FINISHED`.

        If an ended game continues after an undo, add `Fate.REOPENED`.
        """
        finished = self.play.game.result(self.play.state) is not None
        if finished != self.play.closed:
            self.add(Fate.FINISHED if finished else Fate.REOPENED, COMPANION)

    def _act(self) -> bool:
        """Add the lines that the companion plays itself; return whether the game is still live afterwards.

        It plays for absent players too, unless all players have left, because such a game might never end.
        """
        if self.play.absent and {seat.colour for seat in self.play.game.seats(self.play.state)} <= self.play.absent:
            return True
        for _ in range(BY_ITSELF_MOST):
            if self.play.status is not Status.LIVE:
                return False
            command = self.play.game.by_itself(self.play.state, self.play.absent)
            if command is None:
                return True
            self.line(self.play.game.line(command), COMPANION)
        raise RuntimeError(f"{self.play.game.name} goes on by itself without an end")

    def _settle_first(self, ring: Who) -> bool:
        """Settle the first waiting passage, or return False if a person has to decide."""
        passage = self.play.waiting[0]
        match verdict(passage, self.play.wanted, self.play.armings, ring_words(self.play.game)):
            case Draws(colour):
                return self._drawn(passage, colour, ring)
            case Left(became, text):
                self.add(PassageSettled(passage.id, became, text), COMPANION)
            case Asks(question):
                return self._ask(question)
        return True

    def _practised(self) -> Said:
        return practised(self.play.waiting[-1], ring_words(self.play.game))

    def _drawn(self, passage: RingPassage, colour: str, ring: Who) -> bool:
        try:
            self.decided(ring_of(self.play.game).draw(colour), ring, ring=passage.id)
        except Refused as refusal:
            return self._ask(Question(passage.id, Asked.UNSURE, ((colour, 1.0),), word(refusal.reason)))
        return True

    def _ask(self, question: Question) -> bool:
        if question != self.play.question:
            self.add(PassageAsked(question), COMPANION)
        return False

    def _deeper(self) -> tuple[Past, ...]:
        # lines of this transaction are not in the ledger yet
        new = (entry for entry in self.entries if isinstance(entry.event, LineDone | LineUndone))
        return past_of(self.play.game, self.play.header, [*self._lines(), *new])


@dataclass(frozen=True)
class Happening:
    """A committed transaction: its entries, and the states of the table before and after them (None means no game)."""

    before: TableState | None
    entries: tuple[EventEntry, ...]
    after: TableState

    @property
    def version(self) -> int:
        """The version after the transaction."""
        return self.after.version

"""One transaction while it is being written: rows that follow from each other, not yet committed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from companion.kernel.errors import Refused
from companion.kernel.i18n import kept, said
from companion.kernel.validation import Line
from companion.ledger import Kind, Row
from companion.model.game import ring_of
from companion.model.snapshot import Asked, Question, Status, Who
from companion.ports.ring import RingEvent
from companion.records import opened
from companion.ring.draw_policy import Asks, Draws, Left, Passage, passage_of, practised, verdict
from companion.ring.event_codec import body_of
from companion.ring.judgement_codec import FIRST, judgement_body
from companion.session.reducer import fold, past_of
from companion.session.state import Past, TableState
from companion.session.transcript import Transcript

COMPANION = Who("companion", "companion")
BY_ITSELF_MOST = 1000

Lines = Callable[[], list[Row]]
"""Gives the lines of the game that are in the ledger already, oldest first."""


class Transaction:
    """Rows to come, each folded in as it is added: `play` is how things will stand once `rows` are in the ledger."""

    def __init__(
        self,
        play: TableState,
        story: Transcript,
        as_of: float,
        last: int,
        wall_ms: int,
        lots: Random,
        lines: Lines,
        rows: tuple[Row, ...] = (),
    ) -> None:
        """Go on from *play*, its clock read at *as_of* and *rows* folded in already, with row numbers after *last*."""
        self.play = play
        self.story = story
        self.as_of = as_of
        self.rows = list(rows)
        self._timed = None if rows else play.clock.step
        self._last = last
        self._wall_ms = wall_ms
        self._lots = lots
        self._lines = lines

    def add(self, kind: Kind, word: str, who: Who, body: Line, **marks: Any) -> Row:
        """Add a row and let it take effect."""
        clock = self.play.clock
        stamps = (clock.game_ms, clock.step_ms, self._wall_ms)
        row = Row(self._next(), self.play.game_id, kind, word, who.name, who.via, *stamps, body, **marks)
        self.rows.append(row)
        self.play = fold(self.play, row, self._deeper)
        return row

    def aside(self, kind: Kind, word: str, who: Who, body: Line) -> None:
        """Add a row that belongs to no game."""
        self.rows.append(Row(self._next(), None, kind, word, who.name, who.via, 0, 0, self._wall_ms, body))

    def at(self, at_ms: int) -> None:
        """Let the game's clock run on to *at_ms*, never back."""
        clock = self.play.clock
        self.play = replace(self.play, clock=clock.after(max(0, at_ms - clock.game_ms)))

    def line(self, line: Line, who: Who, ring: int | None = None) -> None:
        """Add a command with what it makes happen, lots cast where it wants them, or raise `Malformed` or `Refused`."""
        envelope, bare = opened(line)
        self.decided(self.play.game.cast_lots(self.play.state, bare, self._lots), who, envelope.note, ring)

    def decided(self, bare: Line, who: Who, note: str | None = None, ring: int | None = None) -> None:
        """Add a command in which nothing is left to chance, with what it makes happen."""
        game = self.play.game
        command = game.parse(bare)
        events = [game.pack(event) for event in game.decide(self.play.state, command)]
        said = game.line(command)
        noted = {"note": note} if note else {}
        self.add(Kind.LINE, said["do"], who, {"line": said, "events": events, **noted}, ring=ring)

    def undo_one(self, who: Who, note: str, asks: Line | None = None) -> None:
        """Take back the last line that counts, or raise `Refused` when there is none."""
        if not self.play.past:
            raise Refused(said("There is nothing to take back."))
        told = self.play.past[-1].told
        body: dict[str, Any] = {"line": {"do": "undo"}}
        if note:
            body["note"] = note
        if asks is not None:
            body["asks"] = asks
        self.add(Kind.LINE, "undo", who, body, undoes=told.id)

    def hear(self, event: RingEvent, who: Who) -> None:
        """Add what a ring sent, whole; a passage of it waits until it is settled."""
        source = (event.device, event.boot, event.seq)
        row = self.add(Kind.RING, str(event.kind), who, body_of(event), source=source)
        if event.judgement is not None:
            self.add(Kind.JUDGEMENT, FIRST, COMPANION, judgement_body(event.judgement), ring=row.id)
        passage = passage_of(row.id, event)
        if passage is not None and self.play.status is not Status.LIVE:
            self.add(Kind.PASSAGE, "practice", COMPANION, _told(practised(passage)), ring=row.id)

    def clock(self, word: str, who: Who, body: Line | None = None) -> None:
        """Add what is done to the clock, tied to the version of the game that it is done to."""
        self.add(Kind.CLOCK, word, who, {**(body or {}), "version": self.play.moved})

    def moment(self, word: str, who: Who, body: Line | None = None) -> None:
        """Add a moment: paused, left, finished ..."""
        self.add(Kind.MOMENT, word, who, body or {})

    def settle(self, ring: Who) -> None:
        """Let everything happen that follows by itself: the companion's lines, waiting passages, the end."""
        self._act()
        while self.play.waiting and self.play.status is Status.LIVE and self._settle_first(ring):
            self._act()
        self.timed()
        self.close()

    def timed(self) -> None:
        """Write down that a step has begun, if another one has."""
        step = self.play.clock.step
        if step == self._timed:
            return
        self._timed = step
        if step is not None:
            limit_ms = self.play.pace.limit(step.name).ms
            began = {"step": step.name, "seats": step.seats, "mark": step.mark, "limit_ms": limit_ms}
            self.clock("started", COMPANION, began)

    def close(self) -> None:
        """Mark in the ledger that the game ended, or that it goes on after all."""
        finished = self.play.game.result(self.play.state) is not None
        if finished != self.play.closed:
            self.moment("finished" if finished else "reopened", COMPANION)

    def _next(self) -> int:
        return self._last + len(self.rows) + 1

    def _act(self) -> None:
        for _ in range(BY_ITSELF_MOST):
            if self.play.status is not Status.LIVE:
                return
            command = self.play.game.by_itself(self.play.state, self.play.absent)
            if command is None:
                return
            self.line(self.play.game.line(command), COMPANION)
        raise RuntimeError(f"{self.play.game.name} goes on by itself without an end")

    def _settle_first(self, ring: Who) -> bool:
        """Settle the first passage that waits; False when a person has to."""
        passage = self.play.waiting[0]
        match verdict(passage, self.play.wanted, self.play.armings):
            case Draws(colour):
                return self._drawn(passage, colour, ring)
            case Left(became, text):
                self.add(Kind.PASSAGE, became, COMPANION, _told(text), ring=passage.id)
            case Asks(question):
                return self._ask(question)
        return True

    def _drawn(self, passage: Passage, colour: str, ring: Who) -> bool:
        try:
            self.line(ring_of(self.play.game).draw(colour), ring, ring=passage.id)
        except Refused as refusal:
            return self._ask(Question(passage.id, Asked.UNSURE, ((colour, 1.0),), refusal.reason))
        return True

    def _ask(self, question: Question) -> bool:
        if question != self.play.question:
            asked: dict[str, Any] = {"kind": question.kind, "offered": question.offered, "detail": question.detail}
            asked |= kept(question.detail)
            if question.fault:
                asked["fault"] = question.fault
            self.add(Kind.PASSAGE, "asked", COMPANION, {"question": asked}, ring=question.id)
        return False

    def _deeper(self) -> tuple[Past, ...]:
        return past_of(self.play.game, self.play.header, [*self._lines(), *(r for r in self.rows if r.kind == "line")])


def _told(text: str) -> Line:
    return {"text": text, **kept(text)}

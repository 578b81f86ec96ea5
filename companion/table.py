"""The table: the one owner of the live game and its ledger. Whatever changes goes through here, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from random import Random
from threading import Lock

from companion.clockwork import elapsed_ms
from companion.draft import COMPANION, Draft
from companion.game import AnyGame, Line, Malformed, Refused
from companion.ledger import Kind, Ledger, Row
from companion.ledger.file import wall_ms
from companion.passages import misread, pair_of, passage_of
from companion.play import Past, Play, begin, fold, past_of, told_of
from companion.rawevents import body_of, event_of, worth_a_look
from companion.ringport import Order, RingEvent, RingView, Unrecorded
from companion.sight import (
    MISREAD,
    NOT_A_DRAW,
    SAME,
    UNDO_REASONS,
    Asked,
    MovedOn,
    Notice,
    Sight,
    Status,
    Told,
    Who,
)

BEAT_MS = 10_000


class Table:
    """The live game, safe to call from any thread; `sight` never blocks."""

    def __init__(self, ledger: Ledger, games: Mapping[str, AnyGame], now: Callable[[], float], lots: Random) -> None:
        """Resume what was on the table last; *now* gives monotonic seconds."""
        self._ledger = ledger
        self._games = games
        self._now = now
        self._lots = lots
        self._lock = Lock()
        self._telling = Lock()
        self._listeners: list[Callable[[Sight], None]] = []
        self._ring_listeners: list[Callable[[RingView], None]] = []
        self._play: Play | None = None
        self._notices: tuple[Notice, ...] = ()
        self._ring = RingView()
        self._as_of = now()
        self._resume()
        self._sight = self._seen()

    @property
    def sight(self) -> Sight:
        """The newest frozen snapshot."""
        return self._sight

    # -- games ----------------------------------------------------------

    def open(self, header: Line, who: Who) -> int:
        """Put a new game on the table, or raise `Malformed`; answers the new version."""
        with self._lock:
            draft = self._begun(header, "opened", who)
            draft.settle(self._ring_hand())
            self._keep(draft)
        return self._told()

    def switch(self, game_id: int, who: Who) -> int:
        """Put another game of the ledger on the table, or raise `Malformed`; answers the new version."""
        with self._lock:
            play = self._folded(game_id)
            draft = self._draft(play)
            draft.moment("switched", who)
            draft.settle(self._ring_hand())
            self._keep(draft)
        return self._told()

    # -- commands -------------------------------------------------------

    def do(self, line: Line, who: Who, version: int | None = None) -> int:
        """Do what *line* asks, or raise `Malformed`, `Refused` or `MovedOn`; answers the new version."""
        if line.get("do") == "undo":
            return self.undo(who, line.get("note"), version)
        with self._lock:
            draft = self._live_draft(version)
            draft.line(line, who)
            self._commit(draft)
        return self._told()

    def undo(self, who: Who, reason: str | None = None, version: int | None = None) -> int:
        """Take back the last line that a person or the ring made, with what the companion did after it."""
        with self._lock:
            draft = self._live_draft(version)
            undoable = draft.play.undoable
            if undoable is None:
                raise Refused("There is nothing to take back.")
            if undoable.by_ring:
                _check_reason(reason)
            while draft.play.past[-1].told.id != undoable.id:
                draft.undo_one(who, reason or "")
            draft.undo_one(who, reason or "", self._asked_again(draft, reason))
            self._commit(draft)
        return self._told()

    def answer(self, question: int, chosen: str, who: Who) -> int:
        """Say what a passage was: a colour, two joined by `+`, `same` or `not a draw`; answers the new version."""
        with self._lock:
            draft = self._live_draft(None)
            asked = draft.play.question
            if asked is None or asked.id != question:
                raise MovedOn(draft.play.version)
            if chosen == SAME and asked.kind != Asked.LATE:
                raise Malformed("Only a late station can be the one that was typed in.")
            pair = next(each.pair for each in draft.play.waiting if each.id == question)
            draft.add(Kind.ANSWER, chosen, who, {"chosen": chosen}, ring=question)
            if chosen not in (SAME, NOT_A_DRAW):
                draft.line(_drawn(draft.play, chosen, pair), who, ring=question)
            self._commit(draft)
        return self._told()

    def pause(self, who: Who) -> int:
        """Stop the clock and disarm the ring; answers the new version."""
        return self._moment("paused", who, {}, (Status.LIVE,), "Only a running game can be paused.")

    def resume(self, who: Who) -> int:
        """Go on after a pause, or with a game that was abandoned; answers the new version."""
        stopped = (Status.PAUSED, Status.ABANDONED)
        return self._moment("resumed", who, {}, stopped, "The game is running already.")

    def abandon(self, reason: str, who: Who) -> int:
        """Give the game up, with the reason; answers the new version."""
        if not reason.strip():
            raise Refused("Say why the game is given up.")
        going = (Status.LIVE, Status.PAUSED)
        return self._moment("abandoned", who, {"reason": reason.strip()}, going, "This game is over already.")

    def left(self, seat: str, who: Who) -> int:
        """Take note that a player left: the companion plays the idlest legal line for them; answers the new version."""
        return self._seat_moment("left", seat, who)

    def returned(self, seat: str, who: Who) -> int:
        """Take note that a player is back; answers the new version."""
        return self._seat_moment("returned", seat, who)

    # -- ring -----------------------------------------------------------

    def heard(self, event: RingEvent) -> None:
        """Commit *event* with what it makes, once; raise `Unrecorded` when it is not on the disk."""
        with self._lock:
            source = (event.device, event.boot, event.seq)
            if self._ledger.heard(*source):
                return
            if not self._ledger.waits(*source):
                self._hear(event)
            kept = not self._ledger.trouble
        self._told()
        if not kept:
            raise Unrecorded(self._ledger.trouble)

    def ring_changed(self, view: RingView) -> None:
        """Show the ring as it is now."""
        with self._lock:
            self._ring = view
            self._sight = replace(self._sight, ring=view)
        for tell in tuple(self._ring_listeners):
            tell(view)

    def order(self) -> Order | None:
        """Return what the ring should be armed for now."""
        play = self._play
        if play is None or play.wanted is None or play.status is not Status.LIVE:
            return None
        return Order(play.token, dict(play.wanted.under))

    # -- listeners ------------------------------------------------------

    def subscribe(self, tell: Callable[[Sight], None]) -> Callable[[], None]:
        """Have *tell* called with each new sight, after its commit; it must not block. Returns its end."""
        self._listeners.append(tell)
        return partial(self._listeners.remove, tell)

    def subscribe_ring(self, tell: Callable[[RingView], None]) -> Callable[[], None]:
        """Have *tell* called whenever the ring looks different; it must not block. Returns its end."""
        self._ring_listeners.append(tell)
        return partial(self._ring_listeners.remove, tell)

    def tick(self) -> None:
        """Do what time asks for, about every second: a beat of the clock, a look at the storage."""
        with self._lock:
            before = self._ledger.trouble
            self._ledger.probe()
            self._beat()
            changed = before != self._ledger.trouble
            if changed:
                self._sight = self._seen()
        if changed:
            self._told()

    # -- the past -------------------------------------------------------

    def history(self, before: int | None = None, most: int = 50) -> tuple[Told, ...]:
        """Return the live game's lines before row *before*, newest first, those taken back included."""
        with self._lock:
            if self._play is None:
                return ()
            end = self._ledger.last + 1 if before is None else before
            rows = self._ledger.told(self._play.game_id, end, most)
            undoings = self._ledger.undoings(row.id for row in rows)
        return tuple(told_of(row, undoings.get(row.id)) for row in rows)

    def record(self, game_id: int | None = None) -> Iterator[Line]:
        """Yield the record of a game: its header, then every line, `undo` included."""
        with self._lock:
            number = game_id if game_id is not None else self._play.game_id if self._play else 0
            first = self._game_row(number)
            rows = list(self._ledger.lines(number))
        yield first.body["header"]
        for row in rows:
            note = {"note": row.body["note"]} if "note" in row.body else {}
            yield {**row.body["line"], "at": row.at_ms, "via": row.via, **note}

    # -- inside, under the lock -----------------------------------------

    def _draft(self, play: Play) -> Draft:
        lines = partial(self._lines, play.game_id)
        return Draft(play, self._ledger.last, wall_ms(), self._lots, lines)

    def _lines(self, game_id: int) -> list[Row]:
        return list(self._ledger.lines(game_id))

    def _live(self) -> Play:
        """Return the live play with its clock read now."""
        play = self._play
        if play is None:
            raise Refused("There is no game on the table.")
        if play.status is not Status.LIVE:
            return play
        return replace(play, clock=play.clock.after(elapsed_ms(self._as_of, self._now())))

    def _live_draft(self, version: int | None) -> Draft:
        play = self._live()
        if version is not None and not play.moved <= version <= play.version:
            raise MovedOn(play.version)
        if play.status is Status.PAUSED:
            raise Refused("The game is paused. Resume it first.")
        if play.status is Status.ABANDONED:
            raise Refused("This game was abandoned. Resume it first.")
        return self._draft(play)

    def _commit(self, draft: Draft) -> None:
        draft.settle(self._ring_hand())
        self._keep(draft)

    def _keep(self, draft: Draft, before: tuple[Row, ...] = ()) -> None:
        now = self._now()
        self._ledger.append((*before, *draft.rows))
        self._play = draft.play
        self._as_of = now
        self._sight = self._seen()

    def _begun(self, header: Line, word: str, who: Who) -> Draft:
        game = self._games.get(str(header.get("game")))
        if game is None:
            raise Malformed(f"There is no game called {header.get('game')!r} on this shelf.")
        number = self._ledger.last + 1
        body = {"header": dict(header), "rules": game.rules}
        row = Row(number, number, Kind.GAME, word, who.name, who.via, 0, 0, wall_ms(), body)
        draft = Draft(begin(game, row), number - 1, row.wall_ms, self._lots, partial(self._lines, number))
        draft.rows.append(row)
        return draft

    def _moment(self, word: str, who: Who, body: Line, when: tuple[Status, ...], refusal: str) -> int:
        with self._lock:
            play = self._live()
            if play.status not in when:
                raise Refused(refusal)
            draft = self._draft(play)
            draft.moment(word, who, body)
            self._commit(draft)
        return self._told()

    def _seat_moment(self, word: str, seat: str, who: Who) -> int:
        with self._lock:
            play = self._live()
            if seat not in [each.colour for each in play.game.seats(play.state)]:
                raise Malformed(f"Nobody plays {seat}.")
            if (seat in play.absent) == (word == "left"):
                raise Refused("The table knows that already.")
            draft = self._draft(play)
            draft.moment(word, who, {"seat": seat})
            self._commit(draft)
        return self._told()

    def _asked_again(self, draft: Draft, reason: str | None) -> Line | None:
        ring = draft.play.past[-1].told.ring
        row = self._ledger.row(ring) if ring is not None and reason == MISREAD else None
        passage = passage_of(row.id, event_of(row)) if row is not None else None
        return misread(passage) if passage is not None else None

    def _hear(self, event: RingEvent) -> None:
        if self._play is None:
            return self._hear_idle(event)
        draft = self._draft(self._live())
        row = draft.raw(event, self._ring_hand())
        if draft.play.waiting and draft.play.status is not Status.LIVE and passage_of(row.id, event):
            text = "A station left the ring while the game stood still: practice."
            draft.add(Kind.PASSAGE, "practice", COMPANION, {"text": text}, ring=row.id)
        return self._commit(draft)

    def _hear_idle(self, event: RingEvent) -> None:
        hand = self._ring_hand()
        number = self._ledger.last + 1
        source = (event.device, event.boot, event.seq)
        row = Row(
            *(number, None, Kind.RING, event.kind, hand.name, hand.via, 0, 0, wall_ms(), body_of(event)), source=source
        )
        self._ledger.append((row,))
        said = ("practice", "A station left the ring: practice.") if passage_of(number, event) else worth_a_look(row)
        if said is not None:
            self._notices = (Notice(number, *said), *self._notices[:2])
            self._sight = self._seen()

    def _beat(self) -> None:
        if self._play is None or self._play.status is not Status.LIVE:
            return
        if elapsed_ms(self._as_of, self._now()) >= BEAT_MS:
            draft = self._draft(self._live())
            draft.moment("beat", COMPANION)
            self._keep(draft)

    def _ring_hand(self) -> Who:
        return Who("ring", "virtual" if self._ring.simulated else "ring")

    def _resume(self) -> None:
        game_id = self._ledger.live_game()
        if game_id is not None:
            self._play = self._folded(game_id)

    def _game_row(self, game_id: int) -> Row:
        row = self._ledger.row(game_id)
        if row is None or row.kind != "game":
            raise Malformed(f"There is no game {game_id} in the ledger.")
        return row

    def _folded(self, game_id: int) -> Play:
        first = self._game_row(game_id)
        name = first.body["header"].get("game")
        if name not in self._games:
            raise Malformed(f"Game {game_id} is a game of {name!r}, which is not on this shelf.")
        play = begin(self._games[name], first)
        for row in self._ledger.rows(game_id):
            if row.id != game_id:
                play = fold(play, row, partial(self._past_at, play, row.id))
        return play

    def _past_at(self, play: Play, number: int) -> tuple[Past, ...]:
        return past_of(play.game, play.header, self._ledger.lines(play.game_id, number + 1))

    def _seen(self) -> Sight:
        play = self._play
        if play is None:
            return Sight(notices=self._notices, storage=self._ledger.trouble, ring=self._ring, as_of=self._as_of)
        return Sight(
            version=play.version,
            status=play.status,
            game_id=play.game_id,
            game=play.game,
            header=play.header,
            state=play.state,
            absent=play.absent,
            recent=play.recent,
            questions=() if play.question is None else (play.question,),
            notices=play.notices,
            undoable=play.undoable,
            storage=self._ledger.trouble,
            ring=self._ring,
            step=play.clock.step,
            step_ms=play.clock.step_ms,
            game_ms=play.clock.game_ms,
            as_of=self._as_of,
        )

    def _told(self) -> int:
        with self._telling:
            sight = self._sight
            for tell in tuple(self._listeners):
                tell(sight)
        return sight.version


def _check_reason(reason: str | None) -> None:
    if not reason:
        raise Refused("A station really left the ring. Say why it does not count: misread, knocked over or not a draw.")
    if reason not in UNDO_REASONS:
        raise Malformed(f"{reason!r} is no reason to take a draw back: {', '.join(UNDO_REASONS)}.")


def _drawn(play: Play, chosen: str, pair: bool) -> Line:
    return play.game.two_out(play.state, pair_of(chosen)) if pair else play.game.draw(chosen)

"""The part of the fold for lines and undos: they change the game, its clock, and the arming of the ring."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from companion.events.table_events import EventEntry, LineDone, LineUndone, Stored
from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.kernel.values import replace
from companion.model.clock import Clock
from companion.model.game import AnyGame, draw_wanted, ring_of, still_to_lay
from companion.ring.draw_policy import Arming, Ended, RingPassage, asked_again
from companion.session.reconciliation import left_after
from companion.session.state import Earlier, Past, TableState, as_transcript_line

DEPTH = 128
RECENT = 12
ARMINGS = 64

Deeper = Callable[[], tuple[Past, ...]]
"""A function that reads the past from the ledger. It is needed if more lines are undone than are in memory."""


MISFITS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError)
"""Exceptions that a fold raises for events that the game cannot have made.

Only stored events can be wrong in this way.
"""


def misfit(fault: Exception) -> Malformed:
    """Return the `Malformed` for stored events that don't fit their game."""
    return Malformed(said("its events don't fit the game (%(why)s)", why=f"{type(fault).__name__}: {fault}"[:80]))


def past_of(game: AnyGame, header: Line, lines: Iterable[EventEntry]) -> tuple[Past, ...]:
    """Fold all *lines* of a game, and return the newest `DEPTH` lines that count, each with the state before it."""
    counting: list[tuple[EventEntry, LineDone]] = []
    for entry in lines:
        if isinstance(entry.event, LineDone):
            counting.append((entry, entry.event))
        else:
            counting.pop()
    state = game.start(header)
    wanted, attempt, remains = draw_wanted(game, state), 0, None
    past: deque[Past] = deque(maxlen=DEPTH)
    for entry, line in counting:
        clock = Clock(entry.at_ms, game.step(state), entry.step_ms)
        past.append(Past(as_transcript_line(entry, line), state, clock, attempt, remains))
        state = evolved(game, state, line)
        before, wanted = wanted, draw_wanted(game, state)
        remains = left_after(game, past, before, state) if wanted is None else None
        attempt = (attempt or entry.id) if wanted is not None else 0
    return tuple(past)


def done(play: TableState, entry: EventEntry, line: LineDone) -> TableState:
    """Return *play* after *line*."""
    transcript_line = as_transcript_line(entry, line)
    state = evolved(play.game, play.state, line)
    past = (*play.past[-DEPTH + 1 :], Past(transcript_line, play.state, play.clock, play.attempt, play.remains))
    waiting, question = play.waiting, play.question
    if line.ring:
        waiting, question = tuple([each for each in waiting if each.id != line.ring]), None
    after = _continued(play, entry.id, line, state, play.attempt or entry.id)
    return after.but(
        past=past,
        earlier=Earlier(play.clock.accounts, play.earlier),
        remains=left_after(play.game, past, play.wanted, state) if after.wanted is None else None,
        lines=play.lines + 1,
        clock=_turned(play, entry.via, state),
        recent=(transcript_line, *play.recent[: RECENT - 1]),
        waiting=waiting,
        question=question,
    )


def undone(play: TableState, entry: EventEntry, undo: LineUndone, deeper: Deeper) -> TableState:
    """Return *play* after its last line was undone. Raise `Malformed` if *undo* names another line."""
    *earlier, last = play.past or (None,)
    if last is None or last.line.id != undo.undoes:
        raise Malformed(
            said(
                "it undoes line %(line)s, which isn't the last one that counts",
                line=undo.undoes,
            )
        )
    after = _continued(play, entry.id, undo, last.state, last.attempt)
    past = tuple(each for each in earlier if each is not None)
    if not any(each.line.via != "companion" for each in past) and play.lines - 1 > len(past):
        past = deeper()
    struck = replace(last.line, undone=True, note=undo.note or "")
    again = undo.asks
    return after.but(
        past=past,
        earlier=None if play.earlier is None else play.earlier.rest,
        remains=last.remains,
        lines=play.lines - 1,
        clock=_back(play, last),
        recent=tuple(struck if each.id == struck.id else each for each in play.recent),
        waiting=play.waiting if again is None else _in_order(play.waiting, asked_again(again, after.token)),
    )


def rearmed(play: TableState, row: int, ring: int | None) -> TableState:
    """Return *play* with a new arming of the ring, after a station went back under it without being seen by the ring.

    If other passages than *ring* wait, *play* is returned unchanged, because they belong to the present token.
    """
    if play.wanted is None or any(each.id != ring for each in play.waiting):
        return play
    ended = replace(play.armings[-1], ended=Ended.OVER)
    return play.but(armings=(*play.armings[-ARMINGS:-1], ended, Arming(row, play.attempt)))


def evolved(game: AnyGame, state: Any, line: LineDone) -> Any:
    """Return *state* after the events of *line*. They may be stored events or events just decided."""
    if isinstance(line.events, Stored):
        try:
            for each in line.events.lines:
                state = game.evolve(state, game.unpack(each, state))
        except MISFITS as fault:
            raise misfit(fault) from fault
    else:
        for event in line.events:
            state = game.evolve(state, event)
    return state


def _back(play: TableState, last: Past) -> Clock:
    """Return the clock after the line *last* was undone.

    Seats that were ready stay ready, unless the undone lines were added because the last seat became ready. At a table
    that names its cards, the cards have already been turned over, so a second countdown is not needed.
    """
    # Past lines that were read again from the ledger do not contain the players' times; the linked list `earlier` does.
    accounts = last.clock.accounts if play.earlier is None else play.earlier.accounts
    clock, before = play.clock.back_to(replace(last.clock, accounts=accounts)), last.clock
    same = play.clock.ready if play.clock.step == before.step else ()
    ready = tuple(dict.fromkeys((*before.ready, *same)))
    if play.pace.naming:
        return replace(clock, ready=ready, reveal_ms=before.reveal_ms, held="")
    missing = set(still_to_lay(play.game, last.state))
    return replace(clock, ready=() if missing <= set(ready) else ready, held="")


def _turned(play: TableState, via: str, state: Any) -> Clock:
    """Return the clock at the step of *state*. A stopped clock runs again if a person or the ring added the line."""
    clock = play.clock.turned(play.game.step(state))
    if clock is not play.clock:
        clock = replace(clock, accounts=clock.accounts.closed(play.pace.bank))
    reveal = play.game.reveal
    if play.pace.reveal and reveal is not None and reveal.turned_over(play.state, state):
        # If a countdown was begun by hand, it continues, and cards that are named after it don't begin another
        # countdown.
        clock = replace(clock, reveal_ms=clock.game_ms if play.clock.reveal_ms is None else play.clock.reveal_ms)
    return clock if via == "companion" else replace(clock, held="")


def _in_order(waiting: tuple[RingPassage, ...], passage: RingPassage) -> tuple[RingPassage, ...]:
    return tuple(sorted((*waiting, passage), key=lambda each: each.id))


def _continued(play: TableState, row: int, by: LineDone | LineUndone, state: Any, attempt: int) -> TableState:
    """Return *play* in *state*. If the state expects draws of *attempt*, the ring is armed from *row* on."""
    wanted = draw_wanted(play.game, state)
    attempt = attempt if wanted is not None else 0
    moved = play.but(state=state, wanted=wanted, attempt=attempt, version=row, moved=row)
    line = by if isinstance(by, LineDone) else None
    by_ring = line is not None and line.ring is not None
    if wanted == play.wanted or (by_ring and attempt == play.attempt):
        return rearmed(moved, row, line.ring) if line is not None and _went_back(play, line) else moved
    armings = play.armings
    if play.wanted is not None:
        typed = line is not None and not by_ring and bool(ring_of(play.game).out(line.line))
        armings = (*armings[:-1], replace(armings[-1], ended=Ended.TYPED if typed else Ended.OVER))
    if wanted is not None:
        armings = (*armings[-ARMINGS + 1 :], Arming(row, attempt))
    return moved.but(armings=armings)


def _went_back(play: TableState, line: LineDone) -> bool:
    return play.wanted is not None and ring_of(play.game).went_back(line.line)

"""How each row of the ledger changes a game: the state of a table is the fold of its rows, and nothing else."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.i18n import restored, said
from companion.kernel.validation import Line
from companion.ledger import Kind, Row
from companion.model.clock import Clock
from companion.model.game import AnyGame, draw_wanted, ring_of, still_to_lay
from companion.model.snapshot import NOT_A_DRAW, Notice, Question
from companion.model.time_control import BadTimeControl
from companion.ring.draw_policy import Arming, Ended, Passage, asked_again, passage_of
from companion.ring.event_codec import event_of, worth_a_look
from companion.ring.judgement_codec import AGAIN, judgement_of
from companion.session.reconciliation import AGREED, COUNTED, INVENTORY, LEFT_OPEN, is_draw, left_after
from companion.session.state import Past, TableState, told_of

DEPTH = 128
RECENT = 12
NOTICES = 3
NOTICE_MS = 120_000
ARMINGS = 64

Deeper = Callable[[], tuple[Past, ...]]
"""Gives the past anew from the ledger, when more was taken back than is kept in memory."""


def fold(play: TableState, row: Row, deeper: Deeper) -> TableState:
    """Return *play* after *row*; `Malformed` when the row does not belong there.

    What was judged again changes nothing, the clock included: it was written when nobody played.
    """
    if row.kind == Kind.JUDGEMENT and row.word == AGAIN:
        return play
    play = play.but(clock=_clock_at(play.clock, row), notices=_fresh(play.notices, row.at_ms))
    return _FOLDS[row.kind](play, row, deeper)


def past_of(game: AnyGame, header: Line, lines: Iterable[Row]) -> tuple[Past, ...]:
    """Return the newest lines that still count, with the states before them, from all *lines* of a game."""
    counting: list[Row] = []
    for row in lines:
        if row.undoes is None:
            counting.append(row)
        else:
            counting.pop()
    state = game.start(header)
    attempt, remains = 0, None
    past: deque[Past] = deque(maxlen=DEPTH)
    for row in counting:
        before = state
        past.append(Past(told_of(row), state, Clock(row.at_ms, game.step(state), row.step_ms), attempt, remains))
        state = _evolved(game, state, row)
        remains = left_after(game, before, state, (each.told for each in past), attempt, remains)
        attempt = (attempt or row.id) if draw_wanted(game, state) is not None else 0
    return tuple(past)


def _clock_at(clock: Clock, row: Row) -> Clock:
    return replace(clock, game_ms=max(clock.game_ms, row.at_ms), step_ms=row.step_ms)


def _fresh(notices: tuple[Notice, ...], at_ms: int) -> tuple[Notice, ...]:
    return tuple(each for each in notices if at_ms - each.at_ms < NOTICE_MS) if notices else notices


def _evolved(game: AnyGame, state: Any, row: Row) -> Any:
    for line in row.body["events"]:
        state = game.evolve(state, game.unpack(line, state))
    return state


def _line(play: TableState, row: Row, deeper: Deeper) -> TableState:
    if row.undoes is not None:
        return _undo(play, row, deeper)
    told = told_of(row)
    state = _evolved(play.game, play.state, row)
    past = (*play.past[-DEPTH + 1 :], Past(told, play.state, play.clock, play.attempt, play.remains))
    return _standing(play, row, state, play.attempt or row.id).but(
        past=past,
        remains=left_after(play.game, play.state, state, (each.told for each in past), play.attempt, play.remains),
        lines=play.lines + 1,
        clock=_turned(play, row, state),
        recent=(told, *play.recent[: RECENT - 1]),
        waiting=tuple(each for each in play.waiting if each.id != row.ring) if row.ring else play.waiting,
        question=None if row.ring else play.question,
    )


def _undo(play: TableState, row: Row, deeper: Deeper) -> TableState:
    *kept, last = play.past or (None,)
    if last is None or last.told.id != row.undoes:
        raise Malformed(
            said(
                "it takes back line %(line)s, which is not the last one that counts",
                line=row.undoes or 0,
            )
        )
    after = _standing(play, row, last.state, last.attempt)
    past = tuple(each for each in kept if each is not None)
    if not any(each.told.via != "companion" for each in past) and play.lines - 1 > len(past):
        past = deeper()
    struck = replace(last.told, undone=True, note=row.body.get("note", ""))
    again = row.body.get("asks")
    return after.but(
        past=past,
        remains=last.remains,
        lines=play.lines - 1,
        clock=_back(play, last),
        recent=tuple(struck if each.id == struck.id else each for each in play.recent),
        waiting=play.waiting if again is None else _in_order(play.waiting, asked_again(again, after.token)),
    )


def _back(play: TableState, last: Past) -> Clock:
    """Return the clock after *last* was taken back.

    Whoever has laid has laid, except where the tap that said so is what is
    taken back: it made the lines itself. A table that names its cards does
    that after they were turned over, and needs no second three, two, one.
    """
    clock, before = play.clock.back_to(last.clock), last.clock
    same = play.clock.ready if play.clock.step == before.step else ()
    laid = tuple(dict.fromkeys((*before.ready, *same)))
    if play.pace.naming:
        return replace(clock, ready=laid, reveal_ms=before.reveal_ms, held="")
    missing = set(still_to_lay(play.game, last.state))
    return replace(clock, ready=() if missing <= set(laid) else laid, held="")


def _turned(play: TableState, row: Row, state: Any) -> Clock:
    """Return the clock in the step of *state*; what a person or the ring does lets one that is held go on."""
    clock = play.clock.turned(play.game.step(state))
    reveal = play.game.reveal
    if play.pace.reveal and reveal is not None and reveal.turned_over(play.state, state):
        # One that was begun by hand leads on; cards that were named after it begin none.
        clock = replace(clock, reveal_ms=clock.game_ms if play.clock.reveal_ms is None else play.clock.reveal_ms)
    return clock if row.via == "companion" else replace(clock, held="")


def _in_order(waiting: tuple[Passage, ...], passage: Passage) -> tuple[Passage, ...]:
    return tuple(sorted((*waiting, passage), key=lambda each: each.id))


def _standing(play: TableState, row: Row, state: Any, attempt: int) -> TableState:
    """Return *play* in *state*, with what the ring is armed for from *row* on, if for anything for *attempt*."""
    wanted = draw_wanted(play.game, state)
    attempt = attempt if wanted is not None else 0
    moved = play.but(state=state, wanted=wanted, attempt=attempt, version=row.id, moved=row.id)
    by_ring = row.ring is not None and row.undoes is None
    if wanted == play.wanted or (by_ring and attempt == play.attempt):
        return _armed_anew(moved, row) if _two_left(play, row) else moved
    armings = play.armings
    if play.wanted is not None:
        ended = Ended.TYPED if not by_ring and _is_draw(play, row) else Ended.OVER
        armings = (*armings[:-1], replace(armings[-1], ended=ended))
    if wanted is not None:
        armings = (*armings[-ARMINGS + 1 :], Arming(row.id, attempt))
    return moved.but(armings=armings)


def _armed_anew(play: TableState, row: Row) -> TableState:
    """Return *play* with the ring to be armed anew: a station went back under it, which only the table saw.

    Not while other passages wait: they were made under the token at hand.
    """
    if play.wanted is None or any(each.id != row.ring for each in play.waiting):
        return play
    ended = replace(play.armings[-1], ended=Ended.OVER)
    return play.but(armings=(*play.armings[-ARMINGS:-1], ended, Arming(row.id, play.attempt)))


def _two_left(play: TableState, row: Row) -> bool:
    if play.wanted is None or row.undoes is not None:
        return False
    colour = play.wanted.seat
    return bool(row.body["line"]["do"] == ring_of(play.game).two_out(play.state, (colour, colour))["do"])


def _is_draw(play: TableState, row: Row) -> bool:
    assert play.wanted is not None
    return is_draw(play.game, play.state, play.wanted.seat, row.body["line"])


def _ring(play: TableState, row: Row, deeper: Deeper) -> TableState:
    passage = passage_of(row.id, event_of(row))
    if passage is not None:
        return play.but(waiting=(*play.waiting, passage))
    seen = worth_a_look(row, play.wanted is not None)
    if seen is None:
        return play
    return _noticed(play.but(version=row.id), Notice(row.id, *seen, row.at_ms))


def _judgement(play: TableState, row: Row, deeper: Deeper) -> TableState:
    seen = judgement_of(row.body)
    return play.but(waiting=tuple(each.seen_as(seen) if each.id == row.ring else each for each in play.waiting))


def _passage(play: TableState, row: Row, deeper: Deeper) -> TableState:
    play = play.but(version=row.id)
    asked = row.body.get("question")
    if asked is not None:
        if row.ring not in [each.id for each in play.waiting]:
            raise Malformed(said("it asks about row %(row)s, which is no passage that waits", row=row.ring or 0))
        offered = tuple((chosen, share) for chosen, share in asked["offered"])
        question = Question(row.ring or 0, asked["kind"], offered, restored(asked, "detail"), asked.get("fault", ""))
        return play.but(moved=row.id, question=question)
    play = play.but(waiting=tuple(each for each in play.waiting if each.id != row.ring), question=None)
    return _noticed(play, Notice(row.id, row.word, restored(row.body, "text"), row.at_ms))


def _answer(play: TableState, row: Row, deeper: Deeper) -> TableState:
    waiting = tuple(each for each in play.waiting if each.id != row.ring)
    answered = play.but(version=row.id, moved=row.id, waiting=waiting, question=None)
    return _armed_anew(answered, row) if row.body["chosen"] == NOT_A_DRAW else answered


def _noticed(play: TableState, notice: Notice) -> TableState:
    return play.but(notices=(notice, *play.notices[: NOTICES - 1]))


def _moment(play: TableState, row: Row, deeper: Deeper) -> TableState:
    if row.word == "beat":
        return play
    changed = _MOMENTS[row.word](play, row) if row.word in _MOMENTS else play
    # What lies at a place is looked at beside the game: it takes nobody's page away.
    return changed.but(version=row.id) if row.word in INVENTORY else changed.but(version=row.id, moved=row.id)


def _seat(play: TableState, row: Row) -> str:
    seat: str = row.body["seat"]
    if seat not in [each.colour for each in play.game.seats(play.state)]:
        raise Malformed(said("nobody plays %(colour)s", colour=repr(seat)))
    return seat


def _counted(play: TableState, row: Row) -> TableState:
    remains = play.remains
    if remains is None or remains.id != row.body["left"]:
        return play
    if row.body["stations"].keys() != ring_of(play.game).stations(play.state, remains.place).keys():
        raise Malformed(said("stations: a number for each player is wanted"))
    return play.but(remains=replace(remains, counted=row.body["stations"], left_open=False))


def _left_open(play: TableState, row: Row) -> TableState:
    remains = play.remains
    return play if remains is None else play.but(remains=replace(remains, left_open=True))


def _clock(play: TableState, row: Row, deeper: Deeper) -> TableState:
    changed = _CLOCKS[row.word](play, row) if row.word in _CLOCKS else None
    # Where a step began is written down beside the line that began it; it is no news of its own.
    return play if changed is None else changed.but(version=row.id)


def _paced(play: TableState, row: Row) -> TableState:
    try:
        return play.but(pace=play.pace.changed(row.body["pace"]))
    except BadTimeControl as fault:
        raise Malformed(fault.reason) from fault


def _timed(play: TableState, **changes: Any) -> TableState:
    return play.but(clock=replace(play.clock, **changes))


_CLOCKS: dict[str, Callable[[TableState, Row], TableState]] = {
    "pace": _paced,
    "ready": lambda play, row: _timed(play, ready=(*play.clock.ready, _seat(play, row))),
    "reveal": lambda play, row: _timed(play, reveal_ms=play.clock.game_ms),
    "extended": lambda play, row: _timed(play, extra_ms=play.clock.extra_ms + row.body["ms"]),
    "held": lambda play, row: _timed(play, held=row.body["why"]),
    "going": lambda play, row: _timed(play, held=""),
}

_MOMENTS: dict[str, Callable[[TableState, Row], TableState]] = {
    "paused": lambda play, row: play.but(paused=True),
    "resumed": lambda play, row: play.but(paused=False, abandoned=None),
    "abandoned": lambda play, row: play.but(abandoned=row.body["reason"]),
    "left": lambda play, row: play.but(absent=play.absent | {_seat(play, row)}),
    "returned": lambda play, row: play.but(absent=play.absent - {_seat(play, row)}),
    "finished": lambda play, row: play.but(closed=True),
    "reopened": lambda play, row: play.but(closed=False),
    "copy": lambda play, row: play.but(copy=row.body["name"]),
    AGREED: lambda play, row: play.but(agreed=row.body["left"]),
    COUNTED: _counted,
    LEFT_OPEN: _left_open,
}

_FOLDS: dict[str, Callable[[TableState, Row, Deeper], TableState]] = {
    "line": _line,
    "ring": _ring,
    "judgement": _judgement,
    "passage": _passage,
    "answer": _answer,
    "clock": _clock,
    "moment": _moment,
}

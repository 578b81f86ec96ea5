"""The fold: it applies each event to a game. The state of a table is computed from its events only."""

from __future__ import annotations

from typing import Any, assert_never

from companion.events import table_events as events
from companion.events.table_events import (
    Abandoned,
    Answered,
    ClockChange,
    EventEntry,
    Fate,
    Judged,
    PassageAsked,
    PassageSettled,
    PlayedWith,
    RingEventReceived,
    SeatLeft,
    SeatReturned,
)
from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.kernel.values import replace
from companion.model.clock import Strictness, TimeControl
from companion.model.game import ring_of
from companion.model.sealed import Sealed
from companion.model.snapshot import ANOTHER_RING, LIGHT, NOT_A_DRAW, Notice
from companion.ports.ring import RingEvent
from companion.ring.draw_policy import passage_of
from companion.ring.faults import worth_a_look
from companion.session import line_reducer
from companion.session.line_reducer import Deeper
from companion.session.state import RoomLight, TableState

NOTICES = 3
NOTICE_MS = 120_000
LIGHT_CHANGED = 0.05
"""A change of the room's light that is worth a notice, as a share of the light of the ring's lamp."""


def fold(play: TableState, entry: EventEntry, deeper: Deeper) -> TableState:
    """Return *play* after *entry*, or raise `Malformed` if *entry* can't follow.

    A new judgement of an old passage has no effect, not even on the clock, because it wasn't made during play.
    """
    clock = play.clock
    if isinstance(entry.event, Judged) and entry.event.again:
        return play
    if play.notices or entry.at_ms > clock.game_ms or entry.step_ms != clock.step_ms:
        play = _as_of(play, entry)
    return _timed(play, _happened(play, entry, deeper))


def _happened(play: TableState, entry: EventEntry, deeper: Deeper) -> TableState:
    event = entry.event
    match event:
        case events.LineDone():
            return line_reducer.done(play, entry, event)
        case events.LineUndone():
            return line_reducer.undone(play, entry, event, deeper)
        case events.RingEventReceived():
            return _received(play, entry, event)
        case Judged() | PassageAsked() | PassageSettled() | Answered():
            return _of_a_passage(play, entry, event)
        case events.ClockChanged():
            return _of_the_clock(play, entry.id, event.change)
        case events.LeftAgreed() | events.LeftCounted() | events.LeftOpen():
            return _of_a_count(play, entry.id, event)
        case events.Fate() | events.Abandoned() | events.SeatLeft() | events.SeatReturned() | events.PlayedWith():
            return _of_a_moment(play, entry.id, event)
        case events.SeedSealed() | events.WordsAdded() | events.LotDrawn():
            return _of_a_seal(play, entry.id, event)
        case events.Begun() | events.CopySaved() | events.CopyUsed() | events.CalibrationSaved() | events.PaceSaved():
            raise Malformed(said("it belongs to a game and shouldn't"))
        case _:
            assert_never(event)


def _as_of(play: TableState, entry: EventEntry) -> TableState:
    """Return *play* at the time of *entry*: with its clock, and without notices older than `NOTICE_MS`."""
    at_ms = entry.at_ms
    clock = replace(play.clock.after(max(0, at_ms - play.clock.game_ms)), step_ms=entry.step_ms)
    return play.but(clock=clock, notices=tuple([each for each in play.notices if at_ms - each.at_ms < NOTICE_MS]))


def _timed(before: TableState, play: TableState) -> TableState:
    """Return *play* with the time banks running for the seats that the table now waits for."""
    old, clock = before.clock, play.clock
    same = play.state is before.state and play.absent == before.absent and play.pace is before.pace
    if same and clock.ready == old.ready and clock.step == old.step:
        return play
    waited = _waited(play)
    if waited == clock.accounts.waited:
        return play
    return play.but(clock=replace(clock, accounts=replace(clock.accounts, waited=waited)))


def _waited(play: TableState) -> tuple[str, ...]:
    step, bank = play.clock.step, play.pace.bank
    if step is None or not bank.on or step.name not in bank.steps:
        return ()
    awaited = (seat for seat in play.game.waited_for(play.state) if seat in step.seats)
    return tuple([seat for seat in awaited if seat not in play.clock.ready and seat not in play.absent])


def _of_a_passage(
    play: TableState, entry: EventEntry, event: Judged | PassageAsked | PassageSettled | Answered
) -> TableState:
    match event:
        case Judged(ring, judgement):
            return play.but(
                waiting=tuple([each.seen_as(judgement) if each.id == ring else each for each in play.waiting])
            )
        case PassageAsked(question):
            if question.id not in [each.id for each in play.waiting]:
                raise Malformed(said("it asks about row %(row)s, which isn't a waiting passage", row=question.id))
            return play.but(version=entry.id, moved=entry.id, question=question)
        case PassageSettled(ring, became, text):
            notice = Notice(entry.id, became, text, entry.at_ms)
            return _noticed(play.settled(ring).but(version=entry.id), notice)
        case Answered(ring, chosen):
            answered = play.settled(ring).but(version=entry.id, moved=entry.id)
            return line_reducer.rearmed(answered, entry.id, ring) if chosen == NOT_A_DRAW else answered
        case _:
            assert_never(event)


def _received(play: TableState, entry: EventEntry, received: RingEventReceived) -> TableState:
    if play.device != received.event.device:
        play = _from_another_ring(play, entry, received.event.device)
    passage = passage_of(entry.id, received.event)
    if passage is not None:
        return _lit(play, entry, received.event).but(waiting=(*play.waiting, passage))
    seen = worth_a_look(received.event, play.wanted is not None)
    if seen is None:
        return play
    return _noticed(play.but(version=entry.id), Notice(entry.id, *seen, entry.at_ms))


def _lit(play: TableState, entry: EventEntry, event: RingEvent) -> TableState:
    """Return *play* with the room's light before a passage, and with a notice if it has just changed."""
    share = event.detail.get("room")
    if not isinstance(share, float):
        return play
    before, play = play.light, play.but(light=RoomLight(event.boot, event.at_us, share))
    if before is None or before.boot != event.boot or event.at_us - before.at_us > 1000 * NOTICE_MS:
        return play
    if abs(share - before.share) < LIGHT_CHANGED:
        return play
    text = said("The light changed since the draw before. If a colour is wrong, undo that draw.")
    return _noticed(play.but(version=entry.id), Notice(entry.id, LIGHT, text, entry.at_ms))


def _from_another_ring(play: TableState, entry: EventEntry, device: str) -> TableState:
    """Return *play* with *device* as its ring, and with a notice if another ring was used before."""
    before, play = play.device, play.but(device=device)
    if not before:
        return play
    text = said("A different ring now counts: %(now)s, not %(before)s.", now=device, before=before)
    return _noticed(play.but(version=entry.id), Notice(entry.id, ANOTHER_RING, text, entry.at_ms))


def _noticed(play: TableState, notice: Notice) -> TableState:
    return play.but(notices=(notice, *play.notices[: NOTICES - 1]))


def _of_the_clock(play: TableState, row: int, change: ClockChange) -> TableState:
    """Return *play* after *change*.

    `StepStarted` has no effect, because the line before it has already begun the step.
    """
    return play if isinstance(change, events.StepStarted) else _changed(play, change).but(version=row)


def _of_a_moment(
    play: TableState, row: int, moment: Fate | Abandoned | SeatLeft | SeatReturned | PlayedWith
) -> TableState:
    """Return *play* after its status changed, a player left or returned, or a copy was chosen."""
    match moment:
        case Fate():
            return play if moment is Fate.BEAT else _turned(play, moment).but(version=row, moved=row)
        case Abandoned(reason):
            return play.but(abandoned=reason, version=row, moved=row)
        case SeatLeft(seat):
            return play.but(absent=play.absent | {_seat(play, seat)}, version=row, moved=row)
        case SeatReturned(seat):
            return play.but(absent=play.absent - {_seat(play, seat)}, version=row, moved=row)
        case PlayedWith(copy):
            return play.but(copy=copy, version=row, moved=row)
        case _:
            assert_never(moment)


def _of_a_seal(play: TableState, row: int, event: events.SealEvent) -> TableState:
    """Return *play* after a seed was sealed, words were added, or a lot was drawn. These are never undone."""
    match event:
        case events.SeedSealed(seed, seal):
            return play.but(version=row, sealed=Sealed(seed, known=seal))
        case events.WordsAdded(words) if play.sealed is not None:
            return play.but(version=row, sealed=replace(play.sealed, words=(*play.sealed.words, words)))
        case events.LotDrawn(lot) if play.sealed is not None:
            return play.but(version=row, sealed=play.sealed.drawn(lot))
        case _:
            raise Malformed(said("no seed was sealed before it"))


def _of_a_count(
    play: TableState, row: int, moment: events.LeftAgreed | events.LeftCounted | events.LeftOpen
) -> TableState:
    """Return *play* after the table has agreed to or counted the stations left by an attempt. Open pages stay valid."""
    play, remains = play.but(version=row), play.remains
    match moment:
        case events.LeftAgreed(left):
            return play.but(agreed=left)
        case events.LeftCounted(left, stations):
            if remains is None or remains.id != left:
                return play
            if stations.keys() != ring_of(play.game).stations(play.state, remains.place).keys():
                raise Malformed(said("stations must give a number for each player"))
            return play.but(remains=replace(remains, counted=stations, left_open=False))
        case events.LeftOpen():
            return play if remains is None else play.but(remains=replace(remains, left_open=True))
        case _:
            assert_never(moment)


def paced(play: TableState, change: Line) -> TimeControl:
    """Return the time limits of *play* with *change* applied, or raise `Malformed`.

    If the game has no time banks yet, *change* starts from the banks that the game suggests.
    """
    pace, suggested = play.pace, play.game.pace.bank
    if "bank" in change and not pace.bank.steps:
        pace = replace(pace, bank=replace(suggested, mode=Strictness.OFF))
    return pace.changed(change)


def _changed(play: TableState, change: ClockChange) -> TableState:
    match change:
        case events.PaceSet(pace):
            return _paced(play, pace)
        case events.SeatReady(seat):
            return _with_clock(play, ready=(*play.clock.ready, _seat(play, seat)))
        case events.RevealBegun():
            return _with_clock(play, reveal_ms=play.clock.game_ms)
        case events.Extended(ms):
            return _with_clock(play, extra_ms=play.clock.extra_ms + ms)
        case events.ClockHeld(why):
            return _with_clock(play, held=why)
        case events.ClockGoing():
            return _with_clock(play, held="")
        case events.StepStarted():
            return play
        case _:
            assert_never(change)


def _turned(play: TableState, turn: Fate) -> TableState:
    match turn:
        case Fate.PAUSED:
            return play.but(paused=True)
        case Fate.RESUMED:
            # The seed was published when the game was abandoned, so anybody could predict further draws. It isn't used
            # again.
            return play.but(paused=False, abandoned=None, sealed=None if play.abandoned is not None else play.sealed)
        case Fate.FINISHED:
            return play.but(closed=True)
        case Fate.REOPENED:
            return play.but(closed=False, sealed=None)
        case Fate.SWITCHED | Fate.BEAT:
            return play
        case _:
            assert_never(turn)


def _paced(play: TableState, pace: Line) -> TableState:
    return play.but(pace=paced(play, pace))


def _with_clock(play: TableState, **changes: Any) -> TableState:
    return play.but(clock=replace(play.clock, **changes))


def _seat(play: TableState, seat: str) -> str:
    if seat not in [each.colour for each in play.game.seats(play.state)]:
        raise Malformed(said("nobody plays %(colour)s", colour=repr(seat)))
    return seat

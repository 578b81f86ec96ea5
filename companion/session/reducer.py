"""The fold: it applies each event to a game. The state of a table is computed from its events only."""

from __future__ import annotations

from typing import assert_never

from companion.events import table_events as events
from companion.events.table_events import Answered, EventEntry, Judged, PassageAsked, PassageSettled, RingEventReceived
from companion.kernel.errors import Malformed
from companion.kernel.frozen import replace
from companion.kernel.i18n import said
from companion.model.snapshot import ANOTHER_RING, LIGHT, NOT_A_DRAW, Notice
from companion.ports.ring import RingEvent
from companion.ring.draw_policy import passage_of
from companion.ring.event_codec import worth_a_look
from companion.session import line_reducer, moment_reducer
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
            return moment_reducer.clock(play, entry.id, event.change)
        case events.LeftAgreed() | events.LeftCounted() | events.LeftOpen():
            return moment_reducer.counted(play, entry.id, event)
        case events.Fate() | events.Abandoned() | events.SeatLeft() | events.SeatReturned() | events.PlayedWith():
            return moment_reducer.turned(play, entry.id, event)
        case events.SeedSealed() | events.WordsAdded() | events.LotDrawn():
            return moment_reducer.sealed(play, entry.id, event)
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

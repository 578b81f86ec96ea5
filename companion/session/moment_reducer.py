"""The part of the fold for events that are not lines: clock, status, players, seals, counted stations."""

from __future__ import annotations

from typing import Any, assert_never

from companion.events import table_events as events
from companion.events.table_events import Abandoned, ClockChange, Fate, PlayedWith, SeatLeft, SeatReturned
from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.kernel.frozen import replace
from companion.kernel.i18n import said
from companion.model.game import ring_of
from companion.model.sealed import Sealed
from companion.model.strictness import Strictness
from companion.model.time_control import TimeControl
from companion.session.state import TableState


def clock(play: TableState, row: int, change: ClockChange) -> TableState:
    """Return *play* after *change*.

    `StepStarted` has no effect, because the line before it has already begun the step.
    """
    return play if isinstance(change, events.StepStarted) else _clock(play, change).but(version=row)


def turned(play: TableState, row: int, moment: Fate | Abandoned | SeatLeft | SeatReturned | PlayedWith) -> TableState:
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


def sealed(play: TableState, row: int, event: events.SealEvent) -> TableState:
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


def counted(play: TableState, row: int, moment: events.LeftAgreed | events.LeftCounted | events.LeftOpen) -> TableState:
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


def _clock(play: TableState, change: ClockChange) -> TableState:
    match change:
        case events.PaceSet(pace):
            return _paced(play, pace)
        case events.SeatReady(seat):
            return _timed(play, ready=(*play.clock.ready, _seat(play, seat)))
        case events.RevealBegun():
            return _timed(play, reveal_ms=play.clock.game_ms)
        case events.Extended(ms):
            return _timed(play, extra_ms=play.clock.extra_ms + ms)
        case events.ClockHeld(why):
            return _timed(play, held=why)
        case events.ClockGoing():
            return _timed(play, held="")
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


def _timed(play: TableState, **changes: Any) -> TableState:
    return play.but(clock=replace(play.clock, **changes))


def _seat(play: TableState, seat: str) -> str:
    if seat not in [each.colour for each in play.game.seats(play.state)]:
        raise Malformed(said("nobody plays %(colour)s", colour=repr(seat)))
    return seat

"""Make the frozen snapshot of the table. The time for this doesn't depend on the length of the game."""

from __future__ import annotations

from companion.model.countdown import Countdown, timing
from companion.model.game import still_to_lay
from companion.model.snapshot import Notice, Snapshot, Status
from companion.ports.ring import RingView
from companion.session.reconciliation import left_over
from companion.session.state import TableState


def snapshot_of(
    play: TableState | None, idle: tuple[Notice, ...], storage: str, ring: RingView, as_of: float
) -> Snapshot:
    """Return the snapshot of *play*. If there is no game (None), the snapshot has the notices *idle*."""
    if play is None:
        return Snapshot(notices=idle, storage=storage, ring=ring, as_of=as_of)
    status = play.status
    return Snapshot(
        version=play.version,
        status=status,
        game_id=play.game_id,
        game=play.game,
        header=play.header,
        state=play.state,
        absent=play.absent,
        recent=play.recent,
        questions=() if play.question is None else (play.question,),
        notices=play.notices,
        undoable=play.undoable,
        left_over=left_over(play),
        storage=storage,
        ring=ring,
        step=play.clock.step,
        step_ms=play.clock.step_ms,
        game_ms=play.clock.game_ms,
        as_of=as_of,
        timing=_timing(play, status),
        pace=play.pace,
        whole=play.state,
        seal="" if play.sealed is None else play.sealed.seal,
    )


def _timing(play: TableState, status: Status) -> Countdown | None:
    seats = tuple(seat.colour for seat in play.game.seats(play.state))
    wanting = still_to_lay(play.game, play.state)
    return timing(play.clock, play.pace, wanting, status is Status.LIVE, seats)

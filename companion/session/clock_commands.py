"""The commands for the clock: ready, extend, hold, go, change the time limits.

A clock never plays for a player, even when the time is over.
"""

from __future__ import annotations

from dataclasses import replace

from companion.events.table_events import ClockGoing, ClockHeld, Extended, PaceSaved, PaceSet, RevealBegun, SeatReady
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.kernel.i18n import said
from companion.model.game import still_to_lay
from companion.model.snapshot import Who
from companion.session.moment_reducer import paced
from companion.session.state import TableState
from companion.session.transaction import COMPANION, Transaction

LONGEST_EXTENSION_MS = 600_000
BY_HAND = "by hand"
BY_RESTART = "restart"


def ready(transaction: Transaction, seats: tuple[str, ...], who: Who) -> None:
    """Record that *seats* have laid a card face down. When all seats have, the cards are turned over together.

    At a table that doesn't name cards, the companion then adds a line for each of these cards. The first line is
    entered by *who* and the others by the companion, so one undo undoes all of them.
    """
    game, state = transaction.play.game, transaction.play.state
    waited_for = still_to_lay(game, state)
    for seat in seats:
        if seat not in waited_for:
            raise Refused(said("There's no card to play now."))
        if seat not in transaction.play.clock.ready:
            transaction.clock(SeatReady(seat), who)
    if not seats:
        raise Refused(said("Nobody has to play a card now."))
    turn_over(transaction, who)


def turn_over(transaction: Transaction, who: Who) -> None:
    """Turn the cards over if all players who must lay a card are ready."""
    play = transaction.play
    waited_for = still_to_lay(play.game, play.state)
    if not waited_for or not set(waited_for) <= set(play.clock.ready) or play.clock.reveal_ms is not None:
        return
    if play.pace.reveal:
        transaction.clock(RevealBegun(), who)
    if play.pace.naming:
        return
    by = who
    for seat in waited_for:
        if _lay_face_down(transaction, seat, by):
            by = COMPANION


def extend(transaction: Transaction, ms: int, who: Who) -> None:
    """Add *ms* milliseconds to the present step (1,000 to 600,000), or raise `Malformed` or `Refused`."""
    if not 1_000 <= ms <= LONGEST_EXTENSION_MS:
        raise Malformed(said("ms must be 1000 to %(most)s", most=LONGEST_EXTENSION_MS))
    step = transaction.play.clock.step
    if step is None or not transaction.play.pace.limit(step.name).ms:
        raise Refused(said("This step has no clock."))
    transaction.clock(Extended(ms), who)


def hold(transaction: Transaction, who: Who) -> None:
    """Stop the clock. It runs again after the next line, or after `go`."""
    if not transaction.play.runs:
        raise Refused(said("The clock is already stopped."))
    transaction.clock(ClockHeld(BY_HAND), who)


def go(transaction: Transaction, who: Who) -> None:
    """Let a stopped clock run again."""
    if not transaction.play.clock.held:
        raise Refused(said("The clock isn't stopped."))
    transaction.clock(ClockGoing(), who)


def restarted(play: TableState, ran_ms: int) -> TableState:
    """Return *play* with its clock stopped. This is used when the companion has just started.

    *ran_ms* is the last known game time. The time since then is unknown, so the clock doesn't run until somebody
    continues. No row is written, because nothing happened at the table, and because the ledger may be read-only.
    """
    clock = play.clock.after(max(0, ran_ms - play.clock.game_ms))
    return play.but(clock=replace(clock, held=BY_RESTART))


def pace(transaction: Transaction, change: Line, who: Who) -> None:
    """Apply *change* to the time limits of this game, and store them as the default for the next game of this kind."""
    if "bank" in change and not transaction.play.game.pace.bank.steps:
        raise Refused(said("This game has no time banks."))
    line = paced(transaction.play, change).line()
    transaction.clock(PaceSet(line), who)
    transaction.aside(PaceSaved(transaction.play.game.name, line), who)


def as_before(transaction: Transaction, line: Line | None) -> None:
    """Set the time limits of a new game. *line* is the last choice for this kind of game, None if there is none.

    Without a choice, they are set only if the game suggests time banks.
    """
    pace = transaction.play.game.pace
    if line is not None or pace.bank.on:
        transaction.clock(PaceSet(pace.changed(line or {}).line()), COMPANION)


def _lay_face_down(transaction: Transaction, seat: str, who: Who) -> bool:
    """Try to add the line for a face-down card without a name, and return whether that was possible.

    It is not possible if the game needs more details; the page then asks the player for them.
    """
    reveal, state = transaction.play.game.reveal, transaction.play.state
    assert reveal is not None, "only a game that turns over together waits for somebody to lay"
    try:
        transaction.line(reveal.face_down(state, seat), who)
    except Refused:
        return False
    return True

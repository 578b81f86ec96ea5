"""What people do to the clock; it never plays for anybody."""

from __future__ import annotations

from dataclasses import replace

from companion.events.table_events import ClockGoing, ClockHeld, Extended, PaceKept, PaceSet, RevealBegun, SeatReady
from companion.kernel.errors import Malformed, Refused
from companion.kernel.i18n import said
from companion.kernel.validation import Line
from companion.model.game import still_to_lay
from companion.model.snapshot import Who
from companion.session.moment_reducer import paced
from companion.session.state import TableState
from companion.session.transaction import COMPANION, Transaction

LONGEST_EXTENSION_MS = 600_000
BY_HAND = "by hand"
BY_RESTART = "restart"


def ready(transaction: Transaction, seats: tuple[str, ...], who: Who) -> None:
    """Take note that *seats* have laid; when nobody is waited for, all turn over together.

    A table that names no cards has them laid then: one line of whoever was
    the last, the others' after it, so that one undo takes all of them back.
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
    """Let all turn over, if all who must have said that they are ready."""
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
        if _laid(transaction, seat, by):
            by = COMPANION


def extend(transaction: Transaction, ms: int, who: Who) -> None:
    """Give the step at hand *ms* more."""
    if not 1_000 <= ms <= LONGEST_EXTENSION_MS:
        raise Malformed(said("ms must be 1000 to %(most)s", most=LONGEST_EXTENSION_MS))
    step = transaction.play.clock.step
    if step is None or not transaction.play.pace.limit(step.name).ms:
        raise Refused(said("This step has no clock."))
    transaction.clock(Extended(ms), who)


def hold(transaction: Transaction, who: Who) -> None:
    """Stop the clock; the game may go on, and lets it run again."""
    if not transaction.play.runs:
        raise Refused(said("The clock is already stopped."))
    transaction.clock(ClockHeld(BY_HAND), who)


def go(transaction: Transaction, who: Who) -> None:
    """Let a clock that is held go on."""
    if not transaction.play.clock.held:
        raise Refused(said("The clock isn't stopped."))
    transaction.clock(ClockGoing(), who)


def restarted(play: TableState, ran_ms: int) -> TableState:
    """Return *play* with its clock held: nobody knows how long the companion was gone.

    It was seen to have run on to *ran_ms* of the game's time before. It is no
    row of the ledger, since nothing happened at the table: whoever only reads
    the ledger takes games up too, and writes nothing.
    """
    clock = play.clock.after(max(0, ran_ms - play.clock.game_ms))
    return play.but(clock=replace(clock, held=BY_RESTART))


def pace(transaction: Transaction, change: Line, who: Who) -> None:
    """Change the pace of this game as *change* says, and remember it for the next of its kind."""
    if "bank" in change and not transaction.play.game.pace.bank.steps:
        raise Refused(said("This game has no time banks."))
    line = paced(transaction.play, change).line()
    transaction.clock(PaceSet(line), who)
    transaction.aside(PaceKept(transaction.play.game.name, line), who)


def as_before(transaction: Transaction, line: Line | None) -> None:
    """Let a new game go at the pace that the table chose last, with time banks where it or the game wants them."""
    pace = transaction.play.game.pace
    if line is not None or pace.bank.on:
        transaction.clock(PaceSet(pace.changed(line or {}).line()), COMPANION)


def _laid(transaction: Transaction, seat: str, who: Who) -> bool:
    """Lay what nobody names; who cannot (the game wants what is left to be named) is asked by the page."""
    reveal, state = transaction.play.game.reveal, transaction.play.state
    assert reveal is not None, "only a game that turns over together waits for somebody to lay"
    try:
        transaction.line(reveal.face_down(state, seat), who)
    except Refused:
        return False
    return True

"""What people do to the clock; it never plays for anybody."""

from __future__ import annotations

from dataclasses import replace

from companion.kernel.errors import Malformed, Refused
from companion.kernel.i18n import said
from companion.kernel.validation import Line
from companion.ledger import Kind
from companion.model.snapshot import Who
from companion.model.time_control import Pace
from companion.session.state import Play
from companion.session.transaction import COMPANION, Draft

LONGEST_EXTENSION_MS = 600_000
BY_HAND = "by hand"
BY_RESTART = "restart"


def ready(draft: Draft, seats: tuple[str, ...], who: Who) -> None:
    """Take note that *seats* have laid; when nobody is waited for, all turn over together.

    A table that names no cards has them laid then: one line of whoever was
    the last, the others' after it, so that one undo takes all of them back.
    """
    game, state = draft.play.game, draft.play.state
    waited_for = game.together(state)
    for seat in seats:
        if seat not in waited_for:
            raise Refused(said("There is nothing to lay now, or it is laid already."))
        if seat not in draft.play.clock.ready:
            draft.clock("ready", who, {"seat": seat})
    if not seats:
        raise Refused(said("Nobody has to lay a card now."))
    turn_over(draft, who)


def turn_over(draft: Draft, who: Who) -> None:
    """Let all turn over, if all who must have said that they are ready."""
    play = draft.play
    waited_for = play.game.together(play.state)
    if not waited_for or not set(waited_for) <= set(play.clock.ready) or play.clock.reveal_ms is not None:
        return
    if play.pace.reveal:
        draft.clock("reveal", who)
    if play.pace.naming:
        return
    by = who
    for seat in waited_for:
        if _laid(draft, seat, by):
            by = COMPANION


def extend(draft: Draft, ms: int, who: Who) -> None:
    """Give the step at hand *ms* more."""
    if not 1_000 <= ms <= LONGEST_EXTENSION_MS:
        raise Malformed(said("ms: 1000 to %(most)s more milliseconds", most=LONGEST_EXTENSION_MS))
    step = draft.play.clock.step
    if step is None or not draft.play.pace.limit(step.name).ms:
        raise Refused(said("This step has no clock."))
    draft.clock("extended", who, {"ms": ms})


def hold(draft: Draft, who: Who) -> None:
    """Stop the clock; the game may go on, and lets it run again."""
    if not draft.play.runs:
        raise Refused(said("The clock stands already."))
    draft.clock("held", who, {"why": BY_HAND})


def go(draft: Draft, who: Who) -> None:
    """Let a clock that is held go on."""
    if not draft.play.clock.held:
        raise Refused(said("The clock is not held."))
    draft.clock("going", who)


def restarted(play: Play) -> Play:
    """Return *play* with its clock held: nobody knows how long the companion was gone.

    It is no row of the ledger, since nothing happened at the table: whoever
    only reads the ledger takes games up too, and writes nothing.
    """
    return play.but(clock=replace(play.clock, held=BY_RESTART))


def pace(draft: Draft, wanted: Pace, who: Who) -> None:
    """Take *wanted* for this game, and remember it for the next of its kind."""
    line = wanted.line()
    draft.clock("pace", who, {"pace": line})
    draft.aside(Kind.CLOCK, "kept", who, {"game": draft.play.game.name, "pace": line})


def as_before(draft: Draft, line: Line | None) -> None:
    """Let a new game go at the pace that the table chose last."""
    if line is not None:
        draft.clock("pace", COMPANION, {"pace": line})


def _laid(draft: Draft, seat: str, who: Who) -> bool:
    """Lay what nobody names; who cannot (only credits left, which are always named) is asked by the page."""
    try:
        draft.line(draft.play.game.face_down(draft.play.state, seat), who)
    except Refused:
        return False
    return True

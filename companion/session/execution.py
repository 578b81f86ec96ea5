"""The effect of each command.

A command is checked against the present state, and its events are added to a transaction. The clock never plays for a
player, even when the time is over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from companion.events.table_events import (
    Abandoned,
    Answered,
    ClockGoing,
    ClockHeld,
    Extended,
    Fate,
    PaceSaved,
    PaceSet,
    RevealBegun,
    SeatLeft,
    SeatReady,
    SeatReturned,
    WordsAdded,
)
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.kernel.said import said, word
from companion.model.game import ring_of, still_to_lay
from companion.model.sealed import MOST_WORDS, words_from
from companion.model.snapshot import (
    MISREAD,
    NOT_A_DRAW,
    SAME,
    UNDO_REASONS,
    WHOLE_ATTEMPT,
    Asked,
    MovedOn,
    Status,
    Who,
)
from companion.ring.draw_policy import RingPassage, misread, pair_of
from companion.session import stocktake
from companion.session.commands import (
    Abandon,
    AddWords,
    Agree,
    AllReady,
    Answer,
    Command,
    Extend,
    Go,
    Hold,
    Inventory,
    Leave,
    LeaveOpen,
    Mend,
    Move,
    Pause,
    Ready,
    Resume,
    Return,
    SetPace,
    Switch,
    Undo,
    Versioned,
)
from companion.session.reducer import paced
from companion.session.state import STILL, TableState, clocks_run
from companion.session.transaction import COMPANION, Transaction

PassageIn = Callable[[int], RingPassage | None]
"""A function that returns the passage in a raw row of the ring, by row number, or None if the row has no passage."""

Going = Versioned | Answer
"""Commands that are refused while the game is paused or abandoned."""
LONGEST_EXTENSION_MS = 600_000
HELD_BY_HAND = "by hand"


# One case for each command of the union; mypy reports a missing one.
def execute(  # noqa: C901
    transaction: Transaction, command: Command, who: Who, version: int | None, passage_in: PassageIn
) -> None:
    """Add the events of *command* to *transaction*, or raise `Malformed`, `Refused` or `MovedOn`."""
    if isinstance(command, Versioned):
        _check_version(transaction.play, version)
    if isinstance(command, Extend):
        _check_newest(transaction.play, version)
    if isinstance(command, Going):
        transaction.play.check_going()
    match command:
        case Move(line):
            transaction.line(line, who)
            _turn_over(transaction, COMPANION)
        case Undo(reason):
            _undo(transaction, who, reason, passage_in)
        case Answer(question, chosen):
            _answer(transaction, question, chosen, who)
        case Ready(seat):
            _ready(transaction, (seat,), who)
        case AllReady():
            _ready(transaction, still_to_lay(transaction.play.game, transaction.play.state), who)
        case Extend(ms):
            _extend(transaction, ms, who)
        case Hold():
            _hold(transaction, who)
        case Go():
            _go(transaction, who)
        case SetPace(pace):
            _set_pace(transaction, pace, who)
        case Agree(left):
            stocktake.agree(transaction, left, who)
        case Inventory(left, stations):
            stocktake.count(transaction, left, stations, who)
        case LeaveOpen(left):
            stocktake.leave_open(transaction, left, who)
        case Mend(left, cause):
            stocktake.mend(transaction, left, cause, who)
        case Pause():
            _pause(transaction, who)
        case Resume():
            _resume(transaction, who)
        case Abandon(reason):
            _abandon(transaction, reason, who)
        case Leave(seat):
            _leave(transaction, seat, who)
        case Return(seat):
            _return(transaction, seat, who)
        case AddWords(words):
            _add_words(transaction, words, who)
        case Switch():
            transaction.add(Fate.SWITCHED, who)  # *transaction* already belongs to the game to switch to
        case _:
            assert_never(command)


def _check_version(play: TableState, version: int | None) -> None:
    """Raise `MovedOn` if the game has moved on since *version*, the version that the page showed.

    A notice makes a new version too, but pages that show the version before it remain valid.
    """
    if version is not None and not play.moved <= version <= play.version:
        raise MovedOn(play.version)


def _check_newest(play: TableState, version: int | None) -> None:
    """Raise `MovedOn` unless *version* is the newest version. Otherwise two taps on "extend" would both count."""
    if version is not None and version != play.version:
        raise MovedOn(play.version)


def _undo(transaction: Transaction, who: Who, reason: str | None, passage_in: PassageIn) -> None:
    """Undo the last line of a person or the ring, or the ring's whole attempt, and the companion's lines after it."""
    undoable = transaction.play.undoable
    if undoable is None:
        raise Refused(said("There's nothing to undo."))
    first = undoable.id
    if undoable.by_ring:
        _check_reason(reason)
        if reason == WHOLE_ATTEMPT:
            first = undoable.attempt
    if not first:
        raise Refused(said("No move began this attempt. Take back the draw."))
    while transaction.play.past[-1].line.id != first:
        transaction.undo_one(who, reason or "")
    last = transaction.play.past[-1].line
    passage = passage_in(last.ring) if last.ring is not None and reason == MISREAD else None
    transaction.undo_one(who, reason or "", None if passage is None else misread(passage))


def _add_words(transaction: Transaction, words: str, who: Who) -> None:
    """Add *words* to the seed, or raise `Refused` if the companion doesn't draw in this game."""
    sealed = transaction.play.sealed
    if sealed is None or not sealed.seed or transaction.play.status not in (Status.LIVE, Status.PAUSED):
        raise Refused(said("The companion doesn't draw in this game."))
    if len(sealed.words) >= MOST_WORDS:
        raise Refused(said("That's enough words for one game."))
    transaction.add(WordsAdded(words_from(words)), who)


def _answer(transaction: Transaction, question: int, chosen: str, who: Who) -> None:
    """Record the answer to a question about a passage. If the passage was a draw, add the draw."""
    asked = transaction.play.question
    if asked is None or asked.id != question:
        raise MovedOn(transaction.play.version)
    if chosen == SAME and asked.kind != Asked.LATE:
        raise Malformed(said("Only a late cube can already be typed in."))
    passage = next(each for each in transaction.play.waiting if each.id == question)
    transaction.add(Answered(question, chosen), who)
    if chosen not in (SAME, NOT_A_DRAW):
        transaction.line(_drawn(transaction.play, chosen, passage.pair), who, ring=question)


def _pause(transaction: Transaction, who: Who) -> None:
    """Stop the clock until `Resume`."""
    if transaction.play.status is not Status.LIVE:
        raise Refused(said("Only a running game can be paused."))
    transaction.add(Fate.PAUSED, who)


def _resume(transaction: Transaction, who: Who) -> None:
    """Continue a paused or abandoned game."""
    if transaction.play.status not in STILL:
        raise Refused(said("The game isn't paused."))
    transaction.add(Fate.RESUMED, who)


def _abandon(transaction: Transaction, reason: str, who: Who) -> None:
    """Abandon the game; the *reason* must not be empty."""
    if not reason.strip():
        raise Refused(said("Say why the game is abandoned."))
    if transaction.play.status not in (Status.LIVE, Status.PAUSED):
        raise Refused(said("This game is already over."))
    transaction.add(Abandoned(reason.strip()), who)


def _leave(transaction: Transaction, seat: str, who: Who) -> None:
    """Record that a player left."""
    _check_not_over(transaction)
    _check_seat(transaction.play, seat)
    if seat in transaction.play.absent:
        raise Refused(said("%(seat)s has already left.", seat=word(seat)))
    transaction.add(SeatLeft(seat), who)


def _return(transaction: Transaction, seat: str, who: Who) -> None:
    """Record that a player is back."""
    _check_not_over(transaction)
    _check_seat(transaction.play, seat)
    if seat not in transaction.play.absent:
        raise Refused(said("%(seat)s hasn't left.", seat=word(seat.capitalize())))
    transaction.add(SeatReturned(seat), who)


def _check_not_over(transaction: Transaction) -> None:
    if transaction.play.status is Status.FINISHED:
        raise Refused(said("This game is already over."))


def _check_seat(play: TableState, seat: str) -> None:
    if seat not in [each.colour for each in play.game.seats(play.state)]:
        raise Malformed(said("Nobody plays %(colour)s.", colour=word(seat)))


def _check_reason(reason: str | None) -> None:
    if not reason:
        raise Refused(said("A cube left the ring. Say why it doesn't count: misread, knocked over or not a draw."))
    if reason not in UNDO_REASONS:
        raise Malformed(
            said(
                "%(reason)s is no reason to undo a draw. Choose one of: %(words)s.",
                reason=repr(reason),
                words=", ".join(UNDO_REASONS),
            )
        )


def _drawn(play: TableState, chosen: str, pair: bool) -> Line:
    ring = ring_of(play.game)
    return ring.two_out(play.state, pair_of(chosen)) if pair else play.game.line(ring.draw(chosen))


def _ready(transaction: Transaction, seats: tuple[str, ...], who: Who) -> None:
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
    _turn_over(transaction, who)


def _turn_over(transaction: Transaction, who: Who) -> None:
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


def _extend(transaction: Transaction, ms: int, who: Who) -> None:
    """Add *ms* milliseconds to the present step (1,000 to 600,000), or raise `Malformed` or `Refused`."""
    if not 1_000 <= ms <= LONGEST_EXTENSION_MS:
        raise Malformed(said("ms must be 1000 to %(most)s", most=LONGEST_EXTENSION_MS))
    step = transaction.play.clock.step
    if step is None or not transaction.play.pace.limit(step.name).ms:
        raise Refused(said("This step has no clock."))
    transaction.clock(Extended(ms), who)


def _hold(transaction: Transaction, who: Who) -> None:
    """Stop the clock. It runs again after the next line, or after `go`."""
    if not clocks_run(transaction.play):
        raise Refused(said("The clock is already stopped."))
    transaction.clock(ClockHeld(HELD_BY_HAND), who)


def _go(transaction: Transaction, who: Who) -> None:
    """Let a stopped clock run again."""
    if not transaction.play.clock.held:
        raise Refused(said("The clock isn't stopped."))
    transaction.clock(ClockGoing(), who)


def _set_pace(transaction: Transaction, change: Line, who: Who) -> None:
    """Apply *change* to the time limits of this game, and store them as the default for the next game of this kind."""
    if "bank" in change and not transaction.play.game.pace.bank.steps:
        raise Refused(said("This game has no time banks."))
    line = paced(transaction.play, change).line()
    transaction.clock(PaceSet(line), who)
    transaction.aside(PaceSaved(transaction.play.game.name, line), who)


def as_before(transaction: Transaction, line: Line | None) -> None:
    """Set the time limits of a new game. *line* is the last choice for this kind of game, or None.

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

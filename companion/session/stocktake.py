"""The commands about the stations that are left over after an attempt: agree, count, leave open, mend."""

from __future__ import annotations

from collections.abc import Mapping

from companion.events.table_events import LeftAgreed, LeftCounted, LeftOpen
from companion.kernel.errors import Malformed
from companion.kernel.said import said, word
from companion.model.game import ring_of
from companion.model.snapshot import MISREAD, NOT_A_DRAW, Cause, MovedOn, TranscriptLine, Who
from companion.session.reconciliation import left_over
from companion.session.state import Remains
from companion.session.transaction import COMPANION, Transaction

MOST = 99


def agree(transaction: Transaction, left: int, who: Who) -> None:
    """Record that the remaining stations are the expected stations."""
    remains = _unagreed(transaction, left)
    _agreed(transaction, remains, who)


def count(transaction: Transaction, left: int, counted: Mapping[str, int], who: Who) -> None:
    """Record the count of the remaining stations. If it is as expected, this also records that the table agrees."""
    remains = _unagreed(transaction, left)
    must = ring_of(transaction.play.game).stations(transaction.play.state, remains.place)
    stations = _checked(counted, must)
    if stations == must:
        _agreed(transaction, remains, who)
    else:
        transaction.add(LeftCounted(left, stations), who)


def leave_open(transaction: Transaction, left: int, who: Who) -> None:
    """Record that the table continues without explaining the difference."""
    _unagreed(transaction, left)
    transaction.add(LeftOpen(left), who)


def mend(transaction: Transaction, left: int, word: str, who: Who) -> None:
    """Correct the game for the cause called *word*. If no difference is left, record that the table agrees.

    Raises `MovedOn` if *word* is no longer among the causes.
    """
    remains = _unagreed(transaction, left)
    counted = remains.counted
    found = left_over(transaction.play)
    known = {cause.word: cause for doubt in found.doubts for cause in doubt.causes} if found is not None else {}
    if word not in known or counted is None:
        raise MovedOn(transaction.play.version)
    cause = known[word]
    if cause.moves:
        _compare(transaction, {colour: by + cause.moves.get(colour, 0) for colour, by in counted.items()}, who)
        return
    transaction.play.check_going()
    if cause.again_from:
        _redraw(transaction, cause, who)
    for line in cause.lines:
        transaction.line(line, who)
    _compare(transaction, counted, who)


def _redraw(transaction: Transaction, cause: Cause, who: Who) -> None:
    """Undo back to a wrong draw, replace it by the right draw, and repeat the draws after it.

    Draws are repeated only until the attempt is finished, because a station that came out later wasn't a draw.
    """
    later: list[TranscriptLine] = []
    while (line := transaction.play.past[-1].line).id != cause.again_from:
        transaction.undo_one(who, MISREAD if cause.really else NOT_A_DRAW)
        if line.via != COMPANION.via:
            later.append(line)
    transaction.undo_one(who, MISREAD if cause.really else NOT_A_DRAW)
    if cause.really:
        transaction.decided(ring_of(transaction.play.game).draw(cause.really), who, ring=line.ring)
    for each in reversed(later):
        if transaction.play.wanted is not None:
            transaction.line(each.line, Who(each.who, each.via), ring=each.ring)


def _compare(transaction: Transaction, counted: Mapping[str, int], who: Who) -> None:
    """Compare *counted* with the expected stations, if the attempt is still finished after the correction."""
    remains = transaction.play.unagreed
    if remains is None:
        return
    if counted == ring_of(transaction.play.game).stations(transaction.play.state, remains.place):
        _agreed(transaction, remains, who)
    else:
        transaction.add(LeftCounted(remains.id, dict(counted)), who)


def _agreed(transaction: Transaction, remains: Remains, who: Who) -> None:
    stations = ring_of(transaction.play.game).stations(transaction.play.state, remains.place)
    transaction.add(LeftAgreed(remains.id, dict(stations)), who)


def _unagreed(transaction: Transaction, left: int) -> Remains:
    remains = transaction.play.unagreed
    if remains is None or remains.id != left:
        raise MovedOn(transaction.play.version)
    return remains


def _checked(counted: Mapping[str, int], must: Mapping[str, int]) -> dict[str, int]:
    """Return *counted* in the order of *must*, the expected stations.

    Raise `Malformed` unless it counts the same colours.
    """
    unknown = sorted(counted.keys() - must.keys())
    if unknown:
        raise Malformed(said("Nobody plays %(colour)s.", colour=word(unknown[0])))
    for colour in must:
        if type(counted.get(colour)) is not int or not 0 <= counted[colour] <= MOST:
            raise Malformed(
                said(
                    "Enter how many %(colour)s stations are there: 0 to %(most)s.",
                    colour=word(colour),
                    most=MOST,
                )
            )
    return {colour: counted[colour] for colour in must}

"""What the table says about the stations that an attempt has left: agreed, counted otherwise, left open, mended."""

from __future__ import annotations

from collections.abc import Mapping

from companion.kernel.errors import Malformed
from companion.kernel.i18n import said, word
from companion.model.snapshot import MISREAD, NOT_A_DRAW, Cause, MovedOn, Told, Who
from companion.session.commands import check_going
from companion.session.reconciliation import AGREED, COUNTED, LEFT_OPEN, left_over
from companion.session.state import Remains
from companion.session.transaction import COMPANION, Draft

MOST = 99


def agree(draft: Draft, left: int, who: Who) -> None:
    """Take note that what lies there is what must lie there."""
    remains = _unagreed(draft, left)
    _agreed(draft, remains, who)


def count(draft: Draft, left: int, counted: Mapping[str, int], who: Who) -> None:
    """Take note of what lies there; where nothing is different, the table agrees."""
    remains = _unagreed(draft, left)
    must = draft.play.game.stations(draft.play.state, remains.place)
    stations = _checked(counted, must)
    if stations == must:
        _agreed(draft, remains, who)
    else:
        draft.moment(COUNTED, who, {"left": left, "stations": stations})


def leave_open(draft: Draft, left: int, who: Who) -> None:
    """Take note that the table plays on with the difference."""
    _unagreed(draft, left)
    draft.moment(LEFT_OPEN, who, {"left": left})


def mend(draft: Draft, left: int, word: str, who: Who) -> None:
    """Mend the difference for the cause of that *word*, which must still be one; the table agrees when none is left."""
    remains = _unagreed(draft, left)
    counted = remains.counted
    found = left_over(draft.play)
    known = {cause.word: cause for doubt in found.doubts for cause in doubt.causes} if found is not None else {}
    if word not in known or counted is None:
        raise MovedOn(draft.play.version)
    cause = known[word]
    if cause.moves:
        _compare(draft, {colour: by + cause.moves.get(colour, 0) for colour, by in counted.items()}, who)
        return
    check_going(draft.play)
    if cause.again_from:
        _draw_anew(draft, cause, who)
    for line in cause.lines:
        draft.line(line, who)
    _compare(draft, counted, who)


def _draw_anew(draft: Draft, cause: Cause, who: Who) -> None:
    """Take back to a draw, put what really left in its place, and let the draws after it happen again.

    Only as far as the attempt goes then: what came out after its end was no draw.
    """
    later: list[Told] = []
    while (told := draft.play.past[-1].told).id != cause.again_from:
        draft.undo_one(who, MISREAD if cause.really else NOT_A_DRAW)
        if told.via != COMPANION.via:
            later.append(told)
    draft.undo_one(who, MISREAD if cause.really else NOT_A_DRAW)
    if cause.really:
        draft.line(draft.play.game.draw(cause.really), who, ring=told.ring)
    for each in reversed(later):
        if draft.play.wanted is not None:
            draft.line(each.line, Who(each.who, each.via), ring=each.ring)


def _compare(draft: Draft, counted: Mapping[str, int], who: Who) -> None:
    """Hold what lies there by now against what must, if the attempt is still over."""
    remains = draft.play.unagreed
    if remains is None:
        return
    if counted == draft.play.game.stations(draft.play.state, remains.place):
        _agreed(draft, remains, who)
    else:
        draft.moment(COUNTED, who, {"left": remains.id, "stations": dict(counted)})


def _agreed(draft: Draft, remains: Remains, who: Who) -> None:
    stations = draft.play.game.stations(draft.play.state, remains.place)
    draft.moment(AGREED, who, {"left": remains.id, "stations": dict(stations)})


def _unagreed(draft: Draft, left: int) -> Remains:
    remains = draft.play.unagreed
    if remains is None or remains.id != left:
        raise MovedOn(draft.play.version)
    return remains


def _checked(counted: Mapping[str, int], must: Mapping[str, int]) -> dict[str, int]:
    """Return *counted* in the order of *must*, or raise `Malformed` unless it has a count for each colour."""
    unknown = sorted(counted.keys() - must.keys())
    if unknown:
        raise Malformed(said("Nobody plays %(colour)s.", colour=word(unknown[0])))
    for colour in must:
        if type(counted.get(colour)) is not int or not 0 <= counted[colour] <= MOST:
            raise Malformed(
                said(
                    "Say how many %(colour)s stations lie there: a whole number from 0 to %(most)s.",
                    colour=word(colour),
                    most=MOST,
                )
            )
    return {colour: counted[colour] for colour in must}

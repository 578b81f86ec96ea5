"""The bar at the top of every page of play, and the band at the top of every page on a seat's phone."""

from __future__ import annotations

from dataclasses import dataclass

from companion.model.snapshot import Snapshot
from web.components.players import Face
from web.http.i18n import _


@dataclass(frozen=True)
class PlayBar:
    """The bar of `play.html`.

    *used* and *left* are the numbers of hollow and full discs; *back* is the URL of the arrow.
    """

    title: str
    face: Face | None = None
    used: int = 0
    left: int = 0
    left_words: str = ""
    back: str = ""


@dataclass(frozen=True)
class Band:
    """The band of `band.html`.

    *face* is the player of the seat. *title* says what is going on, *where* the position in the game, *points* the
    player's own score. *words* say what is left, after the actions *used* and *left* as discs. *mark* identifies the
    step if this seat must act, otherwise it is ""; the device notices its turn by it. *hand* is the number of cards in
    the player's hand, in words.
    """

    face: Face
    title: str
    where: str
    points: str = ""
    words: str = ""
    used: int = 0
    left: int = 0
    mark: str = ""
    hand: str = ""


def step_mark(snapshot: Snapshot, mine: bool) -> str:
    """Return the mark of the current step if the seat must act (*mine*), otherwise ""."""
    return f"{snapshot.game_id} {snapshot.step}" if mine else ""


def whose_turn(face: Face, mine: bool) -> str:
    """Return the title of a band during the turn of the player *face*."""
    return _("Your turn, %(name)s", name=face.name) if mine else _("%(name)s's turn", name=face.name)


def beside(points: int, others: int) -> str:
    """Return the distance of a player with *points* to the best of the *others* in words, or "" if they are level."""
    if points == others:
        return ""
    if points > others:
        return _("%(num)s ahead", num=points - others)
    return _("%(num)s behind", num=others - points)

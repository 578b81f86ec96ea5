"""The part "What can we do now?" of the help sheet: what each seat can do, and whom the others are waiting for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from web.components.addresses import to
from web.components.players import Face, faces
from web.http.formatting import listed
from web.http.i18n import _
from web.request.game_pages import Look


@dataclass(frozen=True)
class Possible:
    """One action: the URL of its page, or the *reason* why it isn't possible now. *icon* is optional."""

    words: str
    small: str = ""
    address: str = to()
    reason: str = ""
    icon: str = ""


@dataclass(frozen=True)
class SeatActions:
    """The actions of one seat, or of the whole table (*face* is None).

    If the seat isn't on the move, *waits* says whom it is waiting for.
    """

    face: Face | None
    waits: str
    things: tuple[Possible, ...]


def possible_now(look: Look, things: Callable[[str], tuple[Possible, ...]]) -> dict[str, Any]:
    """Return the actions of the viewer's seat, or of all seats (first those on the move).

    *things* returns the actions of a seat.
    """
    game, state = look.snapshot.game, look.state
    assert game is not None, "seats belong to a game"
    known = faces(game.seats(state))
    waited_for = game.waited_for(state)
    waits = _waits([known[each].name for each in waited_for])
    shown = known.values() if look.viewer.seat is None else [known[look.viewer.seat]]
    whose = (
        SeatActions(face, "", things(face.colour)) if face.colour in waited_for else SeatActions(face, waits, ())
        for face in shown
    )
    return {"whose": sorted(whose, key=lambda one: bool(one.waits))}


def _waits(names: list[str]) -> str:
    return _("Waiting for %(names)s.", names=listed(names)) if names else _("The game is over.")

"""The page "What can we do now?": what each seat can do, and whom the other seats are waiting for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.players import Face, faces
from web.http.formatting import listed
from web.http.i18n import _


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
    """The actions of one seat. If it isn't on the move, *waits* says whom it is waiting for."""

    face: Face
    waits: str
    things: tuple[Possible, ...]


def possible_now(
    snapshot: Snapshot, viewer: Viewer, query: Mapping[str, str], things: Callable[[str], tuple[Possible, ...]]
) -> dict[str, Any]:
    """Return the context of `possible.html`: actions of the viewer's seat, or of all seats (first those on the move).

    *things* returns the actions of a seat.
    """
    assert snapshot.game is not None, "seats belong to a game"
    known = faces(snapshot.game.seats(snapshot.state))
    waited_for = snapshot.game.waited_for(snapshot.state)
    waits = _waits([known[each].name for each in waited_for])
    asks = query.get("seat", viewer.seat or "")
    shown = [known[asks]] if asks in known else list(known.values())
    whose = (
        SeatActions(face, "", things(face.colour)) if face.colour in waited_for else SeatActions(face, waits, ())
        for face in shown
    )
    return {
        "asks": asks if asks in known else "",
        "whose": sorted(whose, key=lambda one: bool(one.waits)),
        "over": snapshot.game.result(snapshot.state) is not None,
    }


def _waits(names: list[str]) -> str:
    return _("Waiting for %(names)s.", names=listed(names)) if names else _("The game is over.")

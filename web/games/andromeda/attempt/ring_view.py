"""The ring seen from above, with what lies under it and what has come out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.state import Attempt, State
from companion.model.snapshot import Snapshot
from web.components.players import Face, faces
from web.games.andromeda.attempt.cup import cup
from web.games.andromeda.attempt.questions import AttemptQuestion
from web.games.andromeda.components.board import holdings, world
from web.http.i18n import _


@dataclass(frozen=True)
class AttemptDraw:
    """One draw of the attempt: drawn, being asked about, or still to come; *words* say where it went."""

    number: int
    face: Face | None = None
    words: str = ""
    asked: bool = False


def ring_view(
    snapshot: Snapshot, attempt: Attempt, under: Mapping[str, int], asking: AttemptQuestion | None = None
) -> dict[str, Any]:
    """Return what the picture of the ring needs: *under* it lie so many of each colour now."""
    state: State = snapshot.state
    return {
        "asked": snapshot.questions[0].id if snapshot.questions else 0,
        "cup": cup(state, attempt, under, asking),
        "own": under.get(attempt.player, 0),
        "player": faces(state.setting.seats)[attempt.player],
        "total": sum(under.values()),
        "world": world(snapshot, attempt.planet),
        "holdings": holdings(state),
    }


def drawn_falls(state: State, attempt: Attempt) -> tuple[AttemptDraw, ...]:
    """Return the draws that are done, oldest first."""
    known = faces(state.setting.seats)
    return tuple(
        AttemptDraw(at, known[colour], _("takes the %(value)s", value=attempt.took) if own else _("flew to Earth"))
        for at, colour in enumerate(attempt.drawn, 1)
        for own in (colour == attempt.player,)
    )

"""The ring seen from above, with what lies under it and what has come out: during an attempt, and when it is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.state import Attempt, State, best_free_centre
from companion.model.snapshot import Snapshot
from web.components.players import Face, faces
from web.games.andromeda.attempt.cup import cup
from web.games.andromeda.attempt.questions import Asking
from web.games.andromeda.components.board import holdings, world
from web.http.i18n import _


@dataclass(frozen=True)
class Fall:
    """One draw of the attempt: drawn, being asked about, or still to come; *words* say where it went."""

    number: int
    face: Face | None = None
    words: str = ""
    asked: bool = False


def ring_view(
    snapshot: Snapshot, attempt: Attempt, under: Mapping[str, int], asking: Asking | None = None
) -> dict[str, Any]:
    """Return what the picture of the ring needs: *under* it lie so many of each colour now."""
    state: State = snapshot.state
    falls = drawn_falls(state, attempt)
    return {
        "attempt_key": f"{snapshot.game_id}.{_number(state)}",
        "asked": snapshot.questions[0].id if snapshot.questions else 0,
        "cup": cup(state, attempt, under, asking),
        "total": sum(under.values()),
        "world": world(snapshot, attempt.planet),
        "prize": _prize(state, attempt),
        "drawn": len(attempt.drawn),
        "newest": falls[-1] if falls else None,
        "fate": ("centre" if attempt.took else "home") if falls else "",
        "holdings": holdings(state),
    }


def drawn_falls(state: State, attempt: Attempt) -> tuple[Fall, ...]:
    """Return the draws that are done, oldest first."""
    known = faces(state.setting.seats)
    return tuple(
        Fall(at, known[colour], _("takes the %(value)s", value=attempt.took) if own else _("flew to Earth"))
        for at, colour in enumerate(attempt.drawn, 1)
        for own in (colour == attempt.player,)
    )


def _number(state: State) -> int:
    """Return which attempt of the game this is: the same while it is open and when it is over."""
    return len(state.tried) + (state.attempt is not None)


def _prize(state: State, attempt: Attempt) -> int:
    """Return the value of the best free centre, 0 where none is free."""
    slot = best_free_centre(state, attempt.planet)
    return 0 if slot is None else state.setting.board.planet(attempt.planet).centres[slot]

"""The track that a set climbs: what each of its steps is worth, and where its player stands."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.andromeda.state import HAND_LIMIT, TECHNOLOGY_POINTS, TOP_LEVEL, State
from web.games.andromeda.actions.set_pick import Pick
from web.http.i18n import _

WORTH = {"ship": HAND_LIMIT, "technology": TECHNOLOGY_POINTS}


@dataclass(frozen=True)
class TrackStep:
    """One step of a track, and whether it is behind its player, under, next or beyond."""

    worth: int
    state: str


@dataclass(frozen=True)
class SetTrack:
    """What a track counts, and its steps from the lowest up."""

    words: str
    steps: tuple[TrackStep, ...]


def track_of(state: State, pick: Pick) -> SetTrack | None:
    """Return the track that *pick* is for, None for what climbs none."""
    if pick.action not in WORTH:
        return None
    level = getattr(state.players[pick.seat], pick.action)
    steps = tuple(TrackStep(WORTH[pick.action][at], _where(at - level)) for at in range(1, TOP_LEVEL + 1))
    return SetTrack(_("Hand limit") if pick.action == "ship" else _("Points"), steps)


def _where(above: int) -> str:
    return "done" if above < 0 else {0: "now", 1: "next"}.get(above, "later")

"""The statistics of a finished game: the sources of KP, and the KP of rooms over time."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.wreck.scoring import scores
from companion.games.wreck.state import State
from web.http.i18n import lazy
from web.request.game_pages import AfterGame


def came_from(state: State) -> Mapping[str, tuple[int, ...]]:
    """Return each player's KP from rooms, missions and cards."""
    return {colour: (each.rooms, each.missions, each.cards) for colour, each in scores(state).items()}


def counts(state: State) -> Mapping[str, tuple[int, ...]]:
    """Return the KP that each player has from rooms."""
    return {colour: (each.rooms,) for colour, each in scores(state).items()}


AFTER = AfterGame(
    points=lazy("KP"),
    sources=(lazy("Rooms"), lazy("Missions"), lazy("Cards")),
    came_from=came_from,
    counted=(lazy("KP of rooms"),),
    counts=counts,
    meaning=lazy("KP are control points."),
)

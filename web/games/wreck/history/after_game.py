"""What is told of a game that is over: KP by what they come from, and missions on the way."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.wreck.scoring import scores
from companion.games.wreck.state import State
from web.http.i18n import lazy
from web.request.game_pages import AfterGame


def came_from(state: State) -> Mapping[str, tuple[int, ...]]:
    """Return the KP of rooms, missions and cards."""
    return {colour: (each.rooms, each.missions, each.cards) for colour, each in scores(state).items()}


def counts(state: State) -> Mapping[str, tuple[int, ...]]:
    """Return the KP that rooms are worth to everybody."""
    return {colour: (each.rooms,) for colour, each in scores(state).items()}


AFTER = AfterGame(
    points=lazy("KP"),
    sources=(lazy("Rooms"), lazy("Missions"), lazy("Cards")),
    came_from=came_from,
    counted=(lazy("KP of rooms"),),
    counts=counts,
    meaning=lazy("KP are control points."),
)

"""A finished game: the sources of KP, and how long it took."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.wreck.scoring import scores
from companion.games.wreck.state import State
from companion.kernel.i18n import said
from web.games.wreck.setup.new_game import NEW_GAME
from web.http.i18n import ngettext
from web.request.game_pages import AfterGame


def came_from(state: State) -> Mapping[str, tuple[int, ...]]:
    """Return each player's KP from rooms, missions and cards."""
    return {colour: (each.rooms, each.missions, each.cards) for colour, each in scores(state).items()}


def lasted(state: State) -> str:
    """Return the number of rounds in words."""
    return ngettext("%(num)s round", "%(num)s rounds", state.round)


AFTER = AfterGame(
    points=said("KP"),
    sources=(said("Rooms"), said("Missions"), said("Cards")),
    came_from=came_from,
    meaning=said("KP are control points."),
    by_round=said("KP after each round"),
    lasted=lasted,
    again=NEW_GAME.filled,
)

"""What is told of a game that is over: technology cards on the way, beside Megagalax."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.hanse.state import State
from web.http.i18n import lazy
from web.request.game_pages import AfterGame


def counts(state: State) -> Mapping[str, tuple[int, ...]]:
    """Return the technology cards of both."""
    return {colour: (player.technology_cards,) for colour, player in state.players.items()}


AFTER = AfterGame(points=lazy("Megagalax"), counted=(lazy("Technology cards"),), counts=counts)

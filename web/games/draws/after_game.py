"""What is told of a table that is closed: how many cubes everybody has drawn on the way."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.draws.state import State
from web.http.i18n import lazy
from web.request.game_pages import AfterGame


def counts(state: State) -> Mapping[str, tuple[int, ...]]:
    """Return the cubes that each player has drawn."""
    return {seat: (sum(state.drew.get(seat, {}).values()),) for seat in state.seats}


AFTER = AfterGame(points="", counted=(lazy("Cubes drawn"),), counts=counts)

"""What goods that were just unloaded have brought."""

from __future__ import annotations

from companion.games.hanse.planet_actions import worth
from companion.games.hanse.state import State


def earned(state: State) -> int:
    """Return the Megagalax of the cards that are to be turned over: the planet is as it was when they came."""
    return 0 if state.flipping is None else worth(state, state.flipping.planet, state.flipping.cards)

"""The Megagalax that a player gained by unloading."""

from __future__ import annotations

from companion.games.hanse.planet_actions import worth
from companion.games.hanse.state import State


def earned(state: State) -> int:
    """Return the value of the goods being turned over.

    The planet's other goods have not changed since they were unloaded.
    """
    return 0 if state.flipping is None else worth(state, state.flipping.planet, state.flipping.cards)

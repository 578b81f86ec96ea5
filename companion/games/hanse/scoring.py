"""The score in Megagalax: what a player gains, the goal that ends the game, and the winners."""

from __future__ import annotations

from companion.games.hanse.state import State
from companion.games.hanse.turns import GameEnded
from companion.kernel.values import replace

GOAL = 70
"""A player with this many Megagalax wins at once. It is the middle of the spiral on the sun."""


def megagalax_gained(state: State, colour: str, gained: int) -> State:
    """Return the state with more Megagalax for *colour*, but never more than the goal."""
    player = state.players[colour]
    return state.with_player(colour, replace(player, megagalax=min(GOAL, player.megagalax + gained)))


def won(megagalax: int) -> tuple[GameEnded, ...]:
    """Return the event that ends the game if *megagalax* is enough to win, otherwise nothing."""
    return (GameEnded("megagalax"),) if megagalax >= GOAL else ()


def rank(state: State, colour: str) -> tuple[int, int]:
    """Return the key by which players are ranked: Megagalax, then technology cards."""
    player = state.players[colour]
    return player.megagalax, player.technology_cards


def winners(state: State) -> tuple[str, ...]:
    """Return the winners: both players after a draw, and none before the end."""
    if not state.finished:
        return ()
    best = max(rank(state, colour) for colour in state.colours)
    return tuple(colour for colour in state.colours if rank(state, colour) == best)

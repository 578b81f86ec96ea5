"""The score in points, and the winners. They are computed from the state and not stored in it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.andromeda.state import CREDIT_POINTS, KINDS, TECHNOLOGY_POINTS, State


@dataclass(frozen=True, slots=True)
class Score:
    """A player's points by their source."""

    centres: int
    earth: int
    technology: int
    bonus: int

    @property
    def total(self) -> int:
        """The sum of all points."""
        return self.centres + self.earth + self.technology + self.bonus


def centres_held(state: State, colour: str) -> tuple[tuple[str, int], ...]:
    """Return (planet, value) for each centre of *colour*, in the board's order."""
    return tuple(
        (planet.id, value)
        for planet, owners in zip(state.setting.board.planets, state.centres, strict=True)
        for value, owner in zip(planet.centres, owners, strict=True)
        if owner == colour
    )


def score(state: State, colour: str) -> Score:
    """Return the current points of *colour*, including credits in hand."""
    player = state.players[colour]
    return Score(
        centres=sum(value for _, value in centres_held(state, colour)),
        earth=player.earth,
        technology=TECHNOLOGY_POINTS[player.technology],
        bonus=sum(CREDIT_POINTS[kind] * held for kind, held in zip(KINDS, player.credits, strict=True)),
    )


def rank(state: State, colour: str) -> tuple[int, int, int]:
    """Return the key by which players are ranked: points, then technology, then ship."""
    player = state.players[colour]
    return (score(state, colour).total, player.technology, player.ship)


def winners(state: State) -> tuple[str, ...]:
    """Return the winners of a finished game, or none before the end.

    Players share the win if even their ships are equal.
    """
    if not state.finished:
        return ()
    best = max(rank(state, colour) for colour in state.colours)
    return tuple(colour for colour in state.colours if rank(state, colour) == best)

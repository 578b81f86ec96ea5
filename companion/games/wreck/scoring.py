"""The score in KP, and the winners. They are computed from the state and not stored in it."""

from __future__ import annotations

from companion.games.wreck.control import rooms_kp
from companion.games.wreck.state import State
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class Score:
    """A player's KP from rooms at the moment, from missions, and from cards (including the species' own place)."""

    rooms: int
    missions: int
    cards: int

    @property
    def total(self) -> int:
        """The sum of all KP."""
        return self.rooms + self.missions + self.cards


def scores(state: State) -> dict[str, Score]:
    """Return the current KP of each player."""
    held = zip(state.colours, rooms_kp(state), strict=True)
    return {colour: Score(rooms, _missions(state, colour), card_kp(state, colour)) for colour, rooms in held}


def card_kp(state: State, colour: str) -> int:
    """Return the KP that *colour* has from cards, including those from the species' own place."""
    player, place = state.players[colour], state.setting.species_of(colour).place
    return player.kp + (player.place // place.per_kp if place else 0)


def reached(state: State) -> bool:
    """Return whether a player has enough KP to end the game."""
    return any(score.total >= state.setting.threshold for score in scores(state).values())


def winners(state: State) -> tuple[str, ...]:
    """Return the winners of a finished game, or none before the end.

    A tie on KP is broken by KP from rooms; otherwise the win is shared.
    """
    if not state.finished:
        return ()
    ranks = {colour: (score.total, score.rooms) for colour, score in scores(state).items()}
    best = max(ranks.values())
    return tuple(colour for colour in state.colours if ranks[colour] == best)


def _missions(state: State, colour: str) -> int:
    return sum(each.kp for each in state.players[colour].missions)

"""Simulated games for separating luck from play: any policy and any seed, with the positions that this needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from random import Random
from typing import Any

from companion.luck import LuckReport, reckoned
from companion.model.game import AnyGame

Policy = Callable[[Any, Random], Any]


@dataclass(frozen=True)
class Played:
    """A game up to its end: its initial state, and the positions after it."""

    game: AnyGame
    start: Any
    positions: tuple[tuple[int, Any, Any, Any], ...]

    @property
    def end(self) -> Any:
        """The final state."""
        return self.positions[-1][3]

    @property
    def luck(self) -> LuckReport:
        """The luck in the game."""
        report = reckoned(self.game, self.start, self.positions)
        assert report is not None
        return report


def played(game: AnyGame, players: int, seed: str, policy: Policy | None = None) -> Played:
    """Return the game of this *seed*, played with random moves if there is no *policy*."""
    assert game.random_play is not None
    lots = Random(seed)
    policy = policy or game.random_play.command
    start = state = game.start(game.random_play.header(players, lots, False))
    positions = []
    while game.result(state) is None:
        command = game.by_itself(state, frozenset()) or policy(state, lots)
        before, state = state, reduce(game.evolve, game.decide(state, command), state)
        positions.append((len(positions), game.line(command), before, state))
    return Played(game, start, tuple(positions))

"""Play random legal games through the real rules to their end, checking the invariants after each event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion.kernel.fields import Line
from companion.model.capabilities import RandomPlay
from companion.model.game import AnyGame, Viewer
from companion.records import RECORD, VERSION


@dataclass(frozen=True)
class Simulated:
    """One finished random game: its record, its final state, and the violated invariants."""

    record: tuple[Line, ...]
    final: dict[str, Any]
    broken: tuple[str, ...]
    seconds: float
    rounds: int

    @property
    def commands(self) -> int:
        """The number of lines after the header."""
        return len(self.record) - 1


@dataclass
class Bill:
    """The totals of a run; *seconds* covers `decide` and `evolve` only."""

    games: int = 0
    commands: int = 0
    seconds: float = 0.0
    rounds: int = 0
    broken: list[str] = field(default_factory=list)

    def add(self, game: Simulated) -> None:
        """Add the figures of one game."""
        self.games += 1
        self.commands += game.commands
        self.seconds += game.seconds
        self.rounds += game.rounds
        self.broken += game.broken


def simulate(
    game: AnyGame, play: RandomPlay, players: int, lots: Random, now: Callable[[], float], any_rulings: bool = False
) -> Simulated:
    """Play one random game of *game* to its end. *now* returns seconds; the times are measured with it."""
    own = play.header(players, lots, any_rulings)
    state = game.start(own)
    record: list[Line] = [{"record": RECORD, "version": VERSION, "game": game.name, **own}]
    broken: list[str] = list(play.broken(state))
    seconds = 0.0
    while game.result(state) is None:
        command = game.by_itself(state, frozenset()) or play.command(state, lots)
        began = now()
        states = [state]
        for event in game.decide(state, command):
            states.append(game.evolve(states[-1], event))
        seconds += now() - began
        state = states[-1]
        record.append(game.line(command))
        broken += [f"line {len(record)}: {fault}" for after in states[1:] for fault in play.broken(after)]
    final = game.view(state, Viewer(owner=True))
    return Simulated(tuple(record), final, tuple(broken), seconds, play.rounds(state))

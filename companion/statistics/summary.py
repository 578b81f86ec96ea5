"""The summary of one finished game: all data from which the statistics are computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from companion.kernel.values import dataclass


@dataclass(frozen=True)
class Seated:
    """One seat of a game. *place* counts clockwise from 0. *person* identifies a player in all games ("" if unknown).

    *turn* counts from 1 in the order of the first round, None if the game does not record who began. *won* is None if
    nobody could win; *rank* is 1 for winners. *ms* is the seat's time in *turns* steps. A player who *left* early
    neither won nor lost, and has no points that count.
    """

    place: int
    colour: str
    name: str
    person: str
    turn: int | None = None
    won: bool | None = None
    rank: int | None = None
    total: int | None = None
    ms: int = 0
    turns: int = 0
    left: bool = False


@dataclass(frozen=True)
class Summary:
    """The summary of one game. *counted* means that it has ended and was not a demo.

    *ms* is its length by the game's clock, or None if none was timed. *margin* is the winner's lead, or None without
    a winner or points. *steps* maps each step to the number of its occurrences and their total time in
    milliseconds.
    """

    number: int
    kind: str
    began_ms: int
    ended_ms: int
    counted: bool
    seats: tuple[Seated, ...]
    ms: int | None = None
    moves: int = 0
    draws: int = 0
    margin: int | None = None
    steps: Mapping[str, tuple[int, int]] = field(default_factory=dict)

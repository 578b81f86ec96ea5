"""One ended game in short: all that statistics over many games need of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from companion.kernel.values import dataclass


@dataclass(frozen=True)
class Seated:
    """Who sat where: *place* counts clockwise from 0, *person* is who it is in every game, empty for nobody.

    *turn* counts from 1 in the order of the first round, None where the game does not say who began. *won* is None
    where nobody could win, *rank* 1 for winners. *ms* is the time the seat took in *turns* steps. Who *left* before the
    end neither won nor lost, and has no points that count.
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
    """A game of the ledger: *counted* if it ended and was no demo. *ms* is its clock, None where nothing was timed.

    *margin* is by how much it was won, None for one that nobody won or that has no points. *steps* are how often each
    step was played, and its milliseconds in all.
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

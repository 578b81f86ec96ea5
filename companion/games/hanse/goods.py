"""Goods cards: two sides, each with a planet where it is wanted and what it brings there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

VALUES = (2, 3)
AT_A_PLANET = 5
ALL_GOODS = 30
GOAL = 70
"""Megagalax in the middle of the sun."""


class CardSide(NamedTuple):
    """One side of a goods card: the planet that wants it, and the Megagalax it brings."""

    to: str
    value: int


class Goods(NamedTuple):
    """A goods card as it lies: the side that is seen, and the other one where it has been seen before."""

    to: str
    value: int
    back: CardSide | None = None

    @property
    def side(self) -> CardSide:
        """The side that is seen."""
        return CardSide(self.to, self.value)

    def turned(self, other: CardSide) -> Goods:
        """Return the card with its *other* side up."""
        return Goods(other.to, other.value, self.side)


Cargo = tuple[Goods, ...]
"""Goods that lie together, in order."""
Pair = tuple[int, int]


def pairs(sides: Sequence[CardSide]) -> tuple[Pair, ...]:
    """Return which two of *sides* name one planet, by their numbers: one such pair leaves the game."""
    return tuple((a, b) for a, b in combinations(range(len(sides)), 2) if sides[a].to == sides[b].to)

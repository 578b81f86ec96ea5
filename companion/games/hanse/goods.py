"""Goods cards. Each card has two sides. Each side has a destination planet and a value in Megagalax."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Annotated

from companion.games.hanse.places import PLANETS, Planet
from companion.kernel.values import dataclass
from companion.model.parser import Each, Object, Whole

VALUES = (2, 3)
AT_A_PLANET = 5
ALL_GOODS = 30


@dataclass(frozen=True)
class CardSide:
    """One side of a goods card: its destination planet and its value in Megagalax. ``{"to": "p3", "value": 2}``"""

    to: Planet
    value: Annotated[int, Whole(*VALUES)]


@dataclass(frozen=True)
class Goods:
    """A goods card: the visible side, and the *back* if it has been seen."""

    to: Planet
    value: Annotated[int, Whole(*VALUES)]
    back: Annotated[CardSide | None, Object(CardSide, null=True)] = None

    @property
    def side(self) -> CardSide:
        """The visible side."""
        return CardSide(self.to, self.value)

    def turned(self, other: CardSide) -> Goods:
        """Return the card turned over, so that the side *other* is visible."""
        return Goods(other.to, other.value, self.side)


Sides = Annotated[tuple[CardSide, ...], Each(Object(CardSide))]
"""The visible sides of goods cards."""
Cargo = tuple[Goods, ...]
"""Goods in one place, in order."""
CARGO = Each(Object(Goods))
Pair = tuple[int, int]


def pairs(sides: Sequence[CardSide]) -> tuple[Pair, ...]:
    """Return the index pairs of *sides* with the same planet. One such pair leaves the game.

    >>> pairs([CardSide("p1", 2), CardSide("p4", 3), CardSide("p1", 3)])
    ((0, 2),)
    """
    return tuple((a, b) for a, b in combinations(range(len(sides)), 2) if sides[a].to == sides[b].to)


def any_side(planet: str, lots: Random) -> CardSide:
    """Return a random side of a card, as it may be visible at *planet*."""
    return CardSide(lots.choice([each for each in PLANETS if each != planet]), lots.choice(VALUES))

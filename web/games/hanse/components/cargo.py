"""Goods as pages show them: grouped by destination, with the value of each card."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.games.hanse.goods import Cargo, Goods
from companion.games.hanse.places import LABELS, PLANETS
from companion.games.hanse.planet_actions import worth
from companion.games.hanse.state import State


@dataclass(frozen=True)
class GoodsPile:
    """Goods with the same destination: the *values* of their cards."""

    to: str
    label: str
    values: tuple[int, ...]

    @property
    def sum(self) -> int:
        """The sum of the values, without a bonus."""
        return sum(self.values)


@dataclass(frozen=True)
class CargoBox:
    """A container: its goods (None if it is empty), and the Megagalax that unloading it now would give."""

    number: int
    pile: GoodsPile | None
    brings: int = 0


def pile(to: str, cards: Iterable[Goods]) -> GoodsPile:
    """Return *cards*, which all have the destination *to*, as one pile."""
    return GoodsPile(to, LABELS[to], tuple(card.value for card in cards))


def piles(cargo: Cargo) -> tuple[GoodsPile, ...]:
    """Return *cargo* grouped by destination, from the sun outwards."""
    return tuple(pile(to, found) for to in PLANETS if (found := [card for card in cargo if card.to == to]))


def boxes(state: State, colour: str) -> tuple[CargoBox, ...]:
    """Return the containers of a player."""
    return tuple(
        CargoBox(number, pile(cargo[0].to, cargo), worth(state, cargo[0].to, cargo))
        if cargo
        else CargoBox(number, None)
        for number, cargo in enumerate(state.players[colour].containers)
    )

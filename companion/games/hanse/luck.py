"""The luck model: the possible results of the die, and the value of a position for each player.

The value of a position is the sum of three public terms: the player's Megagalax; the goods on board, whose value
decreases with the distance of their destination; and the nearness of goods if a container is empty. The energy of an
open flight counts as distance already flown. The weights are rounded from a fit to a few dozen games of simulated
players (docs/luck.md). Luck with the unknown sides of goods and with hands is not measured, and is counted as play.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.hanse.places import ENERGY, PLANETS
from companion.games.hanse.state import Player, State
from companion.kernel.fields import Line
from companion.luck.reckoning import ahead

POINT, GOODS, NEAR = 1.0, 1.6, 10.0
NEARER = 0.88
"""The factor on a value for each unit of energy that the distance costs."""
FACES = 6
FARTHEST = max(cost for ways in ENERGY.values() for cost in ways.values())
"""The energy of the longest flight. A higher roll has the same value."""


class DieLuck:
    """Luck with the die that is rolled for a flight."""

    def outcomes(self, state: State, line: Line) -> tuple[tuple[float, Line], ...]:
        """Return each sum that could have been rolled instead of *line*, with its chance.

        The result is empty if *line* is not a roll.
        """
        if line["do"] != "roll" or state.turn is None:
            return ()
        sums = [(_chance(total), {**line, "dice": _dice(total)}) for total in range(2, FARTHEST + 1)]
        beyond = 1.0 - sum(chance for chance, _ in sums)
        return (*sums, (beyond, {**line, "dice": _dice(FARTHEST + 1)}))

    def worth(self, state: State) -> Mapping[str, float]:
        """Return the expected final lead of each player in Megagalax. After the game it is the real lead."""
        if state.finished:
            return ahead({colour: float(player.megagalax) for colour, player in state.players.items()})
        return ahead({colour: _prospects(state, colour) for colour in state.colours})


def _chance(total: int) -> float:
    """Return the chance that the results of the die add up to *total*: some 1s, and then another number.

    >>> _chance(2) == 1 / 6
    True
    """
    return sum((1 / FACES) ** (ones + 1) for ones in range(total) if 2 <= total - ones <= FACES)


def _dice(total: int) -> list[int]:
    ones = max(0, total - FACES)
    return [1] * ones + [total - ones]


def _prospects(state: State, colour: str) -> float:
    player = state.players[colour]
    return POINT * player.megagalax + GOODS * _goods(state, colour, player) + NEAR * _near(state, colour, player)


def _goods(state: State, colour: str, player: Player) -> float:
    """Return the value of the goods on board. It decreases with the distance of their destination."""
    return sum(card.value * _nearness(state, colour, card.to) for cargo in player.containers for card in cargo)


def _near(state: State, colour: str, player: Player) -> float:
    """Return the nearness of the nearest goods, or 0 if no container is empty."""
    if player.empty_container is None:
        return 0.0
    return max((_nearness(state, colour, planet) for planet in PLANETS if state.at(planet)), default=0.0)


def _nearness(state: State, colour: str, planet: str) -> float:
    place, turn = state.players[colour].place, state.turn
    if place is None:
        return 0.0
    way = 0 if place == planet else ENERGY[place].get(planet, FARTHEST)
    energy = turn.energy if turn is not None and turn.player == colour and turn.energy else 0
    return float(NEARER ** max(way - energy, 0))


LUCK = DieLuck()

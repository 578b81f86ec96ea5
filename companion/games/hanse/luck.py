"""How luck is told from play: what the die might have shown, and what a position is worth to each.

The evaluator is a sum of three things that both players see: Megagalax, what the goods on board bring where they are
wanted, and how near the ship of an empty container is to goods. What is far is worth less, step by step; the energy
of an open flight counts as way that is behind one already. Its weights lie near what a fit to a few
dozen games of made-up players gives, coarsely (docs/luck.md). What the other side of a
goods card shows is known to nobody, and counts under the rest, like hands.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.hanse.places import ENERGY, PLANETS
from companion.games.hanse.state import Player, State
from companion.kernel.validation import Line
from companion.luck.ahead import ahead

POINT, GOODS, NEAR = 1.0, 1.6, 10.0
NEARER = 0.88
"""What something is worth that is one energy farther."""
FACES = 6
FARTHEST = max(cost for ways in ENERGY.values() for cost in ways.values())
"""No flight takes more; whatever the die shows beyond is worth the same."""


class DieLuck:
    """Luck with the die of the flight."""

    def outcomes(self, state: State, line: Line) -> tuple[tuple[float, Line], ...]:
        """Return each sum that the die might have shown, a 1 rolled again; nothing for a line that is no roll."""
        if line["do"] != "roll" or state.turn is None:
            return ()
        sums = [(_chance(total), {**line, "dice": _dice(total)}) for total in range(2, FARTHEST + 1)]
        beyond = 1.0 - sum(chance for chance, _ in sums)
        return (*sums, (beyond, {**line, "dice": _dice(FARTHEST + 1)}))

    def worth(self, state: State) -> Mapping[str, float]:
        """Return by how many Megagalax each is expected to end ahead of the other; once it is over, the result."""
        if state.finished:
            return ahead({colour: float(player.megagalax) for colour, player in state.players.items()})
        return ahead({colour: _prospects(state, colour) for colour in state.colours})


def _chance(total: int) -> float:
    """Return how likely the die adds up to *total*: so many 1s, and then one of the five others."""
    return sum((1 / FACES) ** (ones + 1) for ones in range(total) if 2 <= total - ones <= FACES)


def _dice(total: int) -> list[int]:
    ones = max(0, total - FACES)
    return [1] * ones + [total - ones]


def _prospects(state: State, colour: str) -> float:
    player = state.players[colour]
    return POINT * player.megagalax + GOODS * _goods(state, colour, player) + NEAR * _near(state, colour, player)


def _goods(state: State, colour: str, player: Player) -> float:
    """Return what is on board, each card worth less the farther its planet is."""
    return sum(card.value * _nearness(state, colour, card.to) for cargo in player.containers for card in cargo)


def _near(state: State, colour: str, player: Player) -> float:
    """Return how near the nearest goods are to a ship that can take some."""
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

"""The chances of draws, exact: the next one, and one of one's own among several."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb

from companion.games.draws.cubes import Counts


def next_draw(inside: Counts) -> dict[str, Fraction]:
    """Return the chance of each colour to come out next; nought each where nothing is inside."""
    cubes = sum(inside.values())
    return {colour: Fraction(count, cubes) if cubes else Fraction(0) for colour, count in inside.items()}


def at_least_one(inside: Counts, mine: Iterable[str], draws: int, back: bool = False) -> Fraction:
    """Return the chance that one of *mine* at least is among so many *draws* from *inside*.

    1 - C(N - k, n) / C(N, n), the hypergeometric chance; where each cube goes
    *back* before the next draw, 1 - ((N - k) / N) ** n.
    """
    if draws < 0:
        raise ValueError("draws are 0 or more")
    cubes, own = sum(inside.values()), sum(inside.get(colour, 0) for colour in set(mine))
    if not own or not draws:
        return Fraction(0)
    if back:
        return 1 - Fraction(cubes - own, cubes) ** draws
    made = min(draws, cubes)
    return 1 - Fraction(comb(cubes - own, made), comb(cubes, made))


def expected(inside: Counts, draws: int, back: bool = False) -> dict[str, Fraction]:
    """Return how many of each colour so many *draws* bring on the average."""
    cubes = sum(inside.values())
    made = draws if back else min(draws, cubes)
    return {colour: chance * made for colour, chance in next_draw(inside).items()}

"""Exact chances of draws: of the next one, and of at least one of one's own colours among several."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb

from companion.games.draws.cubes import Counts


def next_draw(inside: Counts) -> dict[str, Fraction]:
    """Return each colour's chance to come out next, 0 for every colour if nothing is inside.

    >>> next_draw({"red": 1, "blue": 3})
    {'red': Fraction(1, 4), 'blue': Fraction(3, 4)}
    """
    cubes = sum(inside.values())
    return {colour: Fraction(count, cubes) if cubes else Fraction(0) for colour, count in inside.items()}


def at_least_one(inside: Counts, mine: Iterable[str], draws: int, back: bool = False) -> Fraction:
    """Return the chance that *draws* draws from *inside* bring at least one cube of the colours *mine*.

    With N cubes, of which k are mine, and n draws it is 1 - C(N - k, n) / C(N, n), the hypergeometric
    distribution. If each cube goes *back* before the next draw, it is 1 - ((N - k) / N) ** n.

    >>> at_least_one({"red": 1, "blue": 3}, ["red"], draws=2)
    Fraction(1, 2)
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
    """Return how many cubes of each colour *draws* draws bring on average."""
    cubes = sum(inside.values())
    made = draws if back else min(draws, cubes)
    return {colour: chance * made for colour, chance in next_draw(inside).items()}

"""Exact chances: of each colour in the next draw, and of at least one cube of certain colours in several draws."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb

from companion.games.draws.cubes import Counts


def next_draw(inside: Counts) -> dict[str, Fraction]:
    """Return the chance that each colour comes out next. If nothing is inside, all chances are 0.

    >>> next_draw({"red": 1, "blue": 3})
    {'red': Fraction(1, 4), 'blue': Fraction(3, 4)}
    """
    cubes = sum(inside.values())
    return {colour: Fraction(count, cubes) if cubes else Fraction(0) for colour, count in inside.items()}


def at_least_one(inside: Counts, mine: Iterable[str], draws: int, back: bool = False) -> Fraction:
    """Return the chance that *draws* draws from *inside* bring at least one cube of the colours *mine*.

    For N cubes with k of the colours *mine* and n draws, the chance is 1 - C(N - k, n) / C(N, n) (hypergeometric
    distribution). If each cube goes *back* before the next draw, it is 1 - ((N - k) / N) ** n.

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
    """Return the average number of cubes of each colour in *draws* draws."""
    cubes = sum(inside.values())
    made = draws if back else min(draws, cubes)
    return {colour: chance * made for colour, chance in next_draw(inside).items()}

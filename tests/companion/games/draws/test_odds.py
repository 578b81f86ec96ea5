"""Exact chances: the formula gives the same result as counting every possible handful."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest

from companion.games.draws.odds import at_least_one, expected, next_draw

BAG = {"red": 3, "blue": 2, "green": 1}
CUBES = [colour for colour, count in BAG.items() for _ in range(count)]


@pytest.mark.parametrize("draws", range(7))
def test_one_of_mine_is_counted_out(draws):
    """Odds: the chance of at least one of my cubes in n draws is the share of handfuls that contain one."""
    hands = list(combinations(range(len(CUBES)), draws))
    with_blue = sum(any(CUBES[at] == "blue" for at in hand) for hand in hands)

    assert at_least_one(BAG, ["blue"], draws) == Fraction(with_blue, len(hands))


@pytest.mark.parametrize("draws", range(4))
def test_where_each_goes_back_draws_do_not_know_each_other(draws):
    """Odds: with replacement, the chance is the share of hits among all sequences of n draws."""
    rows = list(product(CUBES, repeat=draws))
    hits = sum("red" in row or "green" in row for row in rows)

    assert at_least_one(BAG, ["red", "green"], draws, back=True) == Fraction(hits, len(rows))


def test_the_next_draw():
    """Odds: the next draw's chance is each colour's share of the cubes, and 0 if nothing is inside."""
    assert next_draw(BAG) == {"red": Fraction(1, 2), "blue": Fraction(1, 3), "green": Fraction(1, 6)}
    assert next_draw({"red": 0}) == {"red": 0}
    assert at_least_one({}, ["red"], 3) == 0
    assert at_least_one(BAG, ["black"], 3) == 0


def test_more_draws_than_cubes_draw_them_all():
    """Each cube can be drawn only once, so if there are more draws than cubes, all cubes are drawn."""
    assert at_least_one(BAG, ["green"], 99) == 1
    assert expected(BAG, 99) == {"red": 3, "blue": 2, "green": 1}
    assert expected(BAG, 2, back=True)["red"] == 1
    with pytest.raises(ValueError):
        at_least_one(BAG, ["red"], -1)

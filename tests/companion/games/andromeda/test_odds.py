"""Odds: the chances of an attempt, with draws without replacement."""

from __future__ import annotations

from itertools import permutations

import pytest

from companion.games.andromeda import odds

CASES = [(9, 2, 2, 42), (9, 2, 3, 58), (9, 2, 4, 72), (9, 3, 2, 58), (9, 3, 3, 76), (9, 3, 4, 88)]


@pytest.mark.parametrize(("stations", "own", "draws", "per_cent"), CASES)
def test_worked_numbers(stations, own, draws, per_cent):
    """Odds: if 2 of 9 stations are the player's, 2, 3, 4 draws give 42, 58, 72 %; if 3 are, they give 58, 76, 88 %."""
    assert round(100 * odds.success(stations, own, draws)) == per_cent


@pytest.mark.parametrize("stations", range(1, 6))
def test_every_order_of_drawing_counts_alike(stations):
    """The odds equal the result of counting all orders of drawing."""
    for own in range(stations + 1):
        for draws in range(stations + 2):
            orders = list(permutations([True] * own + [False] * (stations - own)))
            made = [order[:draws] for order in orders]
            out = [order.index(True) if True in order else len(order) for order in made]

            assert odds.success(stations, own, draws) == pytest.approx(sum(map(any, made)) / len(orders))
            assert odds.opponents_out(stations, own, draws) == pytest.approx(sum(out) / len(orders))


def test_certain_things_are_certain():
    """Odds: without the player's stations or draws the chance is 0; with more draws than other stations it is 1."""
    assert odds.success(9, 0, 4) == 0
    assert odds.success(9, 2, 0) == 0
    assert odds.success(4, 1, 4) == 1
    assert odds.success(3, 1, 9) == 1


def test_there_are_no_negative_stations():
    """Odds: negative counts, or more stations of the player than there are stations, raise ValueError."""
    for stations, own, draws in ((3, 4, 1), (3, -1, 1), (3, 1, -1)):
        with pytest.raises(ValueError, match="own stations"):
            odds.success(stations, own, draws)

"""Ratings, compared with results of openskill 6.2.0."""

from __future__ import annotations

import pytest

from companion.statistics.rating import Rating, rated


def test_a_first_game_of_two() -> None:
    """Rating: the winner gains what the loser loses, and both become more certain."""
    winner, loser = rated([Rating(), Rating()], [1, 2])

    assert (winner.mu, winner.sigma) == pytest.approx((27.635389493, 8.065901414))
    assert (loser.mu, loser.sigma) == pytest.approx((22.364610507, 8.065901414))


def test_a_shared_win_and_players_who_are_known() -> None:
    """Rating: equal ranks are ties, and earlier ratings are used."""
    first = rated([Rating(), Rating()], [1, 2])
    after = rated([*first, Rating(), Rating()], [3, 1, 1, 4])

    assert [each.mu for each in after] == pytest.approx([28.262152604, 23.370675723, 25.9485711, 22.308541669])
    assert [each.sigma for each in after] == pytest.approx([7.910722876, 8.008653375, 8.261064483, 8.163311361])


def test_who_wins_against_better_ones_gains_more() -> None:
    """Rating: a win against a stronger player gains more."""
    strong, weak = Rating(30, 2), Rating(20, 2)

    assert rated([weak, strong], [1, 2])[0].mu - weak.mu > rated([strong, weak], [1, 2])[0].mu - strong.mu

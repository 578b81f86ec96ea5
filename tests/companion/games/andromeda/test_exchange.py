"""Exchange cards: planet cards from the hand for as many from the supply."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("cards", [1, 2])
def test_one_or_two_cards_are_exchanged(evening, cards):
    """Exchange: one or two planet cards go to the discards, as many are drawn."""
    evening.exchange("red", cards)

    assert evening.players["red"].hand == 9
    assert (evening.game.supply, evening.game.discards) == (48 - cards, cards)
    assert evening.view["actions_left"] == 2


@pytest.mark.parametrize("cards", [0, 4])
def test_no_more_and_no_fewer(evening, cards):
    """Exchange: not four cards, and not none."""
    assert evening.refused.exchange("red", cards) == "Ana may exchange 1 to 2 cards."


def test_a_third_card_takes_technology(evening):
    """Exchange: not three cards without technology, and what it takes is said."""
    assert evening.refused.exchange("red", 3) == "Ana needs technology level 3 to exchange 3 cards."


@pytest.mark.parametrize("level", [3, 4])
def test_technology_three_allows_a_third(evening, level):
    """Exchange: with technology level 3 or higher up to three cards, and not four."""
    evening.at_level("red", technology=level).exchange("red", 3)

    assert evening.game.discards == 3
    assert evening.refused.exchange("red", 4) == "Ana may exchange 1 to 3 cards."


def test_technology_two_is_not_enough(evening):
    """Exchange: technology level 2 allows no third card."""
    assert evening.at_level("red", technology=2).refused.exchange("red", 3)


def test_credits_are_not_exchanged(evening):
    """Exchange (ruling): planet cards only, credits stay."""
    evening.holding("red", silver=2, hand=3)

    assert evening.refused.exchange("red", 2) == (
        "Ana doesn't have that many planet cards. Credits can't be exchanged."
    )
    assert evening.exchange("red", 1).players["red"].credit("silver") == 2


def test_an_exchange_discards_first(evening):
    """Exchange: the cards are discarded before others are drawn, so an empty supply is shuffled with them."""
    evening.holding("blue", hand=9 + 48).exchange("red", 2)

    assert (evening.game.supply, evening.game.discards) == (0, 0)
    assert evening.players["red"].hand == 9


def test_the_last_card_of_the_supply_is_drawn_before_the_shuffle(evening):
    """Exchange: with one card left and two wanted, the discards are shuffled for the second."""
    evening.holding("blue", hand=9 + 47).exchange("red", 2)

    assert (evening.game.supply, evening.game.discards) == (1, 0)

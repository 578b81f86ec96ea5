"""Exchange cards: planet cards from the hand for the same number from the supply."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("cards", [1, 2])
def test_one_or_two_cards_are_exchanged(evening, cards):
    """Exchange: one or two planet cards are discarded, and the same number is drawn."""
    evening.exchange("red", cards)

    assert evening.players["red"].hand == 9
    assert (evening.game.supply, evening.game.discards) == (48 - cards, cards)
    assert evening.view["actions_left"] == 2


@pytest.mark.parametrize("cards", [0, 4])
def test_no_more_and_no_fewer(evening, cards):
    """Exchange: zero or four cards are refused."""
    assert evening.refused.exchange("red", cards) == "Ana may exchange 1 to 2 cards."


def test_a_third_card_takes_technology(evening):
    """Exchange: three cards are refused without technology level 3, and the refusal says so."""
    assert evening.refused.exchange("red", 3) == "Ana needs technology level 3 to exchange 3 cards."


@pytest.mark.parametrize("level", [3, 4])
def test_technology_three_allows_a_third(evening, level):
    """Exchange: with technology level 3 or higher, three cards can be exchanged, but not four."""
    evening.at_level("red", technology=level).exchange("red", 3)

    assert evening.game.discards == 3
    assert evening.refused.exchange("red", 4) == "Ana may exchange 1 to 3 cards."


def test_technology_two_is_not_enough(evening):
    """Exchange: with technology level 2, three cards are refused."""
    assert evening.at_level("red", technology=2).refused.exchange("red", 3)


def test_credits_are_not_exchanged(evening):
    """Exchange (ruling): only planet cards can be exchanged, not credits."""
    evening.holding("red", silver=2, hand=3)

    assert evening.refused.exchange("red", 2) == (
        "Ana doesn't have that many planet cards. Credits can't be exchanged."
    )
    assert evening.exchange("red", 1).players["red"].credit("silver") == 2


def test_an_exchange_discards_first(evening):
    """Exchange: cards are discarded before new ones are drawn, so an empty supply is refilled with them."""
    evening.holding("blue", hand=9 + 48).exchange("red", 2)

    assert (evening.game.supply, evening.game.discards) == (0, 0)
    assert evening.players["red"].hand == 9


def test_the_last_card_of_the_supply_is_drawn_before_the_shuffle(evening):
    """Exchange: with one card in the supply and two to draw, the discards are shuffled for the second."""
    evening.holding("blue", hand=9 + 47).exchange("red", 2)

    assert (evening.game.supply, evening.game.discards) == (1, 0)

"""The card phase: every hand is filled to its limit."""

from __future__ import annotations

import pytest

from tests.companion.games.andromeda.evening import Evening


def test_the_first_deal_adds_nothing():
    """Cards: in the first round every hand starts at nine, so the deal adds nothing."""
    evening = Evening(4).all_set_up().deal()

    assert {player.hand for player in evening.players.values()} == {9}
    assert evening.game.supply == 48
    assert evening.view["phase"] == "transport"


@pytest.mark.parametrize(("level", "limit"), [(1, 9), (2, 10), (3, 11), (4, 13)])
def test_the_ship_sets_the_hand_limit(level, limit):
    """Cards: hands are filled to 9, 10, 11 or 13 by the level of the ship."""
    evening = Evening(4).all_set_up().at_level("blue", ship=level).holding("blue", hand=2).deal()

    assert evening.players["blue"].hand == limit


def test_credits_count_as_cards():
    """Cards: bonus credits in hand count towards the limit."""
    evening = Evening(4).all_set_up().holding("red", gold=2, hand=4).deal()

    assert evening.players["red"].hand == 9
    assert evening.players["red"].planet_cards == 7


def test_a_hand_above_its_limit_keeps_its_cards():
    """Cards: a hand above its limit is dealt nothing and gives nothing back."""
    evening = Evening(4).all_set_up().holding("red", hand=12).deal()

    assert evening.players["red"].hand == 12


def test_the_discards_are_shuffled_when_the_supply_runs_out(evening):
    """Cards: if the supply is empty when a card is needed, the discards become the supply."""
    evening.move("red", "p1", 7, bonus=False).holding("blue", hand=9 + 46).all_end_turns()
    assert (evening.game.supply, evening.game.discards) == (2, 7)

    evening.deal()

    assert evening.players["red"].hand == 9
    assert (evening.game.supply, evening.game.discards) == (2, 0)


def test_an_empty_supply_leaves_the_discards_until_a_card_is_wanted(evening):
    """Cards: when the supply becomes empty, the discards are not shuffled until the next card is needed."""
    evening.move("red", "p1", 7, bonus=False).holding("blue", hand=9 + 48)
    assert (evening.game.supply, evening.game.discards) == (0, 7)

    evening.holding("blue", hand=9 + 48 + 1)

    assert (evening.game.supply, evening.game.discards) == (6, 0)


def test_the_last_cards_go_round_as_far_as_they_reach():
    """Cards: if corrections leave too few cards, they are dealt clockwise from the starting player."""
    evening = Evening(4, first="green").all_set_up().holding("blue", hand=0).holding("yellow", hand=1)

    evening.holding("red", hand=69).deal()

    assert [player.hand for player in evening.players.values()] == [69, 0, 9, 6]
    assert evening.game.supply == 0


def test_the_starting_player_deals():
    """In the card phase, the table waits for the starting player to deal."""
    assert Evening(4, first="blue").all_set_up().view["to_act"] == ["blue"]


def test_cards_are_dealt_once_a_round(transporting):
    """Cards: after the deal nothing more is dealt in the round."""
    assert transporting.refused.deal() == "Cards are dealt only at the start of a round."


def test_every_round_begins_with_a_deal():
    """Cards: the second round begins with a deal by the player to the left."""
    evening = Evening(4).in_actions().all_end_turns()

    assert evening.view["phase"] == "cards"
    assert evening.view["to_act"] == ["blue"]

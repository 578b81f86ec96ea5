"""The trading phase: cards laid one by one, whole sets swapped, kept, left and taken back."""

from __future__ import annotations

import pytest

from companion.model.game import Viewer
from tests.companion.games.andromeda.evening import Evening

# Laying


def test_the_starting_player_lays_first(trading):
    """In trading, the starting player lays the first card."""
    assert trading.view["to_act"] == ["red"]
    assert trading.refused.lay("blue", "p1") == "Ana plays first, then Ben."


def test_the_others_answer_in_any_order(trading):
    """All other players answer with one card each, in any order (trading)."""
    trading.lay("red", "p1").lay("yellow", "p2")

    assert trading.view["to_act"] == ["blue", "green"]
    assert trading.view["trading"] == {"size": 1, "sets": ["red", "yellow"], "excused": []}


def test_an_answer_differs_from_the_starting_players_cards(trading):
    """Trading: an answer must differ from every card the starting player has laid."""
    trading.lay("red", "p1")

    assert trading.refused.lay("blue", "p1") == "Ana has played a Ringworld card, so nobody else may."


def test_a_second_answer_differs_from_both(trading):
    """Trading: the second answer must differ from both cards of the starting player."""
    trading.all_lay("p1").lay("red", "p2")

    assert "Ringworld" in trading.refused.lay("blue", "p1")
    assert "Twins" in trading.refused.lay("blue", "p2")
    assert trading.lay("blue", "p3").view["to_act"] == ["green", "yellow"]


def test_an_answer_may_equal_ones_own_or_anothers(trading):
    """Trading: an answer may equal the player's own earlier card or other players' answers."""
    trading.lay("red", "p1").lay("blue", "p2").lay("green", "p2").lay("yellow", "p2").lay("red", "p1")
    trading.lay("blue", "p2").lay("green", "p3").lay("yellow")

    assert trading.view["trading"]["size"] == 2


def test_the_starting_player_lays_any_card(trading):
    """Trading: the starting player's second card may be any card, even one that others have laid."""
    trading.lay("red", "p1").lay("blue", "p2").lay("green", "p3").lay("yellow", "p4").lay("red", "p2")

    assert trading.view["to_act"] == ["blue", "green", "yellow"]


def test_everybody_answers_before_the_next_card(trading):
    """Trading: the next card is refused until all players have answered."""
    trading.lay("red", "p1").lay("blue")

    assert trading.refused.lay("red", "p2") == "Cem hasn't played a card yet."


def test_one_answer_a_card(trading):
    """Trading: a second answer to the same card is refused."""
    assert "Ana plays first" in trading.lay("red", "p1").lay("blue").refused.lay("blue")


def test_a_set_has_two_cards_at_least(trading):
    """Trading: a swap is refused before the second card."""
    trading.all_lay("p1")

    assert trading.refused.swap("red", "blue") == "Play at least two cards each before a swap."


def test_a_third_card_is_the_starting_players_choice(trading):
    """Trading: after two cards, the starting player may swap or lay a third card, with the same rule for answers."""
    trading.all_lay("p1", "p2")
    assert trading.view["to_act"] == ["red"]

    trading.lay("red", "p3")

    assert "Stripes" in trading.refused.lay("green", "p3")
    assert trading.view["trading"]["size"] == 3


def test_a_fourth_card_takes_technology(trading):
    """Trading: without technology, the starting player may lay at most three cards."""
    trading.all_lay("p1", "p2", "p3")

    assert trading.refused.lay("red", "p4") == "Ana may play up to 3 cards. Now swap."


@pytest.mark.parametrize("level", [2, 3, 4])
def test_technology_two_allows_a_fourth_card(trading, level):
    """Trading: with technology level 2 or higher, the starting player may lay a fourth card, but no fifth."""
    trading.at_level("red", technology=level).all_lay("p1", "p2", "p3", "p4")

    assert trading.view["trading"]["size"] == 4
    assert trading.refused.lay("red", "p5") == "Ana may play up to 4 cards. Now swap."


def test_only_the_starting_players_technology_matters(trading):
    """Trading: the technology of other players does not matter for a fourth card."""
    trading.at_level("blue", technology=4).all_lay("p1", "p2", "p3")
    assert "up to 3 cards" in trading.refused.lay("red", "p4")

    trading.at_level("red", technology=2).at_level("blue", technology=1).lay("red", "p4")

    assert trading.view["to_act"] == ["blue", "green", "yellow"]


def test_an_unnamed_card_forbids_nothing(trading):
    """Trading: a card may be unnamed; then its planet is not forbidden to other players."""
    trading.lay("red", None)

    assert trading.lay("blue", "p1").lay("green", None).view["to_act"] == ["yellow"]


def test_cards_are_laid_from_the_hand(trading):
    """Trading: more planet cards than the hand has cannot be laid."""
    trading.holding("blue", hand=1).all_lay("p1").lay("red", "p2")

    assert trading.refused.lay("blue", "p3") == "Ben doesn't have that card."


def test_laid_cards_are_still_in_hand(trading):
    """Trading: cards on the table still count for hand, credits and score."""
    trading.holding("red", gold=1).lay("red", "gold")

    red = trading.view["players"]["red"]
    assert (red["hand"], red["bonus"]["gold"], red["score"]["bonus"]) == (10, 1, 3)


# Credits as cards to trade


def test_a_credit_may_be_laid(trading):
    """Trading: a credit may be laid, and other players may not answer with its kind."""
    trading.holding("red", gold=1).holding("blue", gold=1, silver=1).lay("red", "gold")

    assert trading.refused.lay("blue", "gold") == "Ana has played a gold credit, so nobody else may."
    assert trading.lay("blue", "silver").view["to_act"] == ["green", "yellow"]


def test_a_credit_is_laid_only_if_it_is_held(trading):
    """Trading: a credit that is not in the hand, or already on the table, cannot be laid."""
    trading.holding("red", silver=1)
    assert trading.refused.lay("red", "gold") == "Ana doesn't have that card."

    trading.all_lay("silver")

    assert trading.refused.lay("red", "silver") == "Ana doesn't have that card."


def test_credits_change_hands_with_their_set(trading):
    """Trading: after a swap, the credits in a set belong to its new owner."""
    trading.holding("red", gold=1).holding("blue", silver=1).lay("red", "gold").lay("blue", "silver")
    trading.lay("green").lay("yellow").all_lay(None).swap("red", "blue")

    assert trading.view["players"]["red"]["bonus"] == {"silver": 1, "gold": 0, "platinum": 0, "diamond": 0}
    assert trading.view["players"]["blue"]["bonus"] == {"silver": 0, "gold": 1, "platinum": 0, "diamond": 0}
    assert [player.hand for player in trading.players.values()] == [10, 10, 9, 9]


# Excused


def test_an_excused_player_takes_back_the_cards(trading):
    """Trading: a player without a legal card takes back all laid cards and sits out the phase."""
    trading.all_lay("p1").lay("red", "p2").lay("blue").excuse("green").lay("yellow")

    assert trading.view["trading"] == {"size": 2, "sets": ["red", "blue", "yellow"], "excused": ["green"]}
    assert trading.refused.swap("red", "green") == "Cem has no set on the table."
    assert trading.players["green"].hand == 9


def test_the_excused_are_not_waited_for(trading):
    """Trading: an excused player need not answer further cards."""
    trading.lay("red", "p1").excuse("blue").lay("green").lay("yellow").lay("red", "p2")

    assert trading.view["to_act"] == ["green", "yellow"]
    assert trading.refused.lay("blue") == "Ben sits out this trading phase."
    assert trading.refused.excuse("blue") == "Ben sits out this trading phase."


def test_a_playable_credit_excuses_nobody(trading):
    """Trading: a player who has a credit that may be laid cannot be excused."""
    trading.holding("blue", silver=1).lay("red", "p1")

    assert trading.refused.excuse("blue") == "Ben has a legal card."


def test_a_forbidden_credit_is_no_legal_card(trading):
    """Trading: a player can be excused if their only credit is of a forbidden kind."""
    trading.holding("red", silver=1).holding("blue", silver=2).lay("red", "silver").excuse("blue")

    assert trading.view["trading"]["excused"] == ["blue"]
    assert trading.players["blue"].credit("silver") == 2


def test_a_credit_on_the_table_is_no_legal_card(trading):
    """Trading: a player can be excused if their only credit is already on the table."""
    trading.holding("blue", silver=1).lay("red", "p1").lay("blue", "silver").lay("green").lay("yellow")

    assert trading.lay("red", "p2").excuse("blue").view["trading"]["excused"] == ["blue"]
    assert trading.players["blue"].credit("silver") == 1


def test_the_starting_player_is_never_excused(trading):
    """Trading: the starting player cannot be excused."""
    assert trading.refused.excuse("red") == "The starting player always trades."
    assert trading.lay("red", "p1").refused.excuse("red") == "The starting player always trades."


def test_nobody_is_excused_unasked(trading):
    """Trading: only a player who must answer a card can be excused."""
    assert "Ana plays first" in trading.refused.excuse("blue")
    assert "Ana plays first" in trading.lay("red", "p1").lay("blue").refused.excuse("blue")


def test_with_everyone_excused_the_trading_ends(trading):
    """Trading (ruling): if all but the starting player are excused, all cards go back and the phase ends."""
    trading.holding("red", gold=1).lay("red", "gold").excuse("blue").excuse("green").excuse("yellow")

    assert trading.view["phase"] == "actions"
    assert trading.view["trading"] is None
    assert trading.players["red"].credit("gold") == 1


def test_everyone_may_be_excused_later(trading):
    """Trading (ruling): if all others are excused at a later card, the phase also ends."""
    trading.all_lay("p1", "p2").lay("red", "p3").excuse("yellow").excuse("blue").excuse("green")

    assert trading.view["phase"] == "actions"
    assert {player.hand for player in trading.players.values()} == {9}


# The starting player's swap


def test_the_starting_player_swaps_with_anybody(trading):
    """Trading: the starting player swaps sets with any other player, who must then keep or leave."""
    trading.all_lay("p1", "p2").swap("red", "green")

    assert trading.view["to_act"] == ["green"]
    assert trading.view["trading"]["sets"] == ["blue", "green", "yellow"]


def test_the_starting_player_must_swap(trading):
    """Trading: the starting player cannot take back the set."""
    assert trading.all_lay("p1", "p2").refused.take_back("red") == "The starting player always trades."


def test_the_starting_player_swaps_first(trading):
    """Trading: before the starting player's swap, other players can neither swap nor take back."""
    trading.all_lay("p1", "p2")

    assert trading.refused.swap("blue", "green") == "The starting player swaps first."
    assert trading.refused.take_back("blue") == "The starting player swaps first."


def test_a_swap_waits_for_all_answers(trading):
    """Trading: a swap is refused until all players have answered."""
    assert trading.all_lay("p1").lay("red").refused.swap("red", "blue") == "Ben hasn't played a card yet."


def test_a_swap_takes_two(trading):
    """Trading: a player cannot swap with themselves."""
    trading.all_lay("p1", "p2")

    assert trading.refused.swap("red", "red") == "A swap takes two players."


def test_no_cards_are_laid_once_sets_are_swapped(trading):
    """Trading: after the first swap, laying a card and being excused are refused."""
    trading.all_lay("p1", "p2").swap("red", "green").leave("green")

    assert trading.refused.lay("blue") == "All cards are played. Now swap sets."
    assert "Ana plays first" in trading.refused.excuse("blue")


# Keep or leave


def test_a_partner_keeps_the_new_cards(trading):
    """Trading: a partner who keeps the new cards is out of the trading."""
    trading.all_lay("p1", "p2").swap("red", "green").keep("green")

    assert trading.view["trading"]["sets"] == ["blue", "yellow"]
    assert trading.view["to_act"] == ["blue"]


def test_a_partner_leaves_the_new_cards(trading):
    """Trading: a partner who leaves the new cards on the table can still be swapped with."""
    trading.all_lay("p1", "p2").swap("red", "green").leave("green").swap("blue", "green").keep("green")

    assert trading.view["trading"] is None


def test_the_table_waits_for_the_partner(trading):
    """Trading: until the partner keeps or leaves, other players cannot trade."""
    trading.all_lay("p1", "p2").swap("red", "green")

    assert "First Cem keeps" in trading.refused.swap("blue", "yellow")
    assert trading.refused.keep("blue") == "Nobody has just swapped with Ben."
    assert trading.refused.leave("red") == "Nobody has just swapped with Ana."


def test_left_credits_travel_on(trading):
    """Trading: a credit left on the table goes to the next player who swaps for it."""
    trading.holding("red", diamond=1).lay("red", "diamond").lay("blue").lay("green").lay("yellow").all_lay(None)
    trading.swap("red", "yellow").leave("yellow").swap("blue", "yellow")

    assert trading.players["blue"].credit("diamond") == 1
    assert trading.players["yellow"].credit("diamond") == 0


# Later traders


def test_the_next_trader_is_the_first_clockwise_with_a_set(trading):
    """Trading: the next to trade is the first player clockwise who still has a set."""
    trading.all_lay("p1", "p2").swap("red", "blue").keep("blue")

    assert trading.view["to_act"] == ["green"]
    assert trading.refused.take_back("yellow") == "Cem trades next."


def test_a_partner_who_leaves_may_be_next(trading):
    """Trading: a partner who left the cards on the table can be the next to trade."""
    trading.all_lay("p1", "p2").swap("red", "blue").leave("blue")

    assert trading.view["to_act"] == ["blue"]


def test_a_later_trader_takes_back(trading):
    """Trading: a later player may take back the set with its credits."""
    trading.holding("blue", silver=1).lay("red", "p1").lay("blue", "silver").lay("green").lay("yellow").all_lay(None)
    trading.swap("red", "green").leave("green").take_back("blue")

    assert trading.view["to_act"] == ["green"]
    assert trading.players["blue"].credit("silver") == 1


def test_several_swaps_follow_each_other():
    """Trading: with five players, swaps continue while at least two sets are on the table."""
    trading = Evening(5).in_trading().all_lay("p1", "p2").swap("red", "black").leave("black")
    trading.swap("blue", "black").leave("black").swap("green", "yellow").leave("yellow").swap("yellow", "black")

    assert trading.view["to_act"] == ["black"]
    assert trading.keep("black").view["phase"] == "actions"


def test_nobody_swaps_with_an_empty_place(trading):
    """Trading: a swap with a player without a set is refused."""
    trading.all_lay("p1", "p2").swap("red", "blue").keep("blue")

    assert trading.refused.swap("green", "red") == "Ana has no set on the table."
    assert trading.refused.swap("green", "blue") == "Ben has no set on the table."


def test_a_remaining_set_goes_back(trading):
    """Trading: with fewer than two sets left, the trading ends and the last set goes back to its owner's hand."""
    trading.holding("yellow", gold=1).lay("red", "p1").lay("blue").lay("green").lay("yellow", "gold").all_lay(None)
    trading.swap("red", "blue").keep("blue").take_back("green")

    assert trading.view["phase"] == "actions"
    assert trading.players["yellow"].credit("gold") == 1


def test_keep_or_leave_is_said_even_at_the_end(trading):
    """Trading: the last partner is still asked to keep or leave, but gets the set in hand either way."""
    trading.lay("red", "p1").excuse("blue").excuse("green").lay("yellow").all_lay("p2").swap("red", "yellow")
    assert trading.view["to_act"] == ["yellow"]

    assert trading.leave("yellow").view["phase"] == "actions"


def test_hands_keep_their_size(trading):
    """Trading: all sets have the same size, so trading does not change the size of hands."""
    trading.at_level("red", technology=2).all_lay("p1", "p2", "p3", "p4").swap("red", "blue").leave("blue")
    trading.swap("blue", "yellow").keep("yellow")

    assert {player.hand for player in trading.players.values()} == {9}


def test_trading_starts_with_the_starting_player_of_the_round():
    """Trading: in the second round, the player to the left lays first and must swap."""
    evening = Evening(4).in_actions().all_end_turns().deal().all_pass()

    assert evening.view["to_act"] == ["blue"]
    assert evening.refused.lay("red") == "Ben plays first, then Ana."


# Without a record of trades


@pytest.fixture
def unrecorded():
    """A table that does not record trades, at the start of the trading phase."""
    return Evening(options={"trade_record": "off"}).in_trading()


def test_unrecorded_trading_ends_in_one_line(unrecorded):
    """Trading (ruling `trade_record`, off): one line ends the trading."""
    assert unrecorded.view["to_act"] == ["red"]
    assert unrecorded.view["trading"] == {"size": 0, "sets": [], "excused": []}

    assert unrecorded.end_trading().view["phase"] == "actions"


def test_unrecorded_trading_takes_no_cards(unrecorded):
    """Trading (ruling `trade_record`, off): all other commands of the phase are refused."""
    for reason in (
        unrecorded.refused.lay("red", "p1"),
        unrecorded.refused.excuse("blue"),
        unrecorded.refused.swap("red", "blue"),
        unrecorded.refused.keep("blue"),
        unrecorded.refused.leave("blue"),
        unrecorded.refused.take_back("blue"),
    ):
        assert reason == "This table doesn't record trades. Tap when you're done."


def test_unrecorded_credits_are_corrected(unrecorded):
    """Trading (ruling `trade_record`, off): traded credits are recorded by corrections."""
    unrecorded.holding("red", gold=1).correct("red", bonus={"gold": 0}).correct("blue", bonus={"gold": 1}).end_trading()

    assert unrecorded.players["blue"].credit("gold") == 1


def test_recorded_trading_does_not_end_by_word(trading):
    """Ruling `trade_record` on: trading ends automatically, so `end_trading` is refused."""
    assert trading.refused.end_trading() == "This table records trades card by card."


def test_cards_are_traded_in_their_phase(evening):
    """Trading: laying cards and ending the trading are refused in other phases."""
    assert evening.refused.lay("red", "p1") == "You can trade only in the trading phase."
    assert evening.refused.end_trading() == "You can trade only in the trading phase."


def test_credits_stay_hidden_while_sets_are_traded(trading):
    """Trading: other players' credits stay hidden in this phase."""
    trading.holding("red", gold=1)

    assert trading.seen_by(Viewer("blue"))["players"]["red"]["bonus"] is None
    assert trading.seen_by(Viewer("red"))["players"]["red"]["bonus"]["gold"] == 1

"""Assign commands: the roll with its limit of contamination, and how players get dice."""

from __future__ import annotations

import pytest

from tests.companion.games.wreck.evening import Evening

SIX_BAD = ["contamination"] * 6 + ["training"] * 2 + ["move"] * 2 + ["support", "improvise", "technology"]


def pool(evening):
    """Return the dice in the pool by symbol, without symbols that have none."""
    return {symbol: count for symbol, count in evening.view["pool"].items() if count}


# The roll


def test_more_than_three_contaminations_are_rolled_again():
    """The roll: three contaminations are kept, the others are rolled until they show something else (rulebook)."""
    evening = Evening(4).do("open", card=None)
    again = [["improvise", "improvise", "contamination"], ["training"]]

    assert "Roll 3 dice again" in evening.refused("roll", player="red", dice=SIX_BAD)
    assert "Roll 1 die again" in evening.refused("roll", player="red", dice=SIX_BAD, rerolls=again[:1])
    evening.do("roll", player="red", dice=SIX_BAD, rerolls=again)
    assert pool(evening) == {
        "training": 3,
        "support": 1,
        "improvise": 3,
        "move": 2,
        "technology": 1,
        "contamination": 3,
    }


@pytest.mark.parametrize(
    ("dice", "rerolls"),
    [
        (["move"] * 12, []),
        (["move"] * 14, []),
        (["move"] * 13, [["move"]]),
        (SIX_BAD, [["move"] * 2]),
        (SIX_BAD, [["move"] * 4]),
        (SIX_BAD, [["move"] * 3, ["move"]]),
        (SIX_BAD, [["contamination"] * 3, ["move"] * 2]),
    ],
)
def test_a_roll_has_all_the_dice_and_no_more(dice, rerolls):
    """The roll: a wrong number of dice, or of dice rolled again, is refused."""
    Evening(4).do("open", card=None).refused("roll", player="red", dice=dice, rerolls=rerolls)


def test_the_starting_player_rolls_once():
    """The roll: only the starting player rolls, once at the start of a round."""
    evening = Evening().do("open", card=None)

    assert evening.refused("roll", player="blue", dice=["move"] * 7) == "Ana rolls: the starting player."
    assert "once" in evening.rolled().refused("roll", player="red", dice=["move"] * 7)


# Offers


def test_an_offer_leaves_two_dice_for_each_free_card(four):
    """Offers: for each order card that is free afterwards, two dice must remain (with four players: six)."""
    dice = ["training"] * 3 + ["support"] * 2 + ["improvise"] * 2 + ["move"]

    assert "7 dice at most" in four.refused("offer", player="red", dice=dice)
    assert sum(four.do("offer", player="red", dice=dice[:7]).view["pool"].values()) == 6


def test_an_offer_is_made_of_dice_that_are_there(four):
    """Offers: an offer needs at least one die, and only dice from the pool."""
    four.refused("offer", player="red", dice=[])
    four.refused("offer", player="red", dice=["move"] * 3)
    assert four.refused("offer", player="blue", dice=["move"]) == "Ana makes the offers now."


def test_an_offer_goes_round_clockwise(four):
    """Offers: players without a card are asked clockwise; an offer that comes back must be taken."""
    four.do("offer", player="red", dice=["move"])
    assert four.refused("offer", player="red", dice=["move"]) == "Ben hasn't answered the offer yet."
    assert four.refused("accept", player="green", die=None) == "Ben is asked now."

    for colour in ("blue", "green", "yellow"):
        assert not four.view["offer"]["forced"]
        four.do("decline", player=colour)

    assert four.view["offer"]["forced"] and four.view["to_act"] == ["red"]
    assert four.refused("decline", player="red") == "The offer is back: Ana takes it."
    assert four.do("accept", player="red", die="move").view["players"]["red"]["dice"]["move"] == 2


def test_who_accepts_takes_one_more_die(four):
    """Offers: a player who accepts gets the card, its dice, and possibly one more die from the pool."""
    four.do("offer", player="red", dice=["technology"] * 2)
    assert four.refused("accept", player="blue", die="technology") == "No Technology die is left in the pool."

    blue = four.do("accept", player="blue", die="support").view["players"]["blue"]
    assert (blue["order"], blue["dice"]["technology"], blue["dice"]["support"]) == (1, 2, 1)
    assert four.view["to_act"] == ["red"]


def test_the_offer_round_of_the_rulebook():
    """Offers (rulebook's example): four players get cards 1 to 4, and the last gets the rest of the pool."""
    evening = Evening(4).do("open", card=None)
    evening.do("roll", player="red", dice=SIX_BAD, rerolls=[["improvise", "improvise", "contamination"], ["training"]])
    evening.do("offer", player="red", dice=["contamination", "training", "improvise"])
    evening.do("decline", player="blue").do("accept", player="green", die="move")
    evening.do("offer", player="red", dice=["support", "contamination"])
    evening.do("decline", player="blue").do("decline", player="yellow")
    assert evening.view["offer"]["forced"]
    evening.do("accept", player="red", die="training")
    assert evening.view["to_act"] == ["blue"]
    evening.do("offer", player="blue", dice=["improvise", "contamination"]).do("accept", player="yellow", die="move")

    players = evening.view["players"]
    assert {colour: player["order"] for colour, player in players.items()} == {
        "red": 2, "blue": 4, "green": 1, "yellow": 3,
    }  # fmt: skip
    assert {symbol for symbol, count in players["blue"]["dice"].items() if count} == {
        "training", "improvise", "technology",
    }  # fmt: skip
    assert sum(players["blue"]["dice"].values()) == 3
    assert evening.view["turn"] == {"player": "green", "order": 1, "step": "contamination"}
    assert sum(evening.view["pool"].values()) == 0


def test_two_players_make_one_offer():
    """Offers: with two players, the second card goes to the other player with the whole pool."""
    evening = Evening().rolled().do("offer", player="red", dice=["move"]).do("accept", player="blue", die=None)

    assert (evening.players["blue"].order, evening.players["red"].order) == (1, 2)
    assert sum(evening.players["red"].dice) == 6
    assert evening.view["to_act"] == ["blue"]


def test_offers_have_their_phase(evening):
    """Offers are refused during turns, and turns are refused during offers."""
    assert "after the roll" in evening.refused("offer", player="red", dice=["move"])
    assert "after the roll" in evening.refused("decline", player="red")
    assert "after the offers" in Evening().rolled().refused("end_turn", player="red")
    assert "no offer yet" in Evening().rolled().refused("accept", player="blue", die=None)

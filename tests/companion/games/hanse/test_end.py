"""The end: 70 Megagalax, or no goods left, and how ties are broken."""

from __future__ import annotations

import pytest

from companion.games.hanse import GAME
from tests.companion.games.hanse.voyage import cards, sides


def why(voyage) -> str:
    """Return the reason for the result."""
    return GAME.result(voyage.game).why


def test_seventy_win_at_once(voyage):
    """End: reaching 70 ends the game at once; points above 70 are lost, and unloaded goods are not turned over."""
    voyage.bare("p1").carrying("p33").correct(megagalax=68)("red", "unload", container=0)

    assert (voyage.view["phase"], voyage.view["ended_by"], voyage.view["winners"]) == ("finished", "megagalax", ["red"])
    assert voyage.players["red"].megagalax == 70
    assert voyage.view["flipping"] == {"planet": "p3", "cards": cards("p33")}
    assert why(voyage) == "Ana reaches the middle of the sun: 70 Megagalax."


def test_a_passenger_may_be_the_last(voyage):
    """End: an intervention can also reach 70."""
    assert voyage.correct(megagalax=67)("red", "intervene", card="passenger").view["winners"] == ["red"]


def test_a_correction_to_seventy_ends_it(voyage):
    """End: a correction to 70 also ends the game."""
    assert voyage.correct("blue", megagalax=70).view["winners"] == ["blue"]


@pytest.fixture
def last_two(voyage):
    """The last two goods cards are in Ana's container, worth six."""
    return voyage.bare().carrying("p32 p32")


def test_the_last_two_goods_end_it(last_two):
    """When the last goods have left the game, the player with the most Megagalax wins."""
    last_two("red", "unload", container=0)("red", "flip", cards=sides("p13 p12"))

    assert (last_two.view["ended_by"], last_two.view["goods_out"]) == ("goods", 30)
    assert why(last_two) == "Ana wins with 6 Megagalax."


def test_the_last_two_without_a_pair_stay(last_two):
    """End: the last two goods end the game only if they are a pair and leave it."""
    assert not last_two("red", "unload", container=0)("red", "flip", cards=sides("p13 p22")).game.finished


def test_technologies_break_a_tie(last_two):
    """If both have the same Megagalax, the player with more technology cards wins."""
    last_two.correct("blue", megagalax=6).owning("blue", fusion_drive=1)
    last_two("red", "unload", container=0)("red", "flip", cards=sides("p13 p12"))

    assert last_two.view["winners"] == ["blue"]
    assert why(last_two) == "Ben wins the tie with 2 technology cards."


def test_a_tie_in_everything_is_shared(last_two):
    """If both also have equally many technologies, both players win."""
    last_two.correct("blue", megagalax=6)("red", "unload", container=0)("red", "flip", cards=sides("p13 p12"))

    assert last_two.view["winners"] == ["red", "blue"]
    assert why(last_two) == "Ana and Ben share the win: Megagalax and technologies are level."


def test_afterwards_only_corrections(voyage):
    """End: after the end, only corrections are accepted; they may change the winners, but the game remains over."""
    voyage.correct(megagalax=70)
    assert voyage.refused("red", "end_turn") == "The game is over."

    voyage.correct(megagalax=60).correct("blue", megagalax=61)
    assert (voyage.view["winners"], voyage.view["ended_by"], voyage.view["phase"]) == (
        ["blue"],
        "megagalax",
        "finished",
    )


def test_the_end_may_be_taken_back(voyage):
    """End: the line that ended the game can be undone like any other."""
    assert voyage.correct(megagalax=70).do("undo").view["phase"] == "turn"

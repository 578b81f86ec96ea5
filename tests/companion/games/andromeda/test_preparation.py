"""Preparation: the pieces that players get before the first round."""

from __future__ import annotations

import pytest

from companion.games.andromeda import PLANETS
from companion.games.andromeda.random_policy import stations_of
from tests.companion.games.andromeda.evening import ONE_EACH, SHOWN, Evening
from tests.companion.games.told import kind_sentence

TABLE = [(3, 4, 2, 6, 26, 0), (4, 4, 1, 9, 22, 4), (5, 4, 1, 6, 19, 7)]


@pytest.mark.parametrize(("players", "earth", "planet", "cards", "placed", "boxed"), TABLE)
def test_stations_stand_from_the_start(players, earth, planet, cards, placed, boxed):
    """Preparation: four stations are on Earth, and on every planet two (with three players) or one."""
    evening = Evening(players)

    for player in evening.players.values():
        assert player.earth == earth
        assert player.planets == (planet,) * 7


@pytest.mark.parametrize(("players", "earth", "planet", "cards", "placed", "boxed"), TABLE)
def test_each_set_up_card_adds_a_station(players, earth, planet, cards, placed, boxed):
    """Preparation: with 3, 4 or 5 players, each of 6, 9 or 6 face-up cards adds one station to its planet."""
    evening = Evening(players).all_set_up()

    for player in evening.players.values():
        assert sum(player.planets) == 7 * planet + cards
        assert player.on("p1") == planet + SHOWN[players]["p1"]
        assert player.earth == earth


@pytest.mark.parametrize(("players", "earth", "planet", "cards", "placed", "boxed"), TABLE)
def test_stations_of_a_colour_add_up(players, earth, planet, cards, placed, boxed):
    """Preparation: including two on the tracks, 26, 22 or 19 of 26 stations are placed; the others stay in the box."""
    evening = Evening(players).all_set_up()

    for colour, player in evening.players.items():
        assert player.earth + sum(player.planets) + 2 == placed == 26 - boxed
        assert stations_of(evening.game, colour) == placed


@pytest.mark.parametrize(("players", "wanted", "wrong"), [(3, 6, 5), (4, 9, 6), (5, 6, 9)])
def test_set_up_cards_are_counted(players, wrong, wanted):
    """Preparation: the number of set-up cards depends on the number of players."""
    reason = Evening(players).refused.set_up("red", p1=wrong)

    assert reason == f"Ana needs {wanted} set-up cards, not {wrong}."


def test_set_up_cards_come_in_any_order():
    """Preparation: players may place their set-up cards in any order, and counts of 0 are fine."""
    evening = Evening(3).set_up("green", **ONE_EACH, p7=0).set_up("red", **ONE_EACH)

    assert evening.view["to_act"] == ["blue"]
    assert evening.view["phase"] == "setup"


def test_set_up_cards_are_placed_once():
    """Preparation: a player cannot place set-up cards twice."""
    reason = Evening(3).set_up("red", **ONE_EACH).refused.set_up("red", **ONE_EACH)

    assert "already" in reason


def test_a_planet_has_twelve_cards():
    """Preparation: all players together can have at most twelve set-up cards of a planet."""
    evening = Evening(4).set_up("red", p3=9).set_up("blue", p3=2, p4=7)

    assert "only 12 Stripes cards" in evening.refused.set_up("green", p3=2, p1=7)
    assert evening.set_up("green", p3=1, p1=8).on("p3") == {"red": 10, "blue": 3, "green": 2, "yellow": 1}


def test_before_the_last_set_up_nothing_is_dealt():
    """Preparation: until the last set-up card is placed, hands are empty, the supply is full, and it is round 1."""
    view = Evening(3).set_up("red", **ONE_EACH).view

    assert [player["hand"] for player in view["players"].values()] == [0, 0, 0]
    assert (view["supply"], view["discards"], view["round"]) == (84, 0, 1)
    assert view["to_act"] == ["blue", "green"]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_last_set_up_deals_nine_each(players):
    """Preparation: all 84 cards are shuffled again and nine dealt to each hand."""
    view = Evening(players).all_set_up().view

    assert {player["hand"] for player in view["players"].values()} == {9}
    assert (view["supply"], view["discards"]) == (84 - 9 * players, 0)
    assert view["phase"] == "cards"


def test_everybody_starts_at_the_bottom():
    """Preparation: all have level 1 on both tracks, two transport cards and no credits; the credits are in piles."""
    view = Evening(5).view

    for player in view["players"].values():
        assert (player["ship"], player["technology"], player["transport"]) == (1, 1, 2)
        assert set(player["bonus"].values()) == {0}
    assert view["bonus_supply"] == {"silver": 6, "gold": 4, "platinum": 4, "diamond": 2}


def test_the_oldest_player_starts():
    """Preparation: the player that the header names first starts."""
    evening = Evening(4, first="green").all_set_up()

    assert evening.view["starter"] == "green"
    assert evening.view["to_act"] == ["green"]


def test_set_up_is_over_after_the_last():
    """Preparation: after the set-up, set-up cards are refused."""
    assert Evening(4).all_set_up().refused.set_up("red", p1=9) == "Set-up is over."


@pytest.mark.parametrize("do", ["deal", "undo"])
def test_nothing_else_happens_in_the_set_up(do):
    """Preparation: before all set-up cards are placed, a deal and an undo are refused."""
    assert kind_sentence(Evening(4).refused.do(do))


def test_the_example_board_has_every_planet():
    """Preparation: the board has seven planets with three centres each; the supplied values are only an example."""
    board = Evening(4).game.setting.board

    assert tuple(planet.id for planet in board.planets) == PLANETS
    assert [len(planet.centres) for planet in board.planets] == [3] * 7
    assert board.example

"""The transport phase: pass, or use one of two transport cards."""

from __future__ import annotations

import pytest

from tests.companion.games.andromeda.evening import Evening


def test_two_stations_fly_to_one_planet(transporting):
    """Transport: a card moves two of the player's stations from Earth to one planet."""
    transporting.to_planet("red", "p3")

    red = transporting.players["red"]
    assert (red.earth, red.on("p3"), red.transport) == (2, 4, 1)


def test_all_stations_of_a_planet_fly_home(transporting):
    """Transport: a card moves all of the player's stations on one planet to Earth, except those on centres."""
    transporting.owning("red", "p1/0").to_earth("red", "p1")

    red = transporting.players["red"]
    assert (red.earth, red.on("p1"), red.transport) == (3 + 3, 0, 1)
    assert transporting.view["players"]["red"]["centres"] == [{"planet": "p1", "value": 9}]


def test_everybody_is_asked_once_clockwise(transporting):
    """Transport: every player acts once, clockwise from the starting player, then trading begins."""
    transporting.no_transport("red").to_planet("blue", "p1").no_transport("green")
    assert transporting.view["to_act"] == ["yellow"]

    transporting.no_transport("yellow")

    assert transporting.view["phase"] == "trading"
    assert transporting.view["trading"] == {"size": 0, "sets": [], "excused": []}


def test_the_turn_is_kept(transporting):
    """Transport: a player cannot act before their turn."""
    assert transporting.refused.to_planet("green", "p1") == "It's Ana's turn: play a transport card or pass."


def test_one_card_a_round(transporting):
    """Transport: each player may use at most one card per round."""
    assert "Ben's turn" in transporting.to_planet("red", "p1").refused.to_planet("red", "p1")


def test_two_cards_a_game(transporting):
    """Transport: a player without transport cards can only pass."""
    transporting.at_level("red", transport=0)

    assert transporting.refused.to_planet("red", "p1") == "Ana has no transport card left."
    assert transporting.no_transport("red").view["to_act"] == ["blue"]


def test_the_last_station_on_earth_may_go_alone(transporting):
    """Transport: if only one station is on Earth, it may fly alone."""
    transporting.put("red", "earth", "p7", 3).to_planet("red", "p7")

    assert transporting.players["red"].earth == 0
    assert transporting.players["red"].on("p7") == 6


def test_an_empty_earth_sends_nothing(transporting):
    """Transport: without a station on Earth, flying to a planet is refused."""
    transporting.put("red", "earth", "p7", 4)

    assert transporting.refused.to_planet("red", "p7") == "Ana has no station on Earth."


def test_a_planet_without_own_stations_sends_nothing(transporting):
    """Transport: flying home from a planet without a station of the player is refused."""
    transporting.standing("p5", blue=2)

    assert transporting.refused.to_earth("red", "p5") == "Ana has no station on Crescent."


def test_not_outside_of_its_phase(evening):
    """Transport: cards are refused outside the transport phase."""
    assert evening.refused.to_planet("red", "p1") == "Play transport cards in the transport phase."


def test_a_full_planet_takes_stations(transporting):
    """Transport: stations may fly to a planet whose centres are all taken."""
    transporting.owning("blue", "p2/0", "p2/1", "p2/2").to_planet("red", "p2")

    assert transporting.players["red"].on("p2") == 5


@pytest.fixture
def tipsters():
    """A table where using a transport card may be an action, in the action phase."""
    return Evening(options={"transport_as_action": True}).in_actions()


def test_a_transport_card_may_be_an_action(tipsters):
    """Transport (ruling `transport_as_action`, on): a card can be used as one of the actions."""
    tipsters.to_planet("red", "p1")

    assert tipsters.players["red"].on("p1") == 5
    assert tipsters.view["actions_left"] == 2


def test_one_transport_action_a_round(tipsters):
    """Transport (ruling `transport_as_action`, on): each player may still use at most one card per round."""
    assert tipsters.to_planet("red", "p1").refused.to_earth("red", "p1") == "One transport card per player each round."


def test_the_phase_counts_for_the_round():
    """Transport (ruling `transport_as_action`, on): a card used in the transport phase is that round's only one."""
    evening = Evening(options={"transport_as_action": True}).all_set_up().deal()
    evening.to_planet("red", "p1").all_pass().all_trade()

    assert "One transport card" in evening.refused.to_planet("red", "p1")


def test_a_new_round_allows_another(tipsters):
    """Transport (ruling `transport_as_action`, on): the second card can be used in the next round."""
    tipsters.to_planet("red", "p1").all_end_turns().deal().all_pass().all_trade().end_turn("blue")
    tipsters.end_turn("green").end_turn("yellow").to_earth("red", "p1")

    assert tipsters.players["red"].transport == 0


def test_there_is_nothing_to_pass_in_the_actions(tipsters):
    """Transport (ruling `transport_as_action`, on): a pass is refused as an action."""
    assert tipsters.refused.no_transport("red") == "There's nothing to pass. End the turn instead."


def test_a_transport_action_keeps_the_turn(tipsters):
    """Transport (ruling `transport_as_action`, on) is refused in another player's turn and during an attempt."""
    assert "Ana's turn" in tipsters.refused.to_planet("blue", "p1")
    assert "Finish the draws" in tipsters.establish("red", "p1", 4).refused.to_planet("red", "p1")

"""Situations in which a rule is easily misread, written from the rules alone and compared with the program."""

from __future__ import annotations

import pytest

from tests.companion.games.hanse.voyage import Voyage, sides


def test_a_flight_that_turns_round_at_a_gap(voyage):
    """Flight: flying outward costs 1 for each gap and each orbit; flying inward costs 1 for each orbit only."""
    voyage.rolled(1, 1, 5).fly("g4")
    assert voyage.turn["reach"] == {"o5": 1, "p5": 2, "g5": 2, "o6": 3, "o4": 1, "p4": 2, "o3": 2, "p3": 3, "o2": 3}

    voyage.fly("o4", "g4", "o5")
    assert (voyage.turn["energy"], voyage.turn["reach"]) == (0, {})
    assert voyage.refused("red", "fly", to="p5") == "That takes 1 energy, and 0 is left."


def test_a_launch_and_a_landing_on_the_same_planet(voyage):
    """Flight: flying up and landing on the same planet uses the flight."""
    voyage.rolled(6).fly("o3", "p3")

    assert (voyage.turn["energy"], voyage.turn["flights"]) == (None, 0)


def test_the_bonus_is_for_each_unloading_by_itself(voyage):
    """Unloading: the bonus counts for each unloading, if no goods are on the planet just before it."""
    voyage.owning(container=1).bare().at("p1").carrying("p13 p12").carrying("p12", 1)
    voyage("red", "unload", container=0)("red", "flip", cards=sides("p22 p23"))("red", "unload", container=1)
    assert voyage.players["red"].megagalax == 3 + 2 + 2 + 2 + 1

    again = Voyage().begun().owning(container=1).bare().at("p1").carrying("p13 p12").carrying("p12", 1)
    again("red", "unload", container=0)("red", "flip", cards=sides("p22 p33"))("red", "unload", container=1)
    assert again.players["red"].megagalax == 3 + 2 + 2 + 2


def test_a_station_bought_in_a_turn_works_in_it_once(voyage):
    """A Space Station works at once in the turn it is bought, for one action from orbit, which ends the flight."""
    voyage.correct(megagalax=5)("red", "buy", card="space_station").rolled(4).fly("o3")
    voyage("red", "intervene", card="agent")("blue", "allow")("red", "load", to="p4")

    assert (voyage.turn["energy"], voyage.turn["actions"], voyage.turn["orbit_actions"]) == (None, 1, 0)
    assert voyage.refused("red", "unload", container=0) == "Every Space Station was used this turn."


def test_the_price_is_that_of_the_turns_start(voyage):
    """Buying: all technologies bought in one turn have the same price, which is higher in the next turn."""
    voyage.correct(megagalax=5)("red", "buy", card="container")("red", "buy", card="fusion_drive")
    assert voyage.players["red"].megagalax == 3

    voyage("red", "end_turn")("blue", "end_turn")
    assert voyage.turn["price"] == 3


def test_a_gate_swaps_ships_in_the_midst_of_a_flight(voyage):
    """Transmitter Gate: the flight continues from the other ship's place, and a passenger can leave there."""
    voyage.rolled(4).fly("g3")("red", "intervene", card="transmitter_gate")("blue", "allow")
    assert voyage.turn["reach"] == {"o3": 1, "g3": 2, "o2": 2}

    voyage("red", "intervene", card="passenger")
    assert (voyage.turn["energy"], voyage.players["red"].megagalax) == (2, 3)


def test_a_tunnel_starts_in_orbit_and_takes_energy(voyage):
    """A Sun Tunnel starts only in orbit, costs energy, and leads only outward."""
    voyage.at("p2")("red", "intervene", card="sun_tunnel")("blue", "allow").rolled(2).fly("o2", "o1")

    assert voyage.refused("red", "tunnel") == "No energy is left."
    assert voyage.turn["tunnels"] == 1


def test_a_neutralised_card_ends_the_time_for_hyperjumps(voyage):
    """A Hyperjump must come before any card, even a neutralised one; corrections before it don't matter."""
    voyage.owning(hyperjump_inward=1, hyperjump_outward=1)
    assert voyage("red", "hyperjump", direction="inward").correct(megagalax=3).turn["hyperjumps"] == ["outward"]

    voyage("red", "intervene", card="agent")("blue", "neutralise")
    assert voyage.turn["hyperjumps"] == []


def test_names_are_free_again_after_a_storm(voyage):
    """A deck has only one Hyperstorm. It can be played again after it is shuffled in, but not after it is discarded."""
    voyage("red", "intervene", card="hyperstorm")("blue", "allow")("blue", "end_turn")
    voyage("red", "intervene", card="hyperstorm")("blue", "neutralise")

    assert voyage.turn["player"] == "red"
    assert voyage.refused("red", "intervene", card="hyperstorm") == "Ana has no more Hyperstorm."


def test_the_last_goods_are_counted_in_containers_too(voyage):
    """The end: goods in containers keep the game going, and the player who unloads last may lose."""
    voyage.bare().carrying("p32 p32").carrying("p42", player="blue")
    voyage("red", "unload", container=0)("red", "flip", cards=sides("p12 p13"))
    assert not voyage.view["finished"]

    ended = Voyage().begun().bare().carrying("p32 p32").correct("blue", megagalax=7)
    ended("red", "unload", container=0)("red", "flip", cards=sides("p12 p13"))
    assert (ended.view["ended_by"], ended.view["winners"]) == ("goods", ["blue"])


@pytest.mark.parametrize(("shown", "left"), [("p12 p13 p12 p23", [0, 2]), ("p12 p23 p13 p22", [1, 3])])
def test_one_pair_of_several_leaves(voyage, shown, left):
    """If cards are turned over and three are equal or two pairs exist, the line must say which pair leaves the game."""
    voyage.bare().carrying("p33 p32 p32 p32")("red", "unload", container=0)
    assert voyage.refused("red", "flip", cards=sides(shown)) == "Say which pair leaves the game."

    voyage("red", "flip", cards=sides(shown), leave=left)
    assert len(voyage.view["goods"]["p3"]) == 2


def test_an_empty_pile_is_wanted_before_it_is_made_again():
    """Drawing: when a card is needed and the pile is empty, the discards become the pile and lose their names."""
    voyage = Voyage().begun()
    for turn in range(24):
        voyage("red", "end_turn", discard=["passenger" if turn < 6 else None])("blue", "end_turn")
    assert voyage.view["players"]["red"]["discards"] == {"total": 24, "known": {"passenger": 6}}

    voyage("red", "end_turn", discard=[None])
    assert voyage.view["players"]["red"]["draw_pile"] == 24
    assert voyage.view["players"]["red"]["discards"] == {"total": 0, "known": {}}

"""The planet actions: load a container, unload one and turn its goods over, buy a technology."""

from __future__ import annotations

import pytest

from tests.companion.games.hanse.voyage import cards, sides

# Loading


def test_all_goods_for_one_planet_are_loaded(voyage):
    """Load: every card for one destination goes into the first empty container, in order."""
    voyage.at("p4")("red", "load", to="p1")

    assert voyage.view["players"]["red"]["containers"] == [cards("p12 p13")]
    assert voyage.view["goods"]["p4"] == cards("p22 p52 p63")
    assert voyage.turn["actions"] == 1


def test_a_container_is_sealed(voyage):
    """Load: a loaded container takes no more goods, even for the same planet."""
    voyage("red", "load", to="p1").at("p4")

    assert voyage.refused("red", "load", to="p1") == "No container is empty."


def test_a_second_container_takes_a_second_load(voyage):
    """Load: containers that were bought are filled after the Start card's."""
    voyage.owning(container=1)("red", "load", to="p1")("red", "load", to="p2")

    assert voyage.view["players"]["red"]["containers"] == [cards("p12"), cards("p22")]


def test_there_is_something_to_load(voyage):
    """Load: loading is refused if no goods for that planet are there."""
    assert voyage.refused("red", "load", to="p3") == "No goods for Vinau II are on Vinau II."


# Places for planet actions


@pytest.mark.parametrize(
    ("place", "sentence"), [("o3", "Land first: the ship is in orbit."), ("g3", "The ship is between two orbits.")]
)
def test_planet_actions_are_taken_on_the_planet(voyage, place, sentence):
    """Planet actions are refused in orbit and in a gap."""
    assert voyage.at(place).refused("red", "load", to="p1") == sentence


def test_two_planet_actions_a_turn(voyage):
    """A player has two planet actions per turn, on one planet or on two."""
    voyage("red", "load", to="p1").rolled(5).fly("p1")("red", "unload", container=0)
    voyage("red", "flip", cards=sides("p22"))

    assert voyage.refused("red", "load", to="p2") == "No planet action is left."


def test_a_space_station_works_from_orbit_once(voyage):
    """A Space Station allows one planet action from orbit per turn."""
    voyage.owning(space_station=1, container=2).at("o3")("red", "load", to="p1")
    assert (voyage.turn["actions"], voyage.turn["orbit_actions"]) == (1, 0)

    assert voyage.refused("red", "load", to="p2") == "Every Space Station was used this turn."


def test_two_space_stations_work_twice(voyage):
    """With two Space Stations, both planet actions can be taken from orbit."""
    voyage.owning(space_station=2, container=1).at("o3")("red", "load", to="p1")("red", "load", to="p2")

    assert voyage.turn["orbit_actions"] == 0


def test_on_the_planet_no_station_is_used(voyage):
    """Space Station: an action on the planet itself does not use the station."""
    assert voyage.owning(space_station=1)("red", "load", to="p1").turn["orbit_actions"] == 1


# Unloading


def test_unloading_brings_the_printed_values(voyage):
    """Unload: all goods of the container are unloaded at their destination for their printed values."""
    voyage.bare("p1", "p2").carrying("p32 p33")("red", "unload", container=0)

    assert voyage.players["red"].megagalax == 5
    assert voyage.view["flipping"] == {"planet": "p3", "cards": cards("p32 p33")}
    assert (voyage.view["phase"], voyage.view["to_act"]) == ("flip", ["red"])
    assert voyage.players["red"].containers == ((),)


def test_an_empty_planet_pays_a_bonus(voyage):
    """Unload: each card gives 1 Megagalax more if no goods were on the planet before."""
    voyage.bare("p1", "p3").carrying("p32 p33 p33")("red", "unload", container=0)

    assert voyage.players["red"].megagalax == 8 + 3


def test_goods_are_unloaded_where_they_are_wanted(voyage):
    """Unload: unloading at any planet but the goods' destination is refused."""
    assert voyage("red", "load", to="p1").refused("red", "unload", container=0) == "Those goods are for Coronis."


@pytest.mark.parametrize("container", [0, 1])
def test_there_is_something_to_unload(voyage, container):
    """Unload: an empty or missing container is refused."""
    assert voyage.refused("red", "unload", container=container) == "Ana has nothing in that container."


# Turning over


@pytest.fixture
def unloaded(voyage):
    """Four unloaded cards at Taghellia, to be turned over."""
    return voyage.bare("p1", "p2").at("p4").carrying("p42 p42 p43 p43")("red", "unload", container=0)


def test_two_pairs_and_one_leaves(unloaded):
    """Flip: with two pairs among four cards, the line must say which pair leaves the game."""
    assert unloaded.refused("red", "flip", cards=sides("p22 p12 p22 p13")) == "Say which pair leaves the game."
    unloaded("red", "flip", cards=sides("p22 p12 p22 p13"), leave=[0, 2])

    assert unloaded.view["goods"]["p4"][5:] == cards("p12<p42 p13<p43")
    assert unloaded.view["goods_out"] == 10 - 4 + 2


def test_a_single_pair_leaves_by_itself(unloaded):
    """Flip: if only one pair is possible, it leaves automatically."""
    unloaded("red", "flip", cards=sides("p22 p12 p23 p53"))

    assert unloaded.view["goods"]["p4"][5:] == cards("p12<p42 p53<p43")


def test_it_may_be_said_all_the_same(unloaded):
    """Flip: the line may also name the only possible pair."""
    assert unloaded("red", "flip", cards=sides("p22 p12 p23 p53"), leave=[0, 2]).view["phase"] == "turn"


def test_of_three_alike_any_two_leave(unloaded):
    """Flip (ruling): of three or four equal cards, any two leave the game."""
    unloaded("red", "flip", cards=sides("p22 p23 p23 p53"), leave=[0, 2])

    assert unloaded.view["goods"]["p4"][5:] == cards("p23<p42 p53<p43")


@pytest.mark.parametrize(
    ("goods", "leave", "sentence"),
    [
        ("p22 p12 p23 p53", [0, 1], "The two that leave must show the same planet."),
        ("p22 p12 p33 p53", [0, 1], "No two cards show the same planet."),
        ("p22 p12 p23", None, "Turn over 4 cards, not 3."),
        ("p22 p12 p43 p53", None, "A card's two sides name two planets. Check card 3."),
    ],
)
def test_what_cannot_come_up_is_refused(unloaded, goods, leave, sentence):
    """Flip: a wrong number of cards, a card for the planet itself, or two unequal cards as a pair are refused."""
    more = {} if leave is None else {"leave": leave}
    assert unloaded.refused("red", "flip", cards=sides(goods), **more) == sentence


def test_a_known_back_comes_out_as_known(voyage):
    """Flip: a card's back that was seen before must be entered the same again."""
    voyage.bare("p1").carrying("p32<p63")("red", "unload", container=0)

    assert voyage.refused("red", "flip", cards=sides("p62")) == "The back of card 1 is known: Dakhit, 3."
    assert voyage("red", "flip", cards=sides("p63")).view["goods"]["p3"][-1:] == cards("p63<p32")


def test_only_flipped_cards_make_a_pair(voyage):
    """Flip: goods that were already at the planet do not make a pair."""
    voyage.bare("p1").carrying("p32")("red", "unload", container=0)("red", "flip", cards=sides("p12"))

    assert voyage.view["goods"]["p3"] == cards("p12 p22 p43 p53 p62 p12<p32")


def test_nothing_comes_before_it(unloaded):
    """Flip: until the goods are turned over, all other lines are refused."""
    assert unloaded.refused("red", "end_turn") == "Ana turns the goods over first."
    assert unloaded.refused("red", "correct", reason="so", hand=3) == "Turn the goods over first."


def test_there_is_nothing_to_turn_over_in_between(voyage):
    """Flip: turning goods over is refused unless goods were just unloaded."""
    assert voyage.refused("red", "flip", cards=sides("p22")) == "It's Ana's turn."


# Buying


def test_a_technology_costs_as_many_as_lie_open(voyage):
    """Buy: the price is the number of open technology cards including the Start card, and the card works at once."""
    voyage.correct(megagalax=5)("red", "buy", card="container")

    assert (voyage.players["red"].megagalax, voyage.players["red"].hand) == (4, 4)
    assert voyage.players["red"].containers == ((), ())


def test_the_price_is_that_of_the_start_of_the_turn(voyage):
    """Buy: the price is the same for a whole turn, even for a third card bought with an agent's action."""
    voyage.owning(fusion_drive=2, space_station=1).correct(megagalax=12)("red", "end_turn")("blue", "end_turn")
    voyage("red", "buy", card="container")("red", "buy", card="container").played("agent")
    voyage("red", "buy", card="replenishment")

    assert (voyage.turn["price"], voyage.players["red"].megagalax) == (4, 0)


def test_too_dear_is_refused(voyage):
    """Buy (ruling): a price above the player's Megagalax is refused."""
    assert voyage.refused("red", "buy", card="fusion_drive") == "Fusion Drive costs 1 Megagalax; Ana has 0."


def test_a_card_can_be_bought_as_often_as_it_is_in_the_deck(voyage):
    """Buy: a card cannot be bought if all copies are open or known among the discards."""
    voyage.correct(megagalax=9).owning(hyperjump_inward=1, container=1)

    assert voyage.refused("red", "buy", card="hyperjump_inward") == "Ana has no more Hyperjump Inward."
    voyage("red", "end_turn", discard=["container"])("blue", "end_turn")
    assert voyage.refused("red", "buy", card="container") == "Ana has no more Container."


def test_a_card_is_bought_from_a_hand(voyage):
    """Buy: buying with an empty hand is refused."""
    voyage.correct(megagalax=9).correct(hand=0)

    assert voyage.refused("red", "buy", card="container") == "Ana holds 0 cards."

"""The interventions: two per turn, each with its effect, unless the opponent neutralises it with the same card."""

from __future__ import annotations

import pytest

from companion.kernel.errors import Malformed
from tests.companion.games.hanse.voyage import cards, sides


def test_an_intervention_goes_to_the_discards_and_waits(voyage):
    """Interventions: a played card is discarded face up, and the opponent must answer it before anything else."""
    voyage("red", "intervene", card="agent")

    assert (voyage.view["phase"], voyage.view["to_act"]) == ("answer", ["blue"])
    assert voyage.view["intervention"] == {"player": "red", "card": "agent"}
    assert voyage.view["players"]["red"]["discards"] == {"total": 1, "known": {"agent": 1}}
    assert (voyage.players["red"].hand, voyage.turn["interventions"], voyage.turn["actions"]) == (4, 1, 2)
    assert voyage.refused("red", "end_turn") == "Ben answers the card first."
    assert voyage.refused("blue", "correct", reason="so", hand=3) == "Answer the card first."


@pytest.mark.parametrize(
    ("card", "of", "left"), [("agent", "actions", 3), ("afterburner", "flights", 2), ("sun_tunnel", "tunnels", 1)]
)
def test_what_is_allowed_is_granted(voyage, card, of, left):
    """Interventions: an allowed card gives one more planet action, flight or tunnel in this turn."""
    assert voyage.played(card).turn[of] == left


def test_two_interventions_a_turn(voyage):
    """A third intervention in a turn is refused."""
    voyage.played("agent").played("agent")

    assert voyage.refused("red", "intervene", card="passenger") == "No intervention is left."


def test_a_neutralised_one_does_nothing(voyage):
    """Neutralising: the opponent discards the same card, and the intervention has no effect."""
    voyage("red", "intervene", card="agent")("blue", "neutralise")

    assert (voyage.turn["actions"], voyage.view["to_act"]) == (2, ["red"])
    assert voyage.players["blue"].hand == 4
    assert voyage.view["players"]["blue"]["discards"] == {"total": 1, "known": {"agent": 1}}


def test_a_neutralised_one_counts_as_played(voyage):
    """Neutralising (ruling): a neutralised intervention counts as one of the two."""
    voyage("red", "intervene", card="agent")("blue", "neutralise")

    assert voyage.turn["interventions"] == 1


def test_neutralising_takes_a_card_that_can_be_there(voyage):
    """Neutralising is refused if all copies of the card are known to be elsewhere."""
    voyage("red", "end_turn")("blue", "end_turn", discard=["hyperstorm"])("red", "intervene", card="hyperstorm")

    assert voyage.refused("blue", "neutralise") == "Ben has no more Hyperstorm."


def test_only_the_opponent_answers(voyage):
    """Neutralising: only the opponent can answer."""
    assert voyage("red", "intervene", card="agent").refused("red", "allow") == "It's Ben's turn."
    assert voyage("blue", "allow").refused("blue", "allow") == "It's Ana's turn."


# Passengers


def test_a_passenger_pays_three_on_a_planet(voyage):
    """A Passenger gives 3 Megagalax at once, and cannot be neutralised."""
    voyage("red", "intervene", card="passenger")

    assert (voyage.players["red"].megagalax, voyage.view["phase"]) == (3, "turn")


def test_a_passenger_does_not_leave_from_orbit(voyage):
    """A Passenger is refused in orbit, even with a Space Station."""
    voyage.owning(space_station=1).at("o3")

    assert voyage.refused("red", "intervene", card="passenger") == "Passengers leave the ship on a planet only."


# Loading from afar


def test_inner_loading_takes_no_planet_action(voyage):
    """Inner Loading loads from one of the two innermost planets, wherever the ship is; an open flight continues."""
    voyage.rolled(6).fly("g4").played("inner_loading", planet="p2", to="p3")

    assert voyage.view["players"]["red"]["containers"] == [cards("p32 p33")]
    assert voyage.view["goods"]["p2"] == cards("p13 p52 p63")
    assert (voyage.turn["actions"], voyage.turn["energy"]) == (2, 2)


def test_goods_from_afar_are_unloaded_at_once(voyage):
    """Inner Loading: if the ship is at the goods' destination, they can be unloaded in the same turn."""
    voyage.played("inner_loading", planet="p2", to="p3")("red", "unload", container=0)

    assert voyage.players["red"].megagalax == 5
    assert voyage("red", "flip", cards=sides("p22 p63")).turn["actions"] == 1


@pytest.mark.parametrize(
    ("card", "planet", "to", "sentence"),
    [
        ("inner_loading", "p3", "p1", "That card loads from Coronis or Naginther."),
        ("outer_loading", "p4", "p1", "That card loads from Talmazzar or Dakhit."),
        ("outer_loading", "p6", "p1", "No goods for Coronis are on Dakhit."),
    ],
)
def test_loading_from_afar_is_looked_at_when_it_is_played(voyage, card, planet, to, sentence):
    """Inner and Outer Loading: another planet, or goods that are not there, are refused."""
    assert voyage.refused("red", "intervene", card=card, planet=planet, to=to) == sentence


def test_loading_from_afar_takes_an_empty_container(voyage):
    """Inner Loading needs an empty container."""
    voyage("red", "load", to="p1")

    assert "No container is empty" in voyage.refused("red", "intervene", card="inner_loading", planet="p2", to="p3")


# Transmitters and the storm


def test_the_on_board_transmitter_exchanges_contents(voyage):
    """On-Board Transmitter: one of the player's loaded containers exchanges its contents with one of the opponent's."""
    voyage("red", "load", to="p1")("red", "end_turn")("blue", "load", to="p2")("blue", "end_turn")
    voyage.played("on_board_transmitter", mine=0, theirs=0)

    assert voyage.view["players"]["red"]["containers"] == [cards("p22")]
    assert voyage.view["players"]["blue"]["containers"] == [cards("p12")]


def test_both_containers_are_loaded(voyage):
    """On-Board Transmitter: an empty container is refused."""
    refused = voyage.refused("red", "intervene", card="on_board_transmitter", mine=0, theirs=0)
    assert refused == "Ana has nothing in that container."
    voyage("red", "load", to="p1")

    refused = voyage.refused("red", "intervene", card="on_board_transmitter", mine=0, theirs=1)
    assert refused == "Ben has nothing in that container."


def test_the_gate_exchanges_ships(voyage):
    """Transmitter Gate (ruling): the ships swap places without landing, and an open flight continues."""
    voyage.at("o5", "blue").rolled(4).fly("o3").played("transmitter_gate")

    assert (voyage.players["red"].place, voyage.players["blue"].place) == ("o5", "o3")
    assert voyage.turn["energy"] == 3
    assert voyage.turn["reach"]["p5"] == 1


def test_a_hyperstorm_shuffles_everything_and_ends_the_turn(voyage):
    """Hyperstorm: hand, draw pile and discards are shuffled, five cards are drawn, and the turn ends."""
    voyage.owning(fusion_drive=1).played("agent")("red", "intervene", card="hyperstorm")("blue", "allow")

    red = voyage.view["players"]["red"]
    assert (red["hand"], red["draw_pile"], red["discards"]) == (5, 23, {"total": 0, "known": {}})
    assert voyage.turn["player"] == "blue"


# Lines


@pytest.mark.parametrize(
    "line",
    [
        {"card": "inner_loading"},
        {"card": "inner_loading", "planet": "p1"},
        {"card": "agent", "planet": "p1", "to": "p2"},
        {"card": "on_board_transmitter", "mine": 0},
        {"card": "on_board_transmitter", "mine": 0, "theirs": 3},
        {"card": "container"},
        {"card": None},
    ],
)
def test_a_card_comes_with_exactly_its_choices(voyage, line):
    """Interventions: a line with missing or extra choices is refused."""
    with pytest.raises(Malformed):
        voyage("red", "intervene", **line)

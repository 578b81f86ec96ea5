"""Move stations: a set moves the player's stations from Earth to the set's planet."""

from __future__ import annotations

import pytest

from tests.companion.games.andromeda.evening import Evening


@pytest.mark.parametrize(("cards", "stations"), [(3, 1), (4, 2), (5, 2), (6, 3), (7, 3)])
def test_half_of_the_cards_move(evening, cards, stations):
    """Move: a set moves up to half as many stations as it has cards, rounded down."""
    assert evening.refused.move("red", "p1", cards, stations + 1) == (
        f"A set of {cards} moves up to {stations} {'station' if stations == 1 else 'stations'}, not {stations + 1}."
    )

    evening.move("red", "p1", cards, stations)

    assert evening.on("p1")["red"] == 3 + stations
    assert evening.players["red"].earth == 4 - stations


def test_fewer_stations_may_move(evening):
    """Move: a player may move fewer stations than allowed, even none."""
    assert evening.move("red", "p1", 6, 1).move("red", "p2", 3, 0).players["red"].earth == 3


def test_jokers_move_stations_too(evening):
    """Move: jokers count towards the size of the set."""
    assert evening.holding("red", gold=2).move("red", "p1", 2, 2, jokers=["gold", "gold"]).on("p1")["red"] == 5


def test_stations_come_from_earth(evening):
    """Move: no more stations can move than are on Earth."""
    evening.put("red", "earth", "p7", 3)

    assert evening.refused.move("red", "p1", 4, 2) == "Ana doesn't have that many stations on Earth."
    assert evening.move("red", "p1", 4, 1).players["red"].earth == 0


def test_a_true_set_may_move_nothing_from_an_empty_earth(evening):
    """Move (ruling): with no station on Earth, a true set moves none and still earns its credit."""
    evening.put("red", "earth", "p7", 4).move("red", "p1", 5, 0)

    assert evening.players["red"].credit("gold") == 1


def test_a_full_planet_takes_stations(evening):
    """Move (ruling): stations may move to a planet whose centres are all taken."""
    evening.owning("blue", "p1/0", "p1/1", "p1/2").move("red", "p1", 4, 2)

    assert evening.on("p1")["red"] == 5


@pytest.mark.parametrize(("ruling", "stations"), [("draws", 2), ("draws_and_moves", 3)])
def test_technology_four_rounds_moves_up_by_ruling(ruling, stations):
    """Move (ruling `tech4_rounds_up`): level 4 rounds up moves only with `draws_and_moves`."""
    evening = Evening(options={"tech4_rounds_up": ruling}).in_actions().at_level("red", technology=4)

    assert evening.refused.move("red", "p1", 5, stations + 1)
    assert evening.move("red", "p1", 5, stations).players["red"].earth == 4 - stations


def test_technology_three_rounds_no_moves_up():
    """Move (ruling `tech4_rounds_up`, `draws_and_moves`): below level 4, moves are rounded down."""
    evening = Evening(options={"tech4_rounds_up": "draws_and_moves"}).in_actions().at_level("red", technology=3)

    assert evening.refused.move("red", "p1", 5, 3)

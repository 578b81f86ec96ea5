"""The flight: the energy of a roll, the cost of each route, and where a ship may stop."""

from __future__ import annotations

import pytest

from companion.games.hanse.places import ENERGY, PLACES
from tests.companion.games.hanse.voyage import Voyage

WAYS = [
    ("p3", "p1", 4),  # the example of the rules: launch, two orbits, landing
    ("p1", "p3", 6),
    ("p3", "o3", 1),
    ("o3", "p3", 1),
    ("o3", "g3", 1),
    ("o3", "o4", 2),
    ("g2", "o2", 1),
    ("g2", "o3", 1),
    ("g5", "o1", 5),
    ("g1", "g5", 8),
    ("p6", "p1", 7),
    ("p1", "p6", 12),
]


@pytest.mark.parametrize(("source", "target", "cost"), WAYS)
def test_gaps_count_only_away_from_the_sun(source, target, cost):
    """Launch and landing cost 1 each. Flying inward costs 1 per orbit; outward costs 1 per orbit and 1 per gap."""
    assert ENERGY[source][target] == cost


def test_every_place_knows_the_way_to_every_other():
    """Flight: each of the seventeen places can be reached from every other, except gaps on the way inward."""
    inward_gaps = 0
    for source in PLACES:
        missing = set(PLACES) - set(ENERGY[source]) - {source}
        assert all((place.startswith("g") and place[1] < source[1]) or place[1] == source[1] for place in missing)
        inward_gaps += len(missing)

    assert len(PLACES) == 17
    assert inward_gaps == 2 * sum(range(6)) + sum(range(5))


def test_a_one_is_rolled_again_and_added(voyage):
    """Flight: a 1 is rolled again and added: 1, 1, 5 gives 7."""
    assert voyage.rolled(1, 1, 5).turn["energy"] == 7


def test_fusion_drives_add_one_each(voyage):
    """Flight: each Fusion Drive adds 1: two of them and 1, 4 give 7."""
    assert voyage.owning(fusion_drive=2).rolled(1, 4).turn["energy"] == 7


@pytest.mark.parametrize("dice", [[1], [1, 1], [3, 4], [5, 1], [1, 2, 3]])
def test_only_a_one_is_rolled_again(voyage, dice):
    """Flight: only a 1 is rolled again, so all dice but the last show 1."""
    assert voyage.refused("red", "roll", dice=dice) == "Only a 1 is rolled again."


def test_the_third_planet_to_the_innermost_takes_four_of_five(voyage):
    """Flight: the rules' example from the third to the innermost planet; energy left over is lost on landing."""
    voyage.rolled(5).fly("p1")

    assert voyage.players["red"].place == "p1"
    assert (voyage.turn["energy"], voyage.turn["reach"], voyage.turn["flights"]) == (None, {}, 0)


def test_reach_is_what_the_energy_allows(voyage):
    """Flight: `reach` lists the places that 2 energy can reach from between the third and fourth orbit."""
    voyage.at("g3").rolled(2)

    assert voyage.turn["reach"] == {"o3": 1, "o2": 2, "p3": 2, "o4": 1, "p4": 2, "g4": 2}


def test_a_flight_may_turn_round(voyage):
    """Flight (ruling): a flight can have several steps, each at the cost of its direction."""
    voyage.rolled(6).fly("o3", "g3", "o3")

    assert voyage.turn["energy"] == 3


def test_a_flight_stays_open_with_nothing_left(voyage):
    """A flight remains open with 0 energy, and ends by landing, a planet action, a roll or the end of the turn."""
    voyage.rolled(3).fly("o4")
    assert (voyage.turn["energy"], voyage.turn["reach"]) == (0, {})

    assert voyage.refused("red", "fly", to="o3") == "That takes 1 energy, and 0 is left."
    assert voyage("red", "end_turn")("blue", "end_turn").turn["energy"] is None


def test_a_planet_action_ends_it(voyage):
    """Flight: a planet action from orbit, by a Space Station, ends the flight."""
    voyage.owning(space_station=1).rolled(6).fly("o3")("red", "load", to="p2")

    assert voyage.refused("red", "fly", to="o2") == "Roll the die first."


def test_nobody_stops_in_a_gap_on_the_way_in(voyage):
    """Flight (ruling): a ship cannot stop in a gap on the way inward."""
    assert voyage.rolled(6).refused("red", "fly", to="g2") == "Ships don't stop in a gap on the way in."


def test_nobody_flies_where_they_are(voyage):
    """Flight: flying to the ship's own place is refused."""
    assert voyage.rolled(6).refused("red", "fly", to="p3") == "Ana's ship is there already."


def test_a_way_too_far_is_refused(voyage):
    """Flight: a route that costs more than the energy is refused."""
    assert voyage.rolled(2).refused("red", "fly", to="p1") == "That takes 4 energy, and 2 is left."


def test_without_a_roll_no_flight(voyage):
    """Flight: flying without a roll is refused."""
    assert voyage.refused("red", "fly", to="o3") == "Roll the die first."


def test_one_flight_a_turn(voyage):
    """Flight: a second roll in a turn is refused."""
    assert voyage.rolled(2).refused("red", "roll", dice=[3]) == "No flight is left."


def test_an_afterburner_is_one_more(voyage):
    """Flight: an afterburner allows another roll, which ends the earlier flight and replaces its energy."""
    voyage.rolled(6).fly("o3").played("afterburner").rolled(2)

    assert (voyage.turn["energy"], voyage.turn["flights"]) == (2, 0)


def test_ships_may_share_a_place(voyage):
    """Flight: both ships may be at the same place."""
    assert voyage.rolled(2).fly("o3", "p3").players["red"].place == voyage.players["blue"].place


# Through the sun


def test_the_tunnel_leads_through_the_sun_for_one(voyage):
    """Sun Tunneling leads from the innermost to the outermost orbit for 1 energy, and the flight continues."""
    voyage.at("p1").rolled(4).fly("o1").played("sun_tunnel")("red", "tunnel")

    assert voyage.players["red"].place == "o6"
    assert (voyage.turn["energy"], voyage.turn["tunnels"]) == (2, 0)
    assert voyage.fly("p6").turn["energy"] is None


def test_the_tunnel_is_one_way(voyage):
    """Sun Tunneling starts only in the innermost orbit."""
    voyage.at("o6").played("sun_tunnel").rolled(5)

    assert voyage.refused("red", "tunnel") == "The tunnel starts in Coronis's orbit."


def test_the_tunnel_takes_a_flight_a_card_and_energy(voyage):
    """Sun Tunneling needs a card, an open flight and 1 energy."""
    voyage.at("o1")
    assert voyage.refused("red", "tunnel") == "Ana has no open Sun Tunnel."
    voyage.played("sun_tunnel")
    assert voyage.refused("red", "tunnel") == "Roll the die first."
    voyage.at("o2").rolled(2).fly("o1").at("o2").fly("o1")

    assert voyage.refused("red", "tunnel") == "No energy is left."


# Hyperjumps


@pytest.fixture
def jumper(voyage: Voyage) -> Voyage:
    """Ana has both hyperjumps."""
    return voyage.owning(hyperjump_inward=1, hyperjump_outward=1)


def test_a_hyperjump_is_no_flight(jumper):
    """Hyperjumps lead to the innermost or outermost orbit, and the die can still be rolled."""
    jumper("red", "hyperjump", direction="inward")

    assert (jumper.players["red"].place, jumper.turn["flights"]) == ("o1", 1)
    assert jumper.turn["hyperjumps"] == ["outward"]


def test_two_hyperjumps_in_a_turn(jumper):
    """Hyperjumps (ruling): both can be used in a turn, each once."""
    jumper("red", "hyperjump", direction="inward")("red", "hyperjump", direction="outward")

    assert jumper.players["red"].place == "o6"
    assert jumper.refused("red", "hyperjump", direction="inward") == "Each hyperjump works once a turn."


@pytest.mark.parametrize(
    "first",
    [
        {"do": "roll", "dice": [3]},
        {"do": "load", "to": "p1"},
        {"do": "buy", "card": "container"},
        {"do": "intervene", "card": "passenger"},
    ],
)
def test_hyperjumps_come_first(jumper, first):
    """Hyperjumps are refused after any other line of the turn."""
    jumper.correct(megagalax=9)("red", **first)

    assert jumper.turn["hyperjumps"] == []
    assert jumper.refused("red", "hyperjump", direction="inward") == "Hyperjumps come first in a turn."


def test_corrections_do_not_end_the_start_of_a_turn(jumper):
    """Hyperjumps: corrections do not count as lines of the turn."""
    assert jumper.correct(hand=4)("red", "hyperjump", direction="outward").players["red"].place == "o6"


def test_a_hyperjump_leads_somewhere_else(jumper):
    """Hyperjumps (ruling): a jump to the ship's own place is refused."""
    assert jumper.at("o1").refused("red", "hyperjump", direction="inward") == "Ana's ship is there already."


def test_a_hyperjump_takes_its_technology(voyage):
    """Each Hyperjump needs its technology card."""
    voyage.owning(hyperjump_outward=1)

    assert voyage.refused("red", "hyperjump", direction="inward") == "Ana doesn't own that hyperjump."

"""Room actions: one a player and round, of a room that the player controls, without a die."""

from __future__ import annotations

import pytest

from tests.companion.games.wreck.evening import Evening


@pytest.fixture
def aboard():
    """Three players; red has two researchers in each room that can do something."""
    evening = Evening(3).in_turns().opened("armoury", "hangar", "quarters", "communications", "bridge", "reactor")
    for room in ("armoury", "hangar", "quarters", "communications", "bridge", "reactor"):
        evening.standing(room, red=1)
    return evening


def test_armoury(aboard):
    """Armoury: anybody's researcher leaves the ship for its owner's species card."""
    aboard.refused("armoury", player="red", colour="blue", **{"from": "hangar"})
    aboard.do("armoury", player="red", colour="blue", **{"from": "airlock"})

    assert (aboard.players["blue"].species, aboard.room("airlock")["researchers"]["blue"]) == (5, 2)


def test_hangar(aboard):
    """Hangar: a researcher from here to any other open room."""
    aboard.refused("hangar", player="red", to="hangar")
    aboard.refused("hangar", player="red", to="cryo")
    aboard.do("hangar", player="red", to="reactor")

    assert aboard.room("reactor")["researchers"]["red"] == 2


def test_quarters(aboard):
    """Crew quarters: two steps."""
    steps = [["quarters", "airlock"], ["airlock", "armoury"]]
    aboard.refused("quarters", player="red", steps=[*steps, ["armoury", "airlock"]])

    assert aboard.do("quarters", player="red", steps=steps).room("armoury")["researchers"]["red"] == 2


def test_communications(aboard):
    """Communications: one trained or one called; one more with the engine room."""
    aboard.refused("communications", player="red", to=["airlock", "airlock"])
    assert aboard.do("communications", player="red", train=1).players["red"].species == 5

    aboard.effect({"what": "room_action", "colour": "red", "used": False}).opened("engine").standing("engine", red=1)
    aboard.do("communications", player="red", to=["airlock", "airlock"])
    assert aboard.players["red"].species == 3


def test_bridge(aboard):
    """Bridge: personal missions are drawn and put back, which the table keeps to itself."""
    before = aboard.view["personal_pile"]

    assert aboard.do("bridge", player="red").view["personal_pile"] == before
    assert aboard.players["red"].room_action


def test_reactor(aboard):
    """Reactor: two researchers in rooms side by side change rooms, whosever they are."""
    assert "share no side" in aboard.refused("reactor", player="red", swap=[["red", "armoury"], ["red", "hangar"]])
    aboard.refused("reactor", player="red", swap=[["blue", "armoury"], ["green", "airlock"]])
    aboard.do("reactor", player="red", swap=[["red", "armoury"], ["blue", "airlock"]])

    assert aboard.room("armoury")["researchers"] == {"red": 0, "blue": 1, "green": 0}
    assert aboard.room("airlock")["researchers"] == {"red": 4, "blue": 2, "green": 3}


def test_one_room_action_a_round(aboard):
    """Room actions: one for each player and round."""
    aboard.do("bridge", player="red")

    assert aboard.refused("communications", player="red", train=1) == "Ana has used a room this round."
    assert not aboard.round_over().players["red"].room_action


def test_a_tie_is_no_control(aboard):
    """Room actions: the room is controlled by more researchers than any other player has there."""
    assert "doesn't control Bridge" in aboard.standing("bridge", red=1, green=1).refused("bridge", player="red")
    assert "doesn't control Bridge" in aboard.standing("bridge").refused("bridge", player="red")


def test_the_same_room_works_for_others(aboard):
    """Room actions: when control changes in a round, the same room works once more."""
    aboard.do("bridge", player="red").turn_of("blue").standing("bridge", blue=1)

    assert aboard.do("bridge", player="blue").players["blue"].room_action

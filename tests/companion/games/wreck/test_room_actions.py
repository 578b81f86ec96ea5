"""A player may take one room action per round, in a room that the player controls, without a die."""

from __future__ import annotations

import pytest

from tests.companion.games.wreck.evening import Evening


@pytest.fixture
def aboard():
    """Three players; red has a researcher in each room with a room action."""
    evening = Evening(3).in_turns().opened("armoury", "hangar", "quarters", "communications", "bridge", "reactor")
    for room in ("armoury", "hangar", "quarters", "communications", "bridge", "reactor"):
        evening.standing(room, red=1)
    return evening


def test_armoury(aboard):
    """Armoury: any player's researcher moves from a room to its owner's species card."""
    aboard.refused("armoury", player="red", colour="blue", **{"from": "hangar"})
    aboard.do("armoury", player="red", colour="blue", **{"from": "airlock"})

    assert (aboard.players["blue"].species, aboard.room("airlock")["researchers"]["blue"]) == (5, 2)


def test_hangar(aboard):
    """Hangar: a researcher moves from the hangar to any other open room."""
    aboard.refused("hangar", player="red", to="hangar")
    aboard.refused("hangar", player="red", to="cryo")
    aboard.do("hangar", player="red", to="reactor")

    assert aboard.room("reactor")["researchers"]["red"] == 2


def test_quarters(aboard):
    """Crew quarters: the room action is up to two steps."""
    steps = [["quarters", "airlock"], ["airlock", "armoury"]]
    aboard.refused("quarters", player="red", steps=[*steps, ["armoury", "airlock"]])

    assert aboard.do("quarters", player="red", steps=steps).room("armoury")["researchers"]["red"] == 2


def test_communications(aboard):
    """Communications: one researcher is trained or called, and one more is called with the engine room."""
    aboard.refused("communications", player="red", to=["airlock", "airlock"])
    assert aboard.do("communications", player="red", train=1).players["red"].species == 5

    aboard.effect({"what": "room_action", "colour": "red", "used": False}).opened("engine").standing("engine", red=1)
    aboard.do("communications", player="red", to=["airlock", "airlock"])
    assert aboard.players["red"].species == 3


def test_bridge(aboard):
    """Bridge: looking at personal missions changes nothing, so only the room action is recorded."""
    before = aboard.view["personal_pile"]

    assert aboard.do("bridge", player="red").view["personal_pile"] == before
    assert aboard.players["red"].room_action


def test_reactor(aboard):
    """Reactor: any two researchers in adjacent rooms swap places."""
    assert "share no side" in aboard.refused("reactor", player="red", swap=[["red", "armoury"], ["red", "hangar"]])
    aboard.refused("reactor", player="red", swap=[["blue", "armoury"], ["green", "airlock"]])
    aboard.do("reactor", player="red", swap=[["red", "armoury"], ["blue", "airlock"]])

    assert aboard.room("armoury")["researchers"] == {"red": 0, "blue": 1, "green": 0}
    assert aboard.room("airlock")["researchers"] == {"red": 4, "blue": 2, "green": 3}


def test_one_room_action_a_round(aboard):
    """A second room action by the same player in the same round is refused."""
    aboard.do("bridge", player="red")

    assert aboard.refused("communications", player="red", train=1) == "Ana has used a room this round."
    assert not aboard.round_over().players["red"].room_action


def test_a_tie_is_no_control(aboard):
    """A tie, or having no researcher in the room, does not count as control."""
    assert "doesn't control Bridge" in aboard.standing("bridge", red=1, green=1).refused("bridge", player="red")
    assert "doesn't control Bridge" in aboard.standing("bridge").refused("bridge", player="red")


def test_the_same_room_works_for_others(aboard):
    """Room actions: if another player gains control in the same round, they may use the same room."""
    aboard.do("bridge", player="red").turn_of("blue").standing("bridge", blue=1)

    assert aboard.do("bridge", player="blue").players["blue"].room_action

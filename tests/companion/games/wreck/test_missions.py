"""Missions: they are fulfilled at the end of a turn for their card's cost, and opened and swapped between rounds."""

from __future__ import annotations

import pytest

from tests.companion.games.wreck.evening import MISSION, Evening


@pytest.fixture
def known():
    """Two players in red's turn, with a general mission whose card was entered."""
    return Evening().do("open", card=MISSION).in_turns().holding("red", move=1)


def test_a_mission_costs_what_its_card_says(known):
    """Missions: the researchers that a mission costs go to the supply, and the player gets its KP for good."""
    assert known.refused("fulfil", player="red", mission="g1", sacrifice=[]) == "This mission costs 1 researcher."
    known.refused("fulfil", player="red", mission="g1", sacrifice=["cryo"])

    known.do("fulfil", player="red", mission="g1", sacrifice=["airlock"])
    red = known.view["players"]["red"]
    assert red["missions"] == [{"mission": "g1", "name": "Example mission", "kp": 2}]
    assert (red["supply"], red["aboard"], red["kp"]["missions"]) == (10, 2, 2)
    assert known.view["general"] == []


def test_missions_end_the_actions(known):
    """A player may fulfil several missions, but can't act after the first."""
    known.do("fulfil", player="red", mission="g1", sacrifice=["airlock"])
    assert known.view["turn"]["step"] == "missions"
    assert "no more actions" in known.refused("move", player="red", die="move", steps=[["airlock", "cryo"]])
    assert "no more actions" in known.refused("bridge", player="red")

    free = {"name": "", "kp": 1, "sacrifice": 0}
    known.do("fulfil", player="red", mission="personal", sacrifice=[], card=free)
    assert known.view["players"]["red"]["kp"]["missions"] == 3
    assert known.refused("fulfil", player="red", mission="personal", sacrifice=[], card=free) == (
        "Ana has no personal mission."
    )


def test_a_card_is_entered_once(known):
    """Missions: a card must be entered exactly once, for a personal mission or an unknown general one."""
    assert "known already" in known.refused("fulfil", player="red", mission="g1", sacrifice=["airlock"], card=MISSION)
    assert "Enter the mission's card" in known.refused("fulfil", player="red", mission="personal", sacrifice=[])
    assert "isn't open" in known.refused("fulfil", player="red", mission="g2", sacrifice=[], card=MISSION)

    unknown = Evening().in_turns().holding("red")
    assert "Enter the mission's card" in unknown.refused("fulfil", player="red", mission="g1", sacrifice=[])
    unknown.do("fulfil", player="red", mission="g1", sacrifice=["airlock"], card=MISSION)


def test_a_new_personal_mission_comes_in_the_clean_up(known):
    """Clean up: a player who fulfilled a personal mission draws a new one from the pile."""
    known.do("fulfil", player="red", mission="personal", sacrifice=["airlock"], card=MISSION)
    assert not known.players["red"].personal

    known.round_over()
    assert known.players["red"].personal
    assert known.view["personal_pile"] == 20
    known.do("open", card=None)
    assert "has a new one" in known.refused("exchange", player="red")


def test_other_personal_missions_may_be_swapped_once(known):
    """Clean up: a player with an old personal mission may swap it once after the general mission is opened."""
    known.round_over()
    assert "Open the next" in known.refused("exchange", player="blue")
    known.do("open", card=None).do("exchange", player="blue")

    assert known.view["players"]["blue"]["exchanged"]
    assert "already swapped" in known.refused("exchange", player="blue")
    assert not known.rolled().view["players"]["blue"]["exchanged"]
    assert "in the clean-up" in known.refused("exchange", player="red")


def test_a_general_mission_is_opened_in_each_clean_up(known):
    """Clean up: another general mission is opened next to the remaining ones."""
    known.round_over().do("open", card=MISSION)

    assert [each["id"] for each in known.view["general"]] == ["g1", "g2"]
    known.refused("open", card=None)


def test_an_empty_pile_gives_nothing():
    """Clean up: personal missions are drawn clockwise from the new starting player until the pile is empty."""
    evening = Evening(4, first="yellow")
    free = {"name": "", "kp": 0, "sacrifice": 0}
    for _ in range(5):
        evening.in_turns()
        for colour in [colour for order in range(1, 5) for colour, p in evening.players.items() if p.order == order]:
            evening.holding(colour)
            if evening.players[colour].personal:
                evening.do("fulfil", player=colour, mission="personal", sacrifice=[], card=free)
            evening.do("end_turn", player=colour)

    # The pile of 19 is enough for four rounds of four; in the fifth round the last player clockwise gets none.
    assert evening.view["starter"] == "yellow" or evening.view["personal_pile"] == 0
    starter = evening.game.colours.index(evening.view["starter"])
    last = evening.game.colours[starter - 1]
    assert [colour for colour, player in evening.players.items() if not player.personal] == [last]

"""Control points (KP): who controls a room, how tied players share its KP, and when the game ends."""

from __future__ import annotations

import pytest

from companion.games.wreck import GAME
from tests.companion.games.wreck.evening import Evening


@pytest.mark.parametrize(
    ("room", "counts", "control", "kp"),
    [
        ("hangar", (0, 0, 0), None, (0, 0, 0)),
        ("hangar", (1, 0, 0), "red", (1, 0, 0)),
        ("hangar", (2, 1, 1), "red", (1, 0, 0)),
        ("hangar", (1, 1, 0), None, (0, 0, 0)),
        ("armoury", (3, 1, 0), "red", (0, 0, 0)),
        ("cryo", (1, 0, 0), None, (0, 0, 0)),
        ("cryo", (2, 1, 0), "red", (2, 0, 0)),
        ("cryo", (2, 2, 0), None, (1, 1, 0)),
        ("zone", (2, 2, 2), None, (0, 0, 0)),
        ("laboratory", (1, 1, 0), None, (0, 0, 0)),
        ("laboratory", (1, 2, 3), "green", (0, 0, 2)),
    ],
)
def test_control_and_ties(room, counts, control, kp):
    """Control needs the most researchers and the room's minimum; tied players share the KP, rounded down."""
    evening = Evening(3).in_turns().opened(room)
    colours = ("red", "blue", "green")
    found = evening.standing(room, **dict(zip(colours, counts, strict=True))).room(room)

    assert found["control"] == control
    assert tuple(found["kp"].values()) == kp


def points(evening, colour, count):
    """Give *colour* *count* KP from cards."""
    return evening.effect({"what": "kp", "colour": colour, "count": count})


@pytest.mark.parametrize(("players", "threshold"), [(2, 8), (3, 7), (4, 6)])
def test_the_threshold_ends_the_game(players, threshold):
    """Control points: 8, 7 or 6 KP (by number of players) at the end of a round end the game; one fewer does not."""
    short = points(Evening(players).in_turns(), "blue", threshold - 1).round_over()
    reached = points(Evening(players).in_turns(), "blue", threshold).round_over()

    assert (short.view["phase"], short.view["winners"]) == ("cleanup", [])
    assert (reached.view["phase"], reached.view["winners"]) == ("finished", ["blue"])
    assert reached.view["round"] == 1


def test_the_round_is_finished_first():
    """Control points: enough KP in the middle of a round do not end the game."""
    evening = points(Evening().in_turns(), "red", 9).holding("red").do("end_turn", player="red")

    assert not evening.view["finished"]


def test_room_points_are_counted_afresh():
    """Control points: KP of rooms are counted again each round, while KP of missions and cards are kept."""
    evening = points(Evening().in_turns().standing("airlock", red=4, blue=3), "red", 1)
    assert evening.view["players"]["red"]["kp"] == {"rooms": 1, "missions": 0, "cards": 1, "total": 2}

    evening.round_over().in_turns().standing("airlock", red=1, blue=3)
    assert evening.view["players"]["red"]["kp"]["total"] == 1


def test_the_seventh_round_is_the_last():
    """End: the game ends after round 7 with any KP."""
    evening = Evening()
    for _ in range(6):
        assert not evening.round_over().view["finished"]
    evening.round_over()

    assert (evening.view["finished"], evening.view["round"], evening.view["phase"]) == (True, 7, "finished")
    assert evening.view["to_act"] == []
    assert evening.refused("end_turn", player="red") == "The game is over."


def test_a_tie_goes_to_the_rooms():
    """End: with equal KP, the player with the most KP from rooms wins."""
    evening = points(points(Evening().in_turns().standing("airlock", red=1), "red", 7), "blue", 8).round_over()

    assert evening.view["winners"] == ["red"]
    assert GAME.result(evening.game).why == "Ana wins the tie with more control points of rooms."


def test_a_whole_tie_is_shared():
    """End: if KP and KP from rooms are equal, the players share the win."""
    evening = points(points(Evening().in_turns(), "red", 8), "blue", 8).round_over()

    assert evening.view["winners"] == ["red", "blue"]
    assert "share the win" in GAME.result(evening.game).why


def test_the_clean_up_makes_ready():
    """Clean up: technologies become ready, the next player starts, and order cards remain until the next roll."""
    evening = Evening(3).in_turns().holding("red", technology=1)
    evening.do("technology", player="red", die="technology", id="t3", effects=[]).round_over()

    assert evening.view["starter"] == "blue"
    assert not any(each["used"] for each in evening.view["technologies"])
    assert [player["order"] for player in evening.view["players"].values()] == [1, 2, 3]
    assert [player["order"] for player in evening.rolled().view["players"].values()] == [None] * 3
    assert evening.view["round"] == 2


def test_undo_crosses_everything():
    """Undo works across offers, turns, rounds and the end."""
    evening = Evening()
    before = evening.rolled().game
    assert evening.do("offer", player="red", dice=["move"]).do("undo").game == before

    evening.round_over()
    assert evening.do("undo").view["phase"] == "turns"

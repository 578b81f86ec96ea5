"""Situations in which a rule is easily misread, written from the rules alone and compared with the program."""

from __future__ import annotations

import pytest

from tests.companion.games.wreck.evening import MISSION, Evening

T, S, J, M, X, C = "training", "support", "improvise", "move", "technology", "contamination"


def found(room, **counts):
    """Return a game of three players with *counts* of their four researchers aboard in a new room."""
    evening = Evening(3).in_turns()
    opened = {"what": "explore", "cell": [1, 0], "room": room}
    more = [_moved(each, "species", "airlock", 1) for each in evening.game.colours]
    return evening.effect(opened, *more, *(_moved(each, "airlock", room, count) for each, count in counts.items()))


def _moved(colour, source, target, count):
    return {"what": "researchers", "colour": colour, "from": source, "to": target, "count": count}


@pytest.mark.parametrize(
    ("room", "counts", "kp"),
    [
        ("cryo", (2, 2, 2), (0, 0, 0)),
        ("cryo", (2, 2, 1), (1, 1, 0)),
        ("hangar", (2, 2, 1), (0, 0, 0)),
        ("laboratory", (1, 1, 0), (0, 0, 0)),
        ("zone", (1, 0, 0), (0, 0, 0)),
        ("zone", (2, 1, 1), (2, 0, 0)),
        ("armoury", (1, 0, 0), (0, 0, 0)),
    ],
)
def test_ties_and_minimum_of_a_room(room, counts, kp):
    """Control points: tied players with the minimum share them, rounded down; players with fewer get none."""
    evening = found(
        room, **{colour: count for colour, count in zip(("red", "blue", "green"), counts, strict=True) if count}
    )

    assert tuple(evening.room(room)["kp"].values()) == kp


def test_an_offer_leaves_two_dice_for_each_free_card():
    """Offers: two dice must remain for each free order card, with two players and with three."""
    seven = Evening().do("open", card=None).do("roll", player="red", dice=[M, M, T, S, J, X, C])
    assert seven.refused("offer", player="red", dice=[M, M, T, S, J, X]).startswith("This offer has 5 dice at most")

    ten = Evening(3).do("open", card=None).do("roll", player="red", dice=[M, M, M, T, T, S, S, J, X, C])
    ten.do("offer", player="red", dice=[M, M, M, T, T, S]).do("decline", player="blue").do(
        "accept", player="green", die=C
    )
    assert ten.view["to_act"] == ["red"]
    assert ten.refused("offer", player="red", dice=[S, J]).startswith("This offer has 1 die at most")
    ten.do("offer", player="red", dice=[J]).do("decline", player="blue")
    assert ten.view["offer"]["forced"] and ten.view["offer"]["asked"] == "red"


def test_a_die_from_the_offer_is_no_die_of_the_pool():
    """Offers: the extra die comes from the remaining pool, even for a player who must take their own offer."""
    evening = Evening().do("open", card=None).do("roll", player="red", dice=[M, M, T, S, J, X, C])
    evening.do("offer", player="red", dice=[M, M, T, S, C]).do("decline", player="blue")
    assert evening.refused("accept", player="red", die=M) == "No Movement die is left in the pool."

    evening.do("accept", player="red", die=J)
    assert evening.view["players"]["blue"]["dice"][X] == 1
    assert evening.view["turn"] == {"player": "red", "order": 1, "step": "contamination"}


def test_rerolls_go_on_until_no_contamination_shows():
    """The roll: three contaminations are kept; any others are rolled again until they show something else."""
    evening = Evening().do("open", card=None)
    assert evening.refused("roll", player="red", dice=[C] * 5 + [M, M], rerolls=[[C, M]])
    assert evening.refused("roll", player="red", dice=[C] * 3 + [M] * 4, rerolls=[[M]])

    evening.do("roll", player="red", dice=[C] * 5 + [M, M], rerolls=[[C, T], [C], [S]])
    assert evening.view["pool"] == {T: 1, S: 1, J: 0, M: 2, X: 0, C: 3}


def test_contamination_empties_the_zone_first():
    """Contamination: one researcher per die is removed, first from the zone, then from other rooms."""
    evening = Evening().in_turns().holding("red", contamination=2)
    evening.effect({"what": "explore", "cell": [1, 0], "room": "zone"}, _moved("red", "airlock", "zone", 1))
    for wrong in (["airlock", "airlock"], ["airlock", "zone"], ["zone"]):
        assert evening.refused("contaminate", player="red", vaccines=0, remove=wrong)

    evening.do("contaminate", player="red", vaccines=0, remove=["zone", "airlock"])
    assert evening.view["players"]["red"]["aboard"] == 1


def test_nobody_aboard_loses_nobody():
    """Contamination: if nobody is aboard, the line is still needed, with an empty list."""
    evening = Evening().in_turns().holding("red", contamination=2)
    evening.effect(_moved("red", "airlock", "species", 3))

    assert evening.refused("end_turn", player="red") == "Contamination comes first in Ana's turn."
    assert evening.do("contaminate", player="red", vaccines=0, remove=[]).view["turn"]["step"] == "actions"


def test_the_engine_as_a_room_action_adds_to_one_call():
    """Engine room, option `once`: only a call that uses it counts as the round's room action."""
    evening = Evening(options={"engine_room": "once"}).in_turns().holding("red", support=3)
    evening.effect({"what": "explore", "cell": [1, 0], "room": "engine"}, _moved("red", "airlock", "engine", 1))
    evening.do("call", player="red", die=S, to=["airlock"])
    assert not evening.players["red"].room_action

    evening.do("call", player="red", die=S, to=["airlock"] * 3)
    assert evening.players["red"].room_action
    assert evening.refused("call", player="red", die=S, to=["airlock"] * 3)


def test_a_die_may_come_only_where_one_is_missing():
    """Effects: a die can't be gained if all dice are in use; the die that paid for the effect counts as free."""
    evening = Evening().do("open", card=None).do("roll", player="red", dice=[X, X, M, J, T, X, M])
    evening.do("offer", player="red", dice=[X, X, M, J]).do("decline", player="blue").do("accept", player="red", die=T)
    more = {"what": "die", "colour": "red", "from": None, "to": X}
    assert evening.refused("correct", player="red", reason="a card", effects=[more]) == "All 7 dice are in use."

    evening.do("technology", player="red", die=X, id="t3", effects=[more])
    assert evening.view["players"]["red"]["dice"][X] == 2


def test_enough_kp_end_the_game_at_the_rounds_end_alone():
    """The end comes only at a round's end; KP from rooms break ties; later corrections change only the winners."""
    evening = Evening().in_turns().effect({"what": "kp", "colour": "red", "count": 9})
    assert not evening.view["finished"]

    evening.effect(_moved("blue", "airlock", "species", 1), {"what": "kp", "colour": "blue", "count": 10}).round_over()
    assert (evening.view["finished"], evening.view["winners"]) == (True, ["red"])
    evening.effect({"what": "kp", "colour": "red", "count": -9})
    assert (evening.view["finished"], evening.view["winners"]) == (True, ["blue"])


def test_who_fulfilled_a_personal_mission_has_a_new_one():
    """Clean-up: a fulfilled personal mission is replaced; others may be swapped once, after the general mission."""
    evening = Evening().in_turns().holding("red")
    evening.do("fulfil", player="red", mission="personal", sacrifice=["airlock"], card={**MISSION, "sacrifice": 1})
    evening.round_over()
    assert evening.view["personal_pile"] == 20
    assert evening.refused("exchange", player="blue") == "Open the next general mission first."

    evening.do("open", card=None).do("exchange", player="blue")
    assert evening.refused("exchange", player="red") == "Ana fulfilled one this round and has a new one."
    assert evening.refused("exchange", player="blue") == "Ben has already swapped this round."

"""A turn starts with contamination, followed by actions with dice."""

from __future__ import annotations

import pytest

from tests.companion.games.wreck.evening import Evening


def counts(evening, colour="red"):
    """Return how many researchers of *colour* are in the supply, on the species card and aboard."""
    player = evening.view["players"][colour]
    return player["supply"], player["species"], player["aboard"]


# Contamination


def test_contamination_removes_a_researcher_each(evening):
    """Contamination: each die moves one researcher from the ship to the supply, before any other line."""
    evening.holding("red", contamination=2, move=1)
    assert "Contamination comes first" in evening.refused("end_turn", player="red")
    assert "Contamination comes first" in evening.refused("train", player="red", die="move", count=1)
    assert evening.refused("contaminate", player="red", vaccines=0, remove=["airlock"]) == "Ana removes 2 researchers."

    evening.do("contaminate", player="red", vaccines=0, remove=["airlock", "airlock"])
    assert counts(evening) == (11, 4, 1)
    assert evening.view["players"]["red"]["dice"]["contamination"] == 0
    assert evening.view["turn"]["step"] == "actions"


def test_vaccines_cancel_contamination(evening):
    """Contamination: each vaccine marker cancels one die and goes back to the supply."""
    evening.effect({"what": "vaccines", "colour": "red", "count": 1}).holding("red", contamination=2)
    evening.refused("contaminate", player="red", vaccines=2, remove=[])

    evening.do("contaminate", player="red", vaccines=1, remove=["airlock"])
    assert (evening.players["red"].vaccines, evening.view["vaccine_supply"]) == (0, 10)


def test_the_contaminated_zone_goes_first(evening):
    """Contamination: researchers in the contaminated zone are removed before others."""
    evening.opened("zone").standing("zone", red=1).holding("red", contamination=2)

    assert "go first" in evening.refused("contaminate", player="red", vaccines=0, remove=["airlock", "airlock"])
    assert "go first" in evening.refused("contaminate", player="red", vaccines=0, remove=["airlock", "zone"])
    evening.do("contaminate", player="red", vaccines=0, remove=["zone", "airlock"])


def test_with_nobody_aboard_nothing_happens(evening):
    """Contamination: with fewer researchers aboard than dice, all are removed; with nobody aboard, none."""
    evening.standing("airlock", red=1, blue=3).holding("red", contamination=3)
    evening.do("contaminate", player="red", vaccines=0, remove=["airlock"])

    assert evening.standing("airlock", blue=3).players["red"].contamination == 0


def test_a_species_may_keep_its_fallen():
    """Contamination: if a species has a place of its own, removed researchers may go there."""
    evening = Evening().in_turns().holding("red", contamination=1)
    line = {"player": "red", "vaccines": 0}
    assert "no place" in evening.refused("contaminate", **line, remove=["airlock"], place=1)
    kept = Evening.with_a_place().in_turns().holding("red", contamination=2)
    kept.refused("contaminate", player="red", vaccines=0, remove=["airlock"] * 2, place=3)

    kept.do("contaminate", player="red", vaccines=0, remove=["airlock"] * 2, place=2)
    assert (kept.players["red"].place, kept.view["players"]["red"]["kp"]["cards"]) == (2, 1)


# Training and support


@pytest.mark.parametrize(("die", "most"), [("training", 2), ("improvise", 1)])
def test_training(evening, die, most):
    """Training camp: a training die moves up to two researchers from the supply to the species card, improvise one."""
    evening.holding("red", **{die: 1})
    for wrong in (0, most + 1):
        evening.refused("train", player="red", die=die, count=wrong)

    assert counts(evening.do("train", player="red", die=die, count=most)) == (9 - most, 4 + most, 3)
    assert "has no" in evening.refused("train", player="red", die=die, count=1)


@pytest.mark.parametrize("die", ["support", "move", "technology"])
def test_other_dice_do_not_train(evening, die):
    """Training camp: dice other than training and improvise are refused."""
    assert "don't pay" in evening.holding("red", **{die: 1}).refused("train", player="red", die=die, count=1)


def test_training_ends_with_the_supply(evening):
    """Training camp: no more researchers can be trained than are in the supply."""
    evening.effect({"what": "researchers", "colour": "red", "from": "supply", "to": "species", "count": 8})
    evening.holding("red", training=1)

    assert "has 1 researcher left" in evening.refused("train", player="red", die="training", count=2)
    assert counts(evening.do("train", player="red", die="training", count=1)) == (0, 13, 3)


@pytest.mark.parametrize(("die", "most"), [("support", 2), ("improvise", 1)])
def test_support(evening, die, most):
    """Support: a support die calls up to two researchers to rooms with the player's teleporters, improvise only one."""
    evening.opened("cryo", "hangar").holding("red", **{die: 1})
    evening.effect({"what": "teleporter", "colour": "red", "from": "supply", "to": "cryo"})
    rooms = ["cryo", "airlock"][:most]
    assert "has no teleporter in Hangar" in evening.refused("call", player="red", die=die, to=["hangar"])
    assert "isn't open" in evening.refused("call", player="red", die=die, to=["reactor"])
    for wrong in ([], ["airlock"] * (most + 1)):
        evening.refused("call", player="red", die=die, to=wrong)

    assert counts(evening.do("call", player="red", die=die, to=rooms)) == (9, 4 - most, 3 + most)


def test_support_ends_with_the_trained(evening):
    """Support: only trained researchers can be called."""
    evening.effect({"what": "researchers", "colour": "red", "from": "species", "to": "supply", "count": 3})

    assert "has trained 1 researcher" in evening.holding("red", support=1).refused(
        "call", player="red", die="support", to=["airlock", "airlock"]
    )


@pytest.mark.parametrize(("die", "most"), [("support", 3), ("improvise", 2)])
def test_the_engine_room_calls_one_more(evening, die, most):
    """Engine room: its controller calls one researcher more, even with an improvise die (rulebook's example)."""
    evening.opened("engine").standing("engine", red=1).holding("red", **{die: 1})
    evening.refused("call", player="red", die=die, to=["airlock"] * (most + 1))

    assert counts(evening.do("call", player="red", die=die, to=["airlock"] * most))[1] == 4 - most
    assert not evening.players["red"].room_action


def test_control_of_the_engine_room_counts_before_the_call(evening):
    """The engine room must be controlled before the call, and a tie is not control."""
    evening.opened("engine").standing("engine", red=1, blue=1).holding("red", support=1)
    evening.effect({"what": "teleporter", "colour": "red", "from": "supply", "to": "engine"})

    evening.refused("call", player="red", die="support", to=["engine"] * 3)


def test_the_engine_room_may_be_the_room_action():
    """Ruling `engine_room`, `once`: calling one more researcher with a die uses up the round's room action."""
    evening = Evening(options={"engine_room": "once"}).in_turns().opened("engine", "communications")
    evening.standing("engine", red=1).standing("communications", red=1).holding("red", support=2)
    evening.refused("communications", player="red", to=["airlock", "airlock"])

    evening.do("call", player="red", die="support", to=["airlock"])
    assert not evening.players["red"].room_action
    evening.holding("red", support=2).do("call", player="red", die="support", to=["airlock"] * 3)
    assert evening.players["red"].room_action
    evening.refused("call", player="red", die="support", to=["airlock"] * 3)


# Movement and exploring


def test_movement_is_three_steps(evening):
    """Movement takes up to three steps between adjacent open rooms, in order, by one or several researchers."""
    evening.opened("cryo", "hangar", "quarters").holding("red", move=1)
    steps = [["airlock", "cryo"], ["airlock", "hangar"], ["cryo", "airlock"]]
    evening.refused("move", player="red", die="move", steps=[*steps, ["airlock", "cryo"]])
    evening.refused("move", player="red", die="move", steps=[])

    evening.do("move", player="red", die="move", steps=steps)
    assert evening.room("hangar")["researchers"]["red"] == 1
    assert evening.room("airlock")["researchers"]["red"] == 2


@pytest.mark.parametrize("die", ["training", "support", "improvise", "technology"])
def test_any_die_is_worth_a_step(evening, die):
    """Any die pays for one step, whatever it shows."""
    evening.opened("cryo").holding("red", **{die: 1})
    evening.refused("move", player="red", die=die, steps=[["airlock", "cryo"], ["cryo", "airlock"]])

    evening.do("move", player="red", die=die, steps=[["airlock", "cryo"]])
    assert evening.room("cryo")["researchers"]["red"] == 1


def test_steps_go_from_side_to_side(evening):
    """Movement: diagonal steps, closed rooms and steps without a researcher are refused."""
    evening.opened("cryo", "hangar").standing("cryo", red=1).holding("red", move=1)

    assert "share no side" in evening.refused("move", player="red", die="move", steps=[["cryo", "hangar"]])
    assert "isn't open" in evening.refused("move", player="red", die="move", steps=[["airlock", "reactor"]])
    assert "has no researcher" in evening.refused("move", player="red", die="move", steps=[["hangar", "airlock"]])


def test_exploring_turns_a_tile_and_goes_in(evening):
    """Explore: any die opens a closed tile next to an open room with a researcher of the player, who goes in."""
    evening.holding("red", improvise=1)
    line = {"player": "red", "die": "improvise", "from": "airlock", "room": "reactor"}
    assert "isn't beside" in evening.refused("explore", **line, cell=[1, 1])
    assert "No closed tile" in evening.refused("explore", **line, cell=[7, 7])
    assert "is open already" in evening.refused("explore", **{**line, "room": "airlock"}, cell=[1, 0])

    evening.do("explore", **line, cell=[1, 0])
    assert evening.room("reactor")["researchers"] == {"red": 1, "blue": 0}
    assert evening.room("reactor")["control"] == "red"


# Technologies


def test_the_teleporter(evening):
    """A teleporter can be placed in a room with a researcher of the player, even as the second one there."""
    evening.opened("cryo").holding("red", technology=2)
    line = {"player": "red", "die": "technology", "id": "teleporter"}
    assert "has no researcher" in evening.refused("technology", **line, room="cryo")
    assert "still has a teleporter" in evening.refused("technology", **line, room=None)

    evening.do("technology", **line, room="airlock")
    assert evening.room("airlock")["teleporters"]["red"] == 2
    assert "has been used" in evening.refused("technology", **line, room="airlock")


def test_no_teleporter_in_the_laboratory():
    """No teleporter can be placed in the laboratory."""
    evening = Evening(3).in_turns().opened("laboratory").standing("laboratory", red=1).holding("red", technology=1)

    assert "laboratory" in evening.refused(
        "technology", player="red", die="technology", id="teleporter", room="laboratory"
    )


def test_a_third_teleporter_placed_the_card_can_be_used_all_the_same(evening):
    """If all three teleporters are placed, their technology can still be used, but has no effect."""
    for _ in range(2):
        evening.effect({"what": "teleporter", "colour": "red", "from": "supply", "to": "airlock"})
    line = {"player": "red", "die": "technology", "id": "teleporter"}
    evening.holding("red", technology=1)
    assert "no teleporter left" in evening.refused("technology", **line, room="airlock")

    assert evening.do("technology", **line, room=None).view["technologies"][0] == {"id": "teleporter", "used": True}


def test_other_technologies_do_what_their_card_says(evening):
    """Each technology can be used once a round; its effects are given in the line."""
    evening.holding("red", technology=2)
    line = {"player": "red", "die": "technology", "id": "vaccine"}
    got = {"what": "vaccines", "colour": "red", "count": 2}
    assert "isn't on the table" in evening.refused("technology", **{**line, "id": "t9"}, effects=[])
    assert "contamination" in evening.refused(
        "technology", **line, effects=[{"what": "die", "colour": "blue", "from": None, "to": "contamination"}]
    )

    evening.do("technology", **line, effects=[got])
    assert (evening.players["red"].vaccines, evening.view["vaccine_supply"]) == (2, 8)
    assert "has been used" in evening.refused("technology", **line, effects=[])
    evening.do("technology", player="red", die="technology", id="t3", effects=[])


def test_a_die_is_used_before_its_technology_works(evening):
    """Technology: when the effects are applied, the die that paid already counts as free."""
    evening.holding("red", technology=3, move=4)
    new = {"what": "die", "colour": "red", "from": None, "to": "support"}
    evening.do("technology", player="red", die="technology", id="t3", effects=[new])

    assert sum(evening.players["red"].dice) == 7
    assert "All 7 dice" in evening.refused("correct", player="red", reason="one more", effects=[new])


# The end of a turn, and the turns of others


def test_a_turn_is_its_players(evening):
    """Turns: a line in another player's turn is refused, and dice that remain at the end of a turn are lost."""
    evening.holding("red", move=2)
    assert evening.refused("end_turn", player="blue") == "It's Ana's turn."

    evening.do("end_turn", player="red")
    assert sum(evening.players["red"].dice) == 0
    assert evening.view["turn"] == {"player": "blue", "order": 2, "step": "actions"}


def test_the_turn_of_the_rulebook(four):
    """The rulebook's example of a turn is legal: contamination, training, improvise with the engine room, exploring."""
    four.in_turns().opened("engine").standing("engine", red=1)
    four.holding("red", contamination=1, training=1, improvise=1, move=1)

    four.do("contaminate", player="red", vaccines=0, remove=["airlock"])
    four.do("train", player="red", die="training", count=2)
    four.do("call", player="red", die="improvise", to=["airlock", "airlock"])
    four.do("explore", player="red", die="move", **{"from": "airlock"}, cell=[0, 1], room="bridge")

    assert counts(four) == (7, 4, 5)
    assert {room["room"]: room["researchers"]["red"] for room in four.view["rooms"] if room["room"]} == {
        "airlock": 3, "engine": 1, "bridge": 1,
    }  # fmt: skip
    assert sum(four.players["red"].dice) == 0

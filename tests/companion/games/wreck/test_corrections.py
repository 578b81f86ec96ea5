"""Corrections: effects of cards or repairs, done in order, all or none."""

from __future__ import annotations

import pytest

from tests.companion.games.wreck.evening import Evening


def tried(evening, *effects, reason="a card"):
    """Return the text with which these effects are refused."""
    return evening.refused("correct", player="red", reason=reason, effects=list(effects))


def effect(what, colour="red", **others):
    """Return an effect; `source` and `target` become its `from` and `to`."""
    ends = {{"source": "from", "target": "to"}.get(name, name): value for name, value in others.items()}
    return {"what": what, "colour": colour, **ends}


def test_a_correction_needs_a_reason_and_a_change(evening):
    """Corrections: without a reason, without an effect, or during the set-up they are refused."""
    given = effect("kp", count=1)

    assert tried(evening, given, reason="  ") == "Give a reason for the correction."
    assert tried(evening) == "Say what changes."
    assert tried(Evening(), given) == "Use undo during set-up."


@pytest.mark.parametrize(
    "wrong",
    [
        effect("researchers", source="supply", target="airlock", count=10),
        effect("researchers", source="supply", target="supply", count=1),
        effect("researchers", source="supply", target="reactor", count=1),
        effect("researchers", source="supply", target="place", count=1),
        effect("researchers", "green", source="supply", target="airlock", count=1),
        effect("teleporter", source="supply", target="reactor"),
        effect("teleporter", source="airlock", target="airlock"),
        effect("teleporter", source="cryo", target="supply"),
        effect("die", source="move", target=None),
        effect("die", source=None, target=None),
        effect("vaccines", count=11),
        effect("vaccines", count=-1),
        effect("kp", count=-2),
        {"what": "explore", "cell": [1, 0], "room": "airlock"},
        {"what": "explore", "cell": [0, 0], "room": "cryo"},
        {"what": "used", "id": "t9", "used": True},
        effect("room_action", "green", used=True),
    ],
)
def test_a_correction_loses_and_doubles_nothing(evening, wrong):
    """Corrections: if one effect is impossible, none is done."""
    tried(evening, effect("kp", count=1), wrong)

    assert evening.players["red"].kp == 0


def test_effects_happen_in_order(evening):
    """Each effect of a correction starts from the result of the effect before it."""
    evening.effect(
        {"what": "explore", "cell": [1, 1], "room": "reactor"},
        effect("researchers", source="supply", target="reactor", count=2),
        effect("teleporter", source="airlock", target="reactor"),
        effect("die", "blue", source=None, target="contamination"),
        {"what": "used", "id": "teleporter", "used": True},
        effect("room_action", used=True),
        effect("vaccines", "blue", count=3),
    )

    assert evening.room("reactor") == {
        "cell": [1, 1],
        "room": "reactor",
        "researchers": {"red": 2, "blue": 0},
        "teleporters": {"red": 1, "blue": 0},
        "control": "red",
        "kp": {"red": 1, "blue": 0},
    }
    assert evening.players["blue"].contamination == 1


def test_dice_change_in_the_turns_only():
    """Corrections: players' dice can be corrected only during the turns, up to the number of dice in the game."""
    more = effect("die", source=None, target="move")

    assert "during the turns" in tried(Evening().rolled(), more)
    assert tried(Evening().in_turns(), more) == "All 7 dice are in use."


def test_contamination_may_come_in_the_midst(evening):
    """Corrections: contamination that a correction gives must be handled at once."""
    evening.holding("red", move=1).effect(effect("die", source="move", target="contamination"))

    assert evening.view["turn"]["step"] == "contamination"


def test_a_correction_after_the_end_changes_the_winners(evening):
    """Corrections after the end can change KP and winners, but the game remains over."""
    evening.effect(effect("kp", count=8)).round_over()
    assert evening.view["winners"] == ["red"]

    evening.effect(effect("kp", "blue", count=20))
    assert (evening.view["winners"], evening.view["finished"]) == (["blue"], True)

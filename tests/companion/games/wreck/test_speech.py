"""Speech in the wreck: offers, turns, rooms found and researchers lost."""

from __future__ import annotations

from companion.games.wreck import GAME
from companion.model.speech import Verbosity
from tests.companion.games.wreck.evening import MISSION, Evening


def turn(evening):
    """Return the sentence that announces the turn."""
    said = GAME.speech.turn(evening.game)
    return None if said is None else str(said.text)


def told(evening, do, **fields):
    """Play a line, and return the sentences that are spoken for it."""
    state, found = evening.game, []
    for event in GAME.decide(state, GAME.parse({"do": do, **fields})):
        found += GAME.speech.uttered(state, event)
        state = GAME.evolve(state, event)
    evening.do(do, **fields)
    return [str(each.text) for each in found]


def test_everybody_hears_whose_turn_it_is():
    """Speech: the roll, the offer, its answer, a forced offer, each turn and the clean-up are announced."""
    evening = Evening()
    assert turn(evening) == "Ana opens a mission and rolls."
    assert turn(evening.rolled()) == "Ana, offer dice."
    assert turn(evening.do("offer", player="red", dice=["training"])) == "Ben, take the offer?"
    assert turn(evening.do("decline", player="blue")) == "Ana has to take the offer."
    assert turn(evening.do("accept", player="red", die=None).holding("red", contamination=1)) == (
        "Ana's turn: 1 contamination first."
    )
    assert turn(Evening().round_over()) == "Clean-up. Ben opens a mission and rolls."


def test_offers_are_told():
    """Speech: the roll, each offer, who takes which card, and who gets the last card are announced."""
    evening = Evening()
    assert told(evening, "open", card=MISSION) == ["General mission: Example mission, 2 KP."]
    dice = ["training"] * 3 + ["move"] * 4
    assert told(evening, "roll", player="red", dice=dice) == ["Round 1: 3 Training, 4 Movement."]
    assert told(evening, "offer", player="red", dice=["training"]) == ["Ana offers 1 Training."]
    assert told(evening, "accept", player="blue", die="move") == ["Ben takes card 1.", "Ana gets the last card."]


def test_what_dice_pay_for_is_told():
    """Speech: training, calls, new rooms, technologies and lost researchers are announced."""
    evening = Evening().in_turns().holding("red", training=1, support=1, move=1, technology=1, contamination=1)
    assert told(evening, "contaminate", player="red", vaccines=0, remove=["airlock"]) == ["Ana loses 1 researcher."]
    assert told(evening, "train", player="red", die="training", count=2) == ["Ana trains 2 researchers."]
    assert told(evening, "call", player="red", die="support", to=["airlock"]) == ["Ana calls 1 researcher: Airlock."]
    found = told(evening, "explore", player="red", die="move", cell=[1, 0], room="hangar", **{"from": "airlock"})
    assert found[0] == "A new room: Hangar."
    assert told(evening, "technology", player="red", die="technology", id="teleporter", room="hangar") == [
        "Teleporter is used.",
        "Ana's teleporter goes to Hangar.",
    ]


def test_missions_and_kp_are_told_in_few_words_too():
    """Speech: a fulfilled mission, and all KP at the end of a round are announced, even with few words."""
    evening = Evening().do("open", card=MISSION).rolled().in_turns()
    assert "Ana fulfils Example mission: 2 KP." in told(
        evening, "fulfil", player="red", mission="g1", sacrifice=["airlock"]
    )
    evening.turn_of("blue").holding("blue")
    assert told(evening, "end_turn", player="blue") == ["The round is over. KP: Ana 2, Ben 1."]

    said = GAME.speech.turn(evening.game)
    assert said is not None and said.words is Verbosity.FEW


def test_what_cards_do_is_told():
    """Speech: vaccines, KP and moved researchers of a correction are announced."""
    evening = Evening().in_turns()
    effects = [
        {"what": "vaccines", "colour": "red", "count": 2},
        {"what": "vaccines", "colour": "red", "count": -1},
        {"what": "kp", "colour": "blue", "count": 2},
        {"what": "kp", "colour": "blue", "count": -1},
        {"what": "researchers", "colour": "red", "from": "airlock", "to": "supply", "count": 1},
    ]
    assert told(evening, "correct", player="red", reason="cards", effects=effects) == [
        "Ana takes 2 vaccine markers.",
        "Ana gives back 1 vaccine marker.",
        "Ben gains 2 KP.",
        "Ben loses 1 KP.",
        "1 researcher of Ana's, from Airlock to the supply.",
    ]

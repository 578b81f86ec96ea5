"""Questions about a game of the wreck: dice, rooms, researchers, missions, technologies."""

from __future__ import annotations

from companion.games.wreck import GAME
from tests.companion.games.wreck.evening import MISSION, Evening


def told(evening, word, seat=None):
    """Return the answer to a question."""
    return " ".join(GAME.facts.answer(evening.game, word, seat))


def test_an_offer_is_told_with_the_pool():
    """Offers: the answers list the dice in the pool and on the card, and name the player who is asked."""
    evening = Evening().rolled().do("offer", player="red", dice=["training", "training"])
    assert told(evening, "turn") == "Ben, take the offer? Round 1 of 7."
    assert told(evening, "dice") == (
        "In the pool: 1 Support, 1 Improvise, 1 Movement, 1 Technology, 1 Contamination. On card 1: 2 Training."
    )


def test_a_turn_is_told_with_its_dice():
    """Turn: the answers name contamination first, then each player's remaining dice and order card."""
    evening = Evening().in_turns().holding("red", move=1, contamination=2)
    assert told(evening, "turn") == (
        "Ana's turn: 2 contaminations first. Dice left: 1 Movement, 2 Contamination. Round 1 of 7."
    )
    assert told(evening, "dice").startswith("Ana, card 1: 1 Movement, 2 Contamination.")
    assert told(Evening(), "dice") == "No dice are out."


def test_rooms_are_told_with_who_controls_them():
    """Rooms: the answers list researchers and teleporters by name, the shared KP of a tie, and closed rooms."""
    evening = Evening().in_turns()
    assert told(evening, "airlock") == "Airlock: Ana 3, Ben 3. Nobody controls it: no KP. Teleporters: Ana 1, Ben 1."
    assert told(evening, "cryo") == "Cryo chamber isn't open yet."
    moved = [
        {"what": "researchers", "colour": each, "from": "airlock", "to": "cryo", "count": 2} for each in ("red", "blue")
    ]
    evening.effect({"what": "explore", "cell": [1, 0], "room": "cryo"}, *moved)
    assert told(evening, "cryo") == "Cryo chamber: Ana 2, Ben 2. Nobody controls it: 1 KP each for the tied."
    evening.effect({"what": "researchers", "colour": "blue", "from": "airlock", "to": "species", "count": 1})
    assert told(evening, "control") == "Ana controls: Airlock. Ben controls: none. Nobody controls: Cryo chamber."


def test_researchers_are_told_by_where_they_are():
    """Researchers: the answer counts those aboard, trained and in the supply; a seat is told only its own."""
    assert told(Evening(), "crew", "blue") == "Ben: aboard 3, trained 4, supply 9. Teleporters in the supply: 2."
    assert "Altar: 0." in told(Evening.with_a_place(), "crew")


def test_missions_and_technologies_are_told():
    """Cards: the answers name missions whose cards were entered, and list ready and used technologies."""
    evening = Evening().do("open", card=MISSION).rolled().in_turns().holding("red", technology=1)
    assert told(evening, "missions") == "Open: Example mission 2 KP."
    assert told(Evening().rolled(), "missions") == "1 open mission isn't entered."
    evening.do("technology", player="red", die="technology", id="teleporter", room="airlock")
    assert told(evening, "technologies") == "Ready: Vaccine, A technology, A technology. Used: Teleporter."
    evening.do("fulfil", player="red", mission="g1", sacrifice=["airlock"])
    assert told(evening, "missions") == "Ana has fulfilled: Example mission 2 KP."
    assert GAME.facts.points(evening.game, None)["red"] == 2
    assert told(evening, "score") == "The game ends at 8 KP."


def test_every_question_is_answered_at_any_time():
    """The questions are the same through a whole game, and each has an answer."""
    for evening in (Evening(), Evening(3).rolled(), Evening().in_turns(), Evening().round_over()):
        facts = GAME.facts.known(evening.game)
        assert all(told(evening, fact.word, seat) for fact in facts for seat in (None, "red"))

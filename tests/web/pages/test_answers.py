"""Spoken questions: each has a key, and is answered in the language of the request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.dice_game.house import DiceHouse
from tests.web.games.andromeda.room import Room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A table for four at the first action."""
    made = Room(tmp_path).in_actions()
    yield made
    made.table.close()


def asked(client: FlaskClient, **headers: str) -> dict[str, dict[str, Any]]:
    """Return the questions and answers by key."""
    found = client.get("/api/v1/answers", headers=headers).get_json()["answers"]
    return {one["key"]: one for one in found}


def csrf(room: Room) -> str:
    """Return the token of the host's tablet."""
    return next(tap.fields["csrf"] for tap in room.look("/pin").taps if tap.fields and "csrf" in tap.fields)


def test_every_question_has_a_key_and_an_answer(room: Room) -> None:
    """Questions: digit keys ask about the game, and letter keys about the places of its board."""
    found = asked(room.client)

    assert "".join(found) == "123456789abcdefgh"
    assert found["1"]["text"] == "Ana's turn: 3 actions. Round 1. 0 of 3 planets are full."
    assert found["2"]["text"] == "Ana 4, Ben 4, Cem 4, Dora 4. All are level. Credits count at the end."
    assert found["3"]["text"] == "Cem takes the set back."
    assert found["a"]["ask"] == "What's on Ringworld?" and found["a"]["place"]


def test_the_answers_are_in_the_language_of_the_device(room: Room) -> None:
    """Questions: both question and answer are translated."""
    assert asked(room.client, **{"Accept-Language": "de"})["h"] == {
        "about": "earth",
        "key": "h",
        "ask": asked(room.client, **{"Accept-Language": "de"})["h"]["ask"],
        "text": "Erde: Ana 4, Ben 4, Cem 4, Dora 4.",
        "place": True,
    }


def test_the_clock_and_what_should_be_left_are_told(room: Room) -> None:
    """Questions: one answer gives the time of the step and of each player; stations left over follow the last draw."""
    room.attempt(4).out("red")

    assert asked(room.client)["3"]["text"].endswith("Should be left on Ringworld: Ana 2, Ben 3, Cem 3, Dora 3.")
    assert re.match(r"Ana has \d+:\d\d left\. Time for the whole game: Ana ", asked(room.client)["4"]["text"])


def test_a_pause_and_a_question_of_the_ring_come_first(room: Room) -> None:
    """Questions: "whose turn" first names what blocks the game, such as an open question or a pause."""
    room.attempt(4).out(None, ("red", 0.5), ("blue", 0.4))
    open_question = asked(room.client)["1"]["text"]
    room.client.post("/table/pause", data={"csrf": csrf(room)})

    assert open_question.startswith("Which one came out: Ana or Ben? Ana draws at Ringworld")
    assert asked(room.client)["1"]["text"].startswith("The game is paused.")


def test_the_page_of_answers_needs_no_script(room: Room) -> None:
    """Questions: a separate page lists all answers, and the menu links to it."""
    page = room.look("/help?ask")

    assert all(one["text"] in page.text for one in asked(room.client).values())
    room.look("/table/menu")
    room.tap("Help", "All questions, with answers")
    assert all(one["text"] in room.page.text for one in asked(room.client).values())


def test_any_game_says_whose_turn_it_is_and_how_it_ended(tmp_path: Path) -> None:
    """For a game without answers of its own, questions about turn, score, last move and clock are answered."""
    house = DiceHouse(tmp_path)
    host = house.host()
    house.opened(host).throw(host, "roll 6")
    during = asked(host.client)
    own = asked(house.phone("red").client)
    house.throw(host, "hold", "roll 5", "roll 1", "roll 4", "roll 2", "hold")
    after = asked(host.client)
    house.ledger.close()

    assert "".join(during) == "1234"
    assert during["1"]["text"] == "It's Ana's turn." and own["1"]["text"] == "It's your turn. It's Ana's turn."
    assert during["2"]["text"] == "The points are counted at the end."
    assert during["3"]["text"] == "Ana rolls 6." and "seconds left." in during["4"]["text"]
    assert after["1"]["text"] == "Ana is first." and after["2"]["text"] == "Ana 12, Ben 0. Ana leads by 12."


def test_without_a_game_there_is_nothing_to_ask(tmp_path: Path) -> None:
    """Questions: an empty table has none, and the help shows the rules cards instead."""
    room = Room(tmp_path, first=False)

    assert asked(room.client) == {}
    assert "Rules cards" in room.look("/help?ask").text
    room.table.close()

"""Sentences that devices speak: requested by version, filtered by player and amount, in the language of the request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.games.andromeda.room import Room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A table for four at the first action."""
    made = Room(tmp_path).in_actions()
    yield made
    made.table.close()


def asked(room: Room, query: str, **headers: str) -> dict[str, Any]:
    """Return the answer to a request without any login."""
    answer = room.app.test_client().get(f"/api/v1/utterances?{query}", headers=headers)
    assert answer.status_code == 200
    return dict(answer.get_json())


def test_what_came_after_a_version_is_told_in_the_language_of_the_device(room: Room) -> None:
    """Utterances: `after` skips the sentences a device has already received; they come in the request's language."""
    before = room.snapshot.version
    room.attempt(4).out("red")
    told = asked(room, f"after={before}", **{"Accept-Language": "nl"})

    assert [one["text"] for one in told["utterances"]][1] == "Ana pakt de 9 op Ringen."
    assert asked(room, f"after={told['version']}") == {"utterances": [], "version": told["version"]}


def test_a_device_hears_as_much_as_it_wants(room: Room) -> None:
    """`words=few` returns only turns and won centres; `mine` without a seat returns what concerns no other seat."""
    before = room.snapshot.version
    room.attempt(4).out("red").do("end_turn", player="red")

    few = [one["text"] for one in asked(room, f"after={before}&words=few")["utterances"]]
    assert few == ["Ana takes the 9 at Ringworld.", "Ben's turn: 2 actions."]
    assert asked(room, f"after={before}&whose=mine")["utterances"] == []


@pytest.mark.parametrize("query", ["after=x", "after=-1", "words=loud", "whose=hers"])
def test_nonsense_is_refused(room: Room, query: str) -> None:
    """Utterances: an invalid parameter is answered with 400."""
    assert room.app.test_client().get(f"/api/v1/utterances?{query}").status_code == 400


@pytest.mark.parametrize("back", [False, True])
def test_two_tables_that_differ_in_a_card_face_down_sound_alike(tmp_path: Path, back: bool) -> None:
    """Hiding: the sentences for devices are identical whichever card was played face down, and also after an undo."""
    heard = []
    for card in ("p3", "p7"):
        folder = tmp_path / card
        folder.mkdir()
        room = Room(folder).in_trading().do("lay", player="red", card="p1").do("lay", player="blue", card=card)
        heard.append(asked(room.do("undo") if back else room, "words=all"))
        room.table.close()

    assert heard[0] == heard[1]

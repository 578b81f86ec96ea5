"""The new-game form: short for a table that just wants to start, and it keeps all entries after a mistake."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from companion.games.andromeda import GAME
from companion.games.andromeda.options import RULINGS
from companion.kernel.errors import Malformed
from companion.records import replay
from tests.web.games.andromeda.room import Room
from tests.web.markup import flat
from web.games.andromeda.pages import PAGES
from web.games.andromeda.setup.new_game import NEW_GAME

FULL = {
    "players": "3",
    "name1": "Ana",
    "colour1": "green",
    "name2": "Ben",
    "colour2": "red",
    "name3": "Cem",
    "colour3": "black",
    "first": "2",
    "trade_record": "off",
    "show_odds": "on",
    "label_p1": "Saturn",
    "value_p1_0": "12",
}


def game_of(header: object) -> dict[str, object]:
    """Return the header without the fields that all games share, as the rules read it."""
    assert isinstance(header, dict)
    return {name: value for name, value in header.items() if name not in ("record", "version", "game")}


def test_an_untouched_form_is_a_game_of_four() -> None:
    """Defaults: one tap starts a game on the example board, with the players named after their colours."""
    header = PAGES.header({})

    assert [player["name"] for player in header["players"]] == ["Red", "Blue", "Green", "Yellow"]
    assert header["first"] == "red"
    assert "options" not in header
    assert GAME.start(game_of(header)).setting.board.example


def test_a_full_form_says_it_all() -> None:
    """Form: the header has the seats in order with the oldest first, the rulings, and the board's own values."""
    header = PAGES.header(FULL)

    assert header["players"][0] == {"colour": "green", "name": "Ana"}
    assert header["first"] == "red"
    assert header["options"] == {"trade_record": "off", "show_odds": True}
    assert header["board"]["planets"][0] == {"id": "p1", "label": "Saturn", "centres": [12, 7, 5]}
    assert not GAME.start(game_of(header)).setting.board.example


def test_renamed_planets_with_the_invented_values_stay_an_example() -> None:
    """Example profile: new labels without new values still count as the example board."""
    header = PAGES.header({"label_p1": "Saturn"})

    assert GAME.start(game_of(header)).setting.board.example


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"colour1": "blue"}, "both have blue"),
        ({"colour1": "pink"}, "Seat 1"),
        ({"name1": "Ana", "name2": "Ana"}, "Two players are called Ana"),
        ({"name1": "x" * 19}, "up to 18 letters"),
        ({"value_p3_1": "0"}, "Stripes"),
        ({"value_p3_1": "100"}, "1 to 99"),
        ({"value_p3_1": "ten"}, "number from 1 to 99"),
        ({"value_p3_1": "²"}, "number from 1 to 99"),
        ({"label_p3": "x" * 17}, "up to 16 letters"),
    ],
)
def test_a_mistake_is_named(wrong: dict[str, str], says: str) -> None:
    """Mistakes: a wrong field is refused with one sentence that names the field and the problem."""
    with pytest.raises(Malformed, match=says):
        PAGES.header(wrong)


def test_unusual_values_are_asked_again_and_then_taken() -> None:
    """New game: values outside 4 to 14 need a confirmation, since a typing mistake would spoil the whole game."""
    with pytest.raises(Malformed, match=r"Ringworld 17.*4 to 14"):
        PAGES.header({"value_p1_0": "17"})

    header = PAGES.header({"value_p1_0": "17", "sure": "on"})

    assert header["board"]["planets"][0]["centres"] == [17, 7, 5]


def test_nothing_is_lost_on_a_mistake(room: Room) -> None:
    """Mistakes: the page comes back with all entered values and the reason at the top."""
    room.look("/new")
    send = room.page.find("Start game")
    assert send.fields is not None

    answer = room.client.post(
        send.address, data={**send.fields, **FULL, "colour2": "green"}, follow_redirects=True
    ).get_data(as_text=True)

    assert "Ana and Ben both have green" in answer
    assert 'value="Saturn"' in answer
    assert 'name="value_p1_0" value="12"' in flat(answer)
    assert 'name="trade_record" value="off" checked' in flat(answer)


def test_the_form_puts_a_game_on_the_table(room: Room) -> None:
    """New game: if the form is sent unchanged, the next page is the set-up of the oldest player."""
    room.look("/new?" + urlencode(FULL))
    send = room.page.find("Start game")
    assert send.fields is not None

    room.client.post(send.address, data={**send.fields, **FULL})

    assert "Ben's cards" in room.look().text


def test_the_next_game_starts_from_the_last_one() -> None:
    """A form filled in from a header produces the same header again."""
    header = PAGES.header(FULL)

    assert PAGES.header(NEW_GAME.filled(header)) == header


def test_every_ruling_is_one_the_rules_know() -> None:
    """Rulings: the form has every ruling of the rules, with its usual value first."""
    for ruling in RULINGS:
        for word in ruling.words:
            header = PAGES.header({ruling.name: word})
            start = GAME.start(game_of(header))
            assert getattr(start.options, ruling.name) == ruling.written(word)
        assert "options" not in PAGES.header({ruling.name: ruling.usual})


def test_the_demo_is_a_game_to_look_around_with() -> None:
    """Demo: four players are at the first action, and the companion may draw for them."""
    state = replay({GAME.name: GAME}, enumerate(PAGES.demo(), 1)).state

    assert len(state.players) == 4
    assert (state.phase, state.turn, state.actions_left) == ("actions", "red", 3)
    assert state.options.virtual_ring

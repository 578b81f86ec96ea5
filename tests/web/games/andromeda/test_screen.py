"""The big screen of a game of Andromeda: board, ring and points, but no face-down card."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.games.andromeda.room import Room

EVERYTHING = "/screen?parts=turn,score,clock,story,board,attempt,chance,draws"
ALL_BUT_THE_STORY = EVERYTHING.replace("story,", "")


def seen(room: Room, address: str = EVERYTHING) -> str:
    """Return the whole page as it is sent to a TV on which no PIN was entered."""
    return room.app.test_client().get(address).get_data(as_text=True)


def seated(room: Room, colour: str) -> str:
    """Return the same page on the phone of a seat."""
    pin = room.look("/join").text.partition("PIN")[2]
    digits = "".join(filter(str.isdigit, pin))[:6]
    phone = room.app.test_client()
    token = (
        phone.get(f"/join?pin={digits}").get_data(as_text=True).partition('name="csrf" value="')[2].partition('"')[0]
    )
    assert phone.post("/join", data={"csrf": token, "pin": digits, "seat": colour}).status_code == 303
    return phone.get(ALL_BUT_THE_STORY).get_data(as_text=True)


def test_a_card_that_lies_face_down_makes_no_difference(rooms: Callable[..., Room]) -> None:
    """Hiding: the screen is identical for two tables that differ only in a face-down card."""
    one, other = (
        rooms().in_trading().do("lay", player="red", card="p1").do("lay", player="blue", card=card)
        for card in ("p3", "p7")
    )

    assert seen(one) == seen(other)


def test_a_card_that_was_taken_back_unseen_makes_no_difference(rooms: Callable[..., Room]) -> None:
    """Hiding: the screen is also identical if that card was taken back before the others were turned over."""
    one, other = (
        rooms()
        .in_trading()
        .do("lay", player="red", card="p1")
        .do("lay", player="blue", card=card)
        .do("undo")
        .others_lay()
        for card in ("p3", "p7")
    )

    assert seen(one) == seen(other)


def test_credits_in_hand_make_no_difference_until_the_end(rooms: Callable[..., Room]) -> None:
    """Hiding: tables that differ only in credits in hand show the same points, on a seat's phone too."""
    one, other = (
        rooms().in_actions().do("correct", player="blue", bonus={kind: 1}, reason="recount")
        for kind in ("gold", "platinum")
    )

    assert seen(one, ALL_BUT_THE_STORY) == seen(other, ALL_BUT_THE_STORY)
    assert _shown(seated(one, "blue")) == _shown(seen(one, ALL_BUT_THE_STORY))


def _shown(page: str) -> str:
    return page.partition('id="page"')[2]


@pytest.mark.parametrize(
    ("parts", "odds", "told"), [("", False, False), ("", True, True), ("attempt,chance", False, True)]
)
def test_the_chance_is_shown_where_the_table_shows_odds_or_the_address_asks(
    rooms: Callable[..., Room], parts: str, odds: bool, told: bool
) -> None:
    """Screen: if the table plays without odds, its TV shows none; a stream can request them in the URL."""
    room = rooms(show_odds=odds).in_actions().attempt()
    page = seen(room, f"/screen?parts={parts}" if parts else "/screen")

    assert ("chance of a centre" in page) == told


def test_the_ring_takes_the_place_of_the_board(room: Room) -> None:
    """Screen: an attempt is shown instead of the board, until the next move."""
    room.in_actions()
    assert 'class="worlds"' in seen(room)

    room.attempt()
    assert "Ana at " in seen(room)
    assert 'class="worlds"' not in seen(room)
    room.out("red")
    assert "Ana takes the " in seen(room)
    room.do("end_turn", player="red")
    assert 'class="worlds"' in seen(room)

"""What can I do now? Each seat's possible actions, and the reasons why the others aren't possible."""

from __future__ import annotations

import re
from collections.abc import Callable

from companion.model.game import Viewer
from tests.web.games.andromeda.room import Room
from web.games.andromeda.pages import possible
from web.request.game_pages import Look

Rooms = Callable[..., Room]


def things(room: Room, seat: str) -> dict[str, str]:
    """Return the seat's actions by label, each with the reason why it isn't possible, or ""."""
    whose = possible(Look(room.snapshot, Viewer(seat), may_act=True))["whose"]
    return {str(thing.words): str(thing.reason) for thing in whose[0].things}


def test_the_seat_on_the_move_comes_first(room: Room) -> None:
    """Now: the page for everybody lists the player on the move first, and says that the others wait for that player."""
    whose = possible(Look(room.in_actions().snapshot, may_act=True))["whose"]

    assert [one.face.name for one in whose] == ["Ana", "Ben", "Cem", "Dora"]
    assert [str(one.waits) for one in whose[1:]] == ["Waiting for Ana."] * 3


def test_actions_stand_with_their_reasons(room: Room) -> None:
    """Now: the list has all five actions and the end of the turn, with a reason for each impossible action."""
    found = things(room.in_actions().do("correct", player="red", reason="x", ship=4), "red")

    assert len(found) == 6
    assert [words for words, reason in found.items() if reason] == ["Bigger ship"]


def test_each_phase_says_what_it_waits_for(rooms: Rooms) -> None:
    """Now: set-up, deal, transport, trading and an attempt have their own lists."""
    room = rooms()
    assert "tap their planets" in room.look("/help").text
    room.set_up()
    assert things(room, "red")["Fly two stations from Earth to a planet"] == ""
    for colour in room.state.colours:
        room.do("transport", player=colour, move="pass")
    trading = things(room, "red")
    assert trading["Play a card"] == ""
    assert "at least two cards" in trading["Swap your whole set with a player"]
    assert things(rooms().in_actions().attempt(), "red")["Stop drawing"] != ""


def test_no_reason_gives_a_hidden_credit_away(rooms: Rooms) -> None:
    """Now: a player who may have to sit out sees the same list whether or not they hold a hidden credit."""
    room = rooms().in_trading()
    room.do("correct", player="blue", reason="x", bonus={"silver": 1}).do("lay", player="red", card="p1")

    assert "silver" not in " ".join(things(room, "blue").values())


def test_one_tap_from_each_to_the_page_that_does_it(room: Room) -> None:
    """Now: each possible action links to a page that exists."""
    room.in_actions()
    for thing in possible(Look(room.snapshot, may_act=True))["whose"][0].things:
        assert room.client.get(thing.address, follow_redirects=True).status_code == 200


def test_every_link_of_the_evenings_menu_answers(room: Room) -> None:
    """The menu has seven rows, and each link leads to a page of this server."""
    page = room.in_actions().look("/table/menu")
    links = [tap.address for tap in page.taps if tap.fields is None and tap.address]

    assert len(re.findall(r'class="act(?: go)?"', page.html)) == 7
    assert {"/help", "/history", "/table/correct", "/join", "/table/menu?of=settings", "/table/menu?of=end"} <= set(
        links
    )
    for link in links:
        assert room.client.get(link, follow_redirects=True).status_code == 200, link

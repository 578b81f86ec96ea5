"""Every page of a game in the pseudo-language: all texts are translated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.games.andromeda.board import EXAMPLE
from companion.ports.ring import RingEventKind, RingState, RingView
from tests.web.games.andromeda.room import NAMES, Room
from tests.web.games.andromeda.test_seat_page import Phone
from tests.web.pretended import PSEUDO, pretend, unsaid, walked

Rooms = Callable[..., Room]
Read = Callable[[FlaskClient, str], dict[str, str]]
OURS = (*NAMES, *(planet.label for planet in EXAMPLE.planets), "Or", "Pu", "Wh", "Wo")
"""Players, planets, and the marks on cubes of colours without a shape of their own."""


def at_trading(room: Room) -> None:
    room.in_trading().do("lay", player="red", card="p1")


def swapping(room: Room) -> None:
    room.in_trading().both_laid().do("swap", player="red", **{"with": "blue"})


def drawing(room: Room) -> None:
    room.in_actions().attempt().out("blue").out(None, ("red", 0.6), ("green", 0.4), why="ambiguous")


def two_at_once(room: Room) -> None:
    room.in_actions().attempt().out(None, ("red+blue", 0.6), kind=RingEventKind.PAIR)


def over(room: Room) -> None:
    room.in_actions().attempt(3).out("red")


def put_right(room: Room) -> None:
    room.in_actions().do("correct", player="red", reason="put right by hand", hand=5)
    room.do("correct", player="red", reason="x", bonus={"gold": 1}).do("exchange", player="red", cards=2)
    room.do("move", player="red", planet="p1", cards=2, jokers=["gold"], stations=1).do("end_turn", player="red")


def paused(room: Room) -> None:
    room.in_actions()
    room.client.post("/table/pause", data={"csrf": _csrf(room)})


def ended(room: Room) -> None:
    room.in_actions()
    for planet in ("p1", "p2", "p3"):
        for slot, colour in enumerate(("red", "blue", "green")):
            room.do("correct", player=colour, reason="x", move={"from": planet, "to": f"{planet}/{slot}", "count": 1})
    for colour in room.state.colours:
        room.do("end_turn", player=colour)


def without_ring(room: Room) -> None:
    room.ring.view = RingView(RingState.SILENT)
    room.in_actions().attempt()


def _csrf(room: Room) -> str:
    return str(next(tap.fields["csrf"] for tap in room.look("/table/menu").taps if tap.fields))


STATES: dict[str, Callable[[Room], object]] = {
    "set-up": lambda room: None,
    "transport": Room.set_up,
    "trading": at_trading,
    "swapping": swapping,
    "actions": Room.in_actions,
    "drawing": drawing,
    "two at once": two_at_once,
    "an attempt over": over,
    "put right": put_right,
    "paused": paused,
    "without a ring": without_ring,
    "the end": ended,
}


SAME = ("act/move", "act/ship", "act/technology", "ask", "clock", "correct", "times")
FULLEST = ("actions", "put right")
"""Pages that are the same in every state that links to them, and the states in which they show most."""
ONLY_LONG = ("transport", "swapping", "two at once", "put right", "paused", "without a ring")
"""States in which a phone shows nothing that isn't shown in another state too, on a phone or the tablet."""


def marks(state: str) -> list[pytest.MarkDecorator]:
    """Return the pytest marks for *state*'s phones; some run only with `--long`."""
    return [pytest.mark.long] if state in ONLY_LONG else []


@pytest.fixture
def read(request: pytest.FixtureRequest) -> Read:
    """Return a function that reads all pages linked from the table; pages equal everywhere only in a full state."""

    def pages(client: FlaskClient, state: str) -> dict[str, str]:
        everything = state in FULLEST or request.config.getoption("long")
        return walked(client, "/table", within="/table", but=() if everything else [f"/table/{each}" for each in SAME])

    return pages


@pytest.fixture
def speaking(rooms: Rooms, tmp_path: Path) -> Iterator[Callable[..., Room]]:
    """Rooms whose tablet uses the pseudo-language."""

    def room(**options: object) -> Room:
        made = rooms(**options)
        pretend(made.app, made.client, tmp_path)
        return made

    yield room


@pytest.mark.parametrize("state", STATES)
def test_every_word_of_a_page_was_looked_up(speaking: Callable[..., Room], read: Read, state: str) -> None:
    """Languages: no page linked from the table shows a text that isn't in a catalogue."""
    room = speaking(show_odds=True, transport_as_action=True, allow_overpay=True)
    STATES[state](room)

    pages = read(room.client, state)

    assert len(pages) > 2
    assert {address: found for address, html in pages.items() if (found := unsaid(html, OURS))} == {}


@pytest.mark.parametrize("state", [pytest.param(each, marks=marks(each)) for each in STATES])
def test_every_word_on_a_phone_was_looked_up(speaking: Callable[..., Room], read: Read, state: str) -> None:
    """Languages: phones of the player on the move and of a waiting player show no text that isn't in a catalogue."""
    room = speaking(show_odds=True)
    STATES[state](room)
    phones = [Phone(room, seat) for seat in ("red", "blue")]

    for phone in phones:
        phone.client.set_cookie("language", PSEUDO.code)
        pages = read(phone.client, state)

        assert {address: found for address, html in pages.items() if (found := unsaid(html, OURS))} == {}


def test_every_word_of_the_house_was_looked_up(speaking: Callable[..., Room]) -> None:
    """Languages: all other pages, from the start page on, show no text that isn't in a catalogue."""
    room = speaking()
    put_right(room)

    ways_in = ("/", "/table/menu", "/table/undo", "/help", "/welcome")
    pages = walked(room.client, *ways_in, but=("/table/act", "/table/correct"))  # both were read in the same state

    assert {"/new", "/history", "/ring", "/games", "/device"} <= set(pages)
    assert {address: found for address, html in pages.items() if (found := unsaid(html, OURS))} == {}


def test_what_is_not_looked_up_is_found() -> None:
    """Languages: the check finds untranslated words outside brackets, next to names, and in titles."""
    assert unsaid("<p>⟦Go <b>⟦on⟧</b>⟧ Ana, 3 ms</p>", ("Ana",)) == []
    assert unsaid('<p title="Go on">⟦x⟧ Ana lays</p>', ("Ana",)) == ["Ana lays", "Go on"]

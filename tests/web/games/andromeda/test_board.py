"""The board: the last move and its points, planets that are nearly full, and an attempt that stays in sight."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from companion.session.commands import Undo
from tests.web.games.andromeda.room import HOST, Room
from web.games.andromeda.components.board import BoardPlanet, StationStanding, holdings

Rooms = Callable[..., Room]


def world(room: Room, planet: str, path: str = "board") -> BoardPlanet:
    """Return the planet *planet* as the board shows it."""
    worlds: tuple[BoardPlanet, ...] = room.scene(path)["picture"].worlds
    return next(one for one in worlds if one.planet.id == planet)


def marked(stations: tuple[StationStanding, ...]) -> dict[str, str]:
    """Return the stations that the last move changed, with the change as text."""
    return {one.face.colour: one.changed for one in stations if one.moved}


def take(room: Room, planet: str, *colours: str) -> None:
    """Correct the board so that *colours* have the first centres of *planet*."""
    for slot, colour in enumerate(colours):
        room.do("correct", player=colour, reason="x", move={"from": planet, "to": f"{planet}/{slot}", "count": 1})


def test_the_last_move_says_what_came_from_where_to_where(room: Room) -> None:
    """Last move: stations are marked where they left and where they arrived, with their number."""
    room.in_actions().do("move", player="red", planet="p5", cards=4, stations=2)

    assert marked(world(room, "p5").stations) == {"red": "+2"}
    assert marked(room.scene()["picture"].earth) == {"red": "\N{MINUS SIGN}2"}
    assert not marked(world(room, "p4").stations)


def test_the_last_move_is_told_in_words_beside_the_board(room: Room) -> None:
    """Last move: one sentence names the player and the move; after an attempt, the page lists the draws instead."""
    room.in_actions().do("move", player="red", planet="p5", cards=4, stations=2)
    text = room.look("/table/board").text
    room.do("establish", player="red", planet="p1", cards=4).do("draw", colour="red")

    assert "Ana plays 4 Crescent and moves 2 stations" in text
    assert room.scene("board")["moved"] == ""


def test_a_marker_that_went_up_is_marked_on_its_track(room: Room) -> None:
    """Tracks: only the level that a player has just reached is marked."""
    room.in_actions().do("technology", player="red", planet="p1", cards=3)

    levels = room.scene()["picture"].technology

    assert [level.new for level in levels] == ["", "red", "", ""]


def test_the_score_shows_what_the_last_move_gave(room: Room) -> None:
    """Score: each station that leaves Earth costs a point, and a technology level gives the points on its track."""
    room.in_actions().do("move", player="red", planet="p5", cards=4, stations=2)
    moved = [one.gained for one in room.scene()["scores"]]
    room.do("technology", player="red", planet="p1", cards=3)

    assert moved == ["\N{MINUS SIGN}2", "", "", ""]
    assert [one.gained for one in room.scene()["scores"]] == ["+1", "", "", ""]


def test_an_attempt_counts_as_one_move_for_everybody_it_touched(room: Room) -> None:
    """Score: the winner of a centre gets its value, and the owner of a station that flew home a point on Earth."""
    room.in_actions().do("establish", player="red", planet="p1", cards=4)
    room.do("draw", colour="blue").do("draw", colour="red")

    assert [one.gained for one in room.scene()["scores"]] == ["+9", "+1", "", ""]
    assert [slot.new for slot in world(room, "p1").slots] == [True, False, False]


def test_a_move_that_was_taken_back_is_not_the_last_one(room: Room) -> None:
    """Undo: after an undo, the move before is shown as the last move."""
    room.in_actions().do("move", player="red", planet="p5", cards=4, stations=2)
    room.do("move", player="red", planet="p4", cards=4, stations=1)

    room.table.execute(Undo(), HOST)

    assert marked(world(room, "p5").stations) == {"red": "+2"}
    assert not marked(world(room, "p4").stations)


def test_nothing_is_marked_once_the_next_round_has_begun(room: Room) -> None:
    """Last move: points gained in a round are only marked until the round ends."""
    room.in_actions().do("technology", player="red", planet="p1", cards=3)
    for colour in room.state.colours:
        room.do("end_turn", player=colour)
    room.do("deal")

    assert {one.gained for one in room.scene("board")["scores"]} == {""}


def test_a_world_with_one_centre_left_says_so_and_a_full_one_too(room: Room) -> None:
    """Planets: the board shows which planets are nearly full or full, and how many full ones start the last round."""
    room.in_actions()
    take(room, "p1", "red", "blue")
    take(room, "p2", "red", "blue", "green")

    page = room.look("/table/board")

    assert [world(room, planet).free for planet in ("p1", "p2", "p3")] == [1, 0, 3]
    assert page.text.count("one left") == 1
    assert "1 of 3 planets full" in page.text


@pytest.mark.parametrize(
    ("full", "words"),
    [(0, "Stripes is full"), (1, "Stripes is full"), (2, "Stripes is full. Last round."), (3, "Stripes is full")],
)
def test_the_result_says_that_a_planet_is_full(room: Room, full: int, words: str) -> None:
    """Result: a planet that became full is announced without numbers; the third one adds that it is the last round."""
    room.in_actions()
    for planet in ("p5", "p6", "p7")[:full]:
        take(room, planet, "red", "blue", "green")
    take(room, "p3", "green", "blue")
    room.do("correct", player="red", reason="x", move={"from": "earth", "to": "p3", "count": 1})
    room.do("establish", player="red", planet="p3", cards=4, jokers=[], bonus=True).do("draw", colour="red")

    filled = re.search(r'class="filled">([^<]*)<', room.look().html)
    screen, board = room.look("/screen").text, room.look("/table/board").text

    assert filled is not None and filled[1] == words
    assert words in screen
    assert f"{full + 1} of 3 planets full" in board if full < 2 else f"{full + 1} planets full" in board
    assert not re.search(r"[4-9] of 3", screen + board + room.look("/help?ask").text)


def test_a_full_world_offers_no_attempt(room: Room) -> None:
    """Planets: a tap on a planet leads to an attempt there, unless the planet is full."""
    room.in_actions()
    take(room, "p2", "red", "blue", "green")

    addresses = [tap.address for tap in room.look().taps]

    assert "/table/act/establish?planet=p1" in addresses
    assert "/table/act/establish?planet=p2" not in addresses


def test_every_piece_of_the_board_can_be_found_on_the_page(room: Room) -> None:
    """Movement: each place with stations is marked with its owner, so that the page can animate moves."""
    room.in_actions()
    take(room, "p2", "red")
    room.look("/table/board")

    spots = set(re.findall(r'data-spot="([^"]+)"', room.page.html))

    assert set(holdings(room.state)) <= spots
    assert "red@p2/0" in spots


def test_what_stands_where_adds_up_to_every_station(room: Room) -> None:
    """Movement: the positions that a page stores include all pieces of a player, technology markers too."""
    room.in_actions()
    take(room, "p2", "red")

    held = [count for spot, count in holdings(room.state).items() if spot.startswith("red@")]

    assert sum(held) == 22


def test_an_attempt_that_is_over_stays_in_sight_with_the_next_thing_to_do(room: Room) -> None:
    """Attempt: the page shows the result and the stations that flew home, and links to every action."""
    room.in_actions().do("establish", player="red", planet="p1", cards=4).do("draw", colour="red")

    page = room.look()

    assert "Ana takes the 9 at Ringworld" in page.text
    assert "+9 Ana" in page.text
    assert page.find("Move stations").address == "/table/act/move"
    assert page.find("End turn").fields


def test_the_board_is_one_tap_away_from_an_attempt_that_is_over(room: Room) -> None:
    """During an attempt, a link leads from the ring to the board, where actions are offered too."""
    room.in_actions().do("establish", player="red", planet="p1", cards=4).do("draw", colour="red").look()

    page = room.tap("Board")

    assert "1 point each" in page.text
    assert page.find("End turn").fields


def test_the_game_goes_on_from_the_board(room: Room) -> None:
    """The result of an attempt disappears with the next line of the game."""
    room.in_actions().do("establish", player="red", planet="p1", cards=4).do("draw", colour="red")

    room.do("exchange", player="red", cards=1)

    assert "+9 Ana" not in room.look().text


def test_the_chance_of_an_attempt_is_told_when_it_is_over(rooms: Rooms) -> None:
    """A table may hide the odds during an attempt; they are shown afterwards, when they no longer help anybody."""
    room = rooms(show_odds=False).in_actions().do("establish", player="red", planet="p1", cards=4)
    before = room.look().text
    room.do("draw", colour="blue").do("draw", colour="green")

    assert "%" not in before
    assert "The chance was 45%" in room.look().text


def test_what_must_lie_stands_once_beside_the_result(room: Room) -> None:
    """Attempt: the page shows the question about the stations left on the planet once, not twice."""
    room.in_actions().do("establish", player="red", planet="p1", cards=4).do("draw", colour="red")

    assert room.look().text.count("Should be left on Ringworld") == 1


def test_the_draws_say_where_each_station_went(room: Room) -> None:
    """If another player's station is drawn, it is shown as flown to Earth."""
    room.in_actions().attempt().do("draw", colour="blue")

    falls = room.scene()["falls"]

    assert [fall.words for fall in falls if fall.face] == ["flew to Earth"]


def test_the_end_tells_what_decided_it(room: Room) -> None:
    """Final page: one sentence says what gave the winner the lead, and a link leads to the course of the game."""
    room.in_actions()
    for planet in ("p1", "p2", "p3"):
        take(room, planet, "red", "blue", "green")
    for colour in room.state.colours:
        room.do("end_turn", player=colour)

    page = room.look()

    assert "7 points ahead of Ben. Centres made the difference." in page.text
    assert page.find("How it went").address.endswith("/after?screen=course")

"""The 3-2-1 countdown is shown on every page and device, counted by one clock."""

from __future__ import annotations

import re

import pytest

from companion.session.commands import AllReady, Pause
from tests.web.games.andromeda.room import HOST, Room
from tests.web.games.andromeda.test_seat_page import Phone

NUMBERS = re.compile(r"<b data-seconds[^>]*\s*>(\d+)</b")
WITH_GAPS = {
    "/table/board": "the board",
    "/games/1/after": "a game's page",
    "/device": "the device's wishes",
    "/screen?parts=clock,turn": "a screen",
}


@pytest.fixture
def counting(room: Room) -> Room:
    """A table where all have played a card and the countdown runs."""
    room.in_trading().do("lay", player="red", card="p1")
    room.table.execute(AllReady(), HOST)
    room.wait(0.7)
    return room


def pages(room: Room) -> set[str]:
    """Return the addresses of all pages, with values filled in for those that need parameters."""
    rules = [rule for rule in room.app.url_map.iter_rules() if rule.methods and "GET" in rule.methods]
    return {rule.rule for rule in rules if not rule.arguments} | set(WITH_GAPS)


def is_page(html: str) -> bool:
    """Return whether *html* is a page that follows the table, not a file, a picture or a standalone page."""
    return 'id="page"' in html and "/static/live.js" in html


def test_every_page_counts(counting: Room) -> None:
    """3-2-1: every page of the service has one cover with its end time, and the script that counts."""
    looked, without = 0, []
    for address in sorted(pages(counting)):
        answer = counting.client.get(address, follow_redirects=True)
        if answer.mimetype != "text/html" or not is_page(html := answer.get_data(as_text=True)):
            continue
        looked += 1
        there = html.count("data-cover hidden"), html.count('id="clock"'), html.count("/static/clock.js")
        without += [] if there == (1, 1, 1) else [(address, there)]

    assert without == []
    assert looked >= 25


def test_a_seat_counts_before_its_next_step(counting: Room) -> None:
    """3-2-1: a player's phone shows the 3 on its dial, not the seconds of the next step."""
    phone = Phone(counting, "blue").look().html

    assert "data-cover hidden" in phone
    assert set(NUMBERS.findall(phone)) <= {"3"}


@pytest.mark.parametrize("address", ["/table", "/screen?parts=clock,turn"])
def test_a_dial_counts_along(counting: Room, address: str) -> None:
    """3-2-1: tablet and TV show the number of the countdown instead of their dial's seconds."""
    assert NUMBERS.findall(counting.look(address).html) == ["3"]


def test_a_page_that_swaps_gets_what_counts(counting: Room) -> None:
    """3-2-1: a fragment that replaces part of a page names the clock's scripts, for every device."""
    part = counting.client.get("/help?cards", headers={"X-Part": "main"}).get_data(as_text=True)

    assert re.search(r'data-js="[^"]*server_time clock"', part)


def test_nothing_is_counted_while_the_game_is_paused(counting: Room) -> None:
    """3-2-1: a pause stops the countdown, so every page removes the cover."""
    counting.table.execute(Pause(), HOST)

    assert "data-cover" not in counting.look("/table").html
    assert "data-cover" not in counting.look("/help?cards").html

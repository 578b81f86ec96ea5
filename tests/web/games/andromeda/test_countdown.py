"""Three, two, one is counted over every page, from one source, whoever looks and whatever their device shows."""

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
    """A table at which all have laid: three, two, one is counted."""
    room.in_trading().do("lay", player="red", card="p1")
    room.table.execute(AllReady(), HOST)
    room.wait(0.7)
    return room


def pages(room: Room) -> set[str]:
    """Return the addresses of all pages that need nothing more in theirs."""
    rules = [rule for rule in room.app.url_map.iter_rules() if rule.methods and "GET" in rule.methods]
    return {rule.rule for rule in rules if not rule.arguments} | set(WITH_GAPS)


def is_page(html: str) -> bool:
    """Return whether *html* is a page that follows the table, not a file, a picture or a page on its own."""
    return 'id="page"' in html and "/static/live.js" in html


def test_every_page_counts(counting: Room) -> None:
    """3-2-1: each page of the service has the one cover, what it counts by, and the script that counts."""
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
    """3-2-1: the phone of a player shows the three on its dial, not the seconds of the step that comes next."""
    phone = Phone(counting, "blue").look().html

    assert "data-cover hidden" in phone
    assert set(NUMBERS.findall(phone)) <= {"3"}


@pytest.mark.parametrize("address", ["/table", "/screen?parts=clock,turn"])
def test_a_dial_counts_along(counting: Room, address: str) -> None:
    """3-2-1: tablet and screen show the number that is counted in the place of their dial's seconds."""
    assert NUMBERS.findall(counting.look(address).html) == ["3"]


def test_a_page_that_swaps_gets_what_counts(counting: Room) -> None:
    """3-2-1: the part of a page that is swapped in names the scripts of the clock, wherever the device is."""
    part = counting.client.get("/help?cards", headers={"X-Part": "main"}).get_data(as_text=True)

    assert re.search(r'data-js="[^"]*server_time clock"', part)


def test_nothing_is_counted_while_the_game_is_paused(counting: Room) -> None:
    """3-2-1: a pause takes the cover away everywhere, as nothing runs."""
    counting.table.execute(Pause(), HOST)

    assert "data-cover" not in counting.look("/table").html
    assert "data-cover" not in counting.look("/help?cards").html

"""The pages of the open draw table: new table, draws, handing over, returning, counts, tower, questions and end."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest

from companion.games.draws import GAME
from companion.records import replay
from companion.records.export import as_csv, as_play
from companion.session.live_game import LiveGame
from companion.session.table import Table
from companion.speech import narrated
from tests.web.games.draws.draw_house import DrawHouse
from tests.web.markup import flat
from tests.web.pretended import walked
from tests.web.served_house import HOST

FOREIGN = re.compile(
    r"andromeda|planet|\bearth\b|\bcentre\b|station|transport|trading|credit|joker|\bship\b|attempt|your board", re.I
)
"""Words that belong to Andromeda; the ring's own pages, which describe cubes in general, are left out."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[DrawHouse]:
    """A server with the draw table, and no game on it."""
    made = DrawHouse(tmp_path)
    yield made
    made.ledger.close()


def draw(colour, **more):
    """Return the line for one drawn cube."""
    return {"do": "draw", "colour": colour, **more}


def lines_on(page):
    """Return the lines that the buttons of *page* send."""
    return [json.loads(html.unescape(found)) for found in re.findall(r'name="line"\s+value="([^"]*)"', page)]


def pages_from(browser, *starts, but=()):
    """Return every page that links lead to, except the ring's own and those that begin with one of *but*."""
    found = walked(browser.client, *starts, but=but)
    return {address: text for address, text in found.items() if not urlsplit(address).path.startswith("/ring")}


def test_a_table_is_set_out_by_tapping(house):
    """New table: a tap adds one cube, five cubes or a seat's next colour, and all entered values are kept."""
    host = house.host()
    page = flat(host.get("/new?game=draws&c_red=4&five=red&players=2&name1=Ana&paint=2&own=Turquoise"))

    assert 'name="c_red" value="9"' in page and 'name="c_turquoise" value="1"' in page
    assert 'name="name1" value="Ana"' in page and 'name="colour2" value="green"' in page
    filled = {"c_red": "9", "c_turquoise": "1", "players": "2", "name1": "Ana", "colour2": "green", "tower": "on"}
    assert host.post("/new", game="draws", keep="The bag", **filled) == (303, "/table")
    assert house.snapshot.header["contents"] == {"red": 9, "turquoise": 1}
    assert [each["name"] for each in house.snapshot.header["players"]] == ["Ana", "Green"]
    again = flat(host.get("/new?game=draws"))
    assert 'name="c_turquoise" value="1"' in again and 'name="copy" value="The bag"' in again


@pytest.mark.parametrize(
    ("filled", "reason"),
    [
        ({}, "Tap at least one cube, or the tower."),
        ({"c_red": "1", "players": "2", "name1": "Ana", "name2": "Ana"}, "Two players are called Ana."),
        ({**{f"c_{n}": "1" for n in range(13)}}, "Up to 12 colours fit on one table."),
        ({"c_red": "many"}, "How many cubes: a number from 0 to 999."),
    ],
)
def test_what_cannot_be_set_out_comes_back(house, filled, reason):
    """New table: a refusal names the mistake, and no table is opened."""
    _, page = house.host().post("/new", follow=True, game="draws", **filled)

    assert reason in page
    assert house.snapshot.game is None


def test_one_tap_draws_and_another_hands_the_ring_on(house):
    """Table: a tap on a cube draws it for the seat that has the ring; a phone can only draw for its own seat."""
    house.opened()
    host, phone = house.host(), house.phone("blue")
    house.tap(host, {"do": "take", "player": "red"}).tap(host, draw("red"))
    house.tap(phone, draw("orange", player="blue")).tap(phone, draw("red", player="red")).tap(phone, {"do": "finish"})

    assert {seat: dict(held) for seat, held in house.snapshot.state.holds.items()} == {
        "red": {"red": 1},
        "blue": {"orange": 1},
    }
    assert not house.snapshot.state.finished
    assert "6 inside" in host.get("/table")
    assert draw("red", player="blue") in lines_on(phone.get("/table"))


def test_the_end_of_a_turn_hands_the_ring_to_the_next_seat(house):
    """Table: the host passes the ring to the next seat in order; a phone can only take it for its own seat."""
    house.opened({"do": "take", "player": "red"})
    host, phone = house.host(), house.phone("blue")

    assert lines_on(phone.get("/table")).count({"do": "take", "player": "blue"}) == 3
    house.tap(host, {"do": "take", "player": "blue"})
    assert house.snapshot.state.taker == "blue"
    assert {"do": "take", "player": "red"} not in lines_on(phone.get("/table"))


def test_a_phone_has_the_band_of_its_player(house):
    """Phones: the band shows who draws and what the player has drawn, even on the table's other pages."""
    house.opened(draw("red", player="blue"), {"do": "take", "player": "red"})
    phone = house.phone("blue")
    pages = [flat(phone.get(path)) for path in ("/table", "/table/odds", "/table/tally")]

    assert all('class="band blue"' in page and "1 drawn" in page and 'class="bar"' not in page for page in pages)
    assert "Ana draws" in pages[0] and "You are Ben" in pages[0]
    assert "You draw, Ana" in house.phone("red").get("/table")
    assert 'class="band' not in house.host().get("/table")


def test_handfuls_are_tapped_together(house):
    """Handfuls: the chosen cubes are in the URL; the button sends one line, and only possible choices are offered."""
    host = house.opened(draw("red"), draw("blue")).host()

    assert {"do": "draw", "cubes": {"red": 2, "orange": 2}} in lines_on(host.get("/table/several?n=2,0,9"))
    assert "All 2 back" in host.get("/table/back")
    assert "new=purple" in host.get("/table/put")
    assert "All correct" in host.get("/table/count")
    counted = {"do": "correct", "reason": "counted", "inside": {"red": 1}}
    assert counted in lines_on(host.get("/table/count?n=1,2,2"))


def test_odds_are_shown_as_they_are(house):
    """Odds: the page shows the next draw by colour, and the chance of chosen colours in n draws, set in the URL."""
    host = house.opened().host()
    page = flat(host.get("/table/odds?mine=red&n=2"))

    assert "38%" in page and "3 of 8" in page
    assert "64%" in page
    assert "100%" in host.get("/table/odds?mine=red&n=6")


def test_a_tower_tells_what_is_stuck_over_time(house):
    """Tower: the page shows the cubes stuck now, and after each throw."""
    throws = (
        {"do": "throw", "cubes": {"red": 5}},
        {"do": "out", "cubes": {"red": 2}},
        {"do": "throw", "cubes": {"blue": 1}},
    )
    page = flat(house.opened(*throws, contents={}, tower={}).host().get("/table/tower"))

    assert "Stuck after each throw" in page
    assert page.count('class="pile"') == 2


def test_a_table_without_players_is_a_table(house):
    """A table without seats has no score and no clock, and all its pages still work."""
    host = house.opened(draw("orange"), players=[]).host()
    ways_in = ("/", "/table", "/table/menu", "/history", "/games", "/screen")
    pages = pages_from(host, *ways_in, but=("/help", "/ring", "/practice"))

    assert "Drawn: orange" in pages["/history"]
    assert "/table/clock" not in pages["/table/menu"]
    assert {address: FOREIGN.findall(text) for address, text in pages.items() if FOREIGN.search(text)} == {}


def test_every_page_of_an_evening_speaks_of_cubes(house):
    """Words: no page of the draw table, its menu, history, undo or rules contains a word of another game."""
    host = house.opened(draw("red", player="red"), {"do": "draw", "cubes": {"blue": 2, "orange": 1}}).host()
    pages = pages_from(host, "/table", "/table/undo", "/help", "/help?cards", "/screen?show=inside,draws,tower")

    assert {"/table/several", "/table/tally", "/help", "/history"} <= pages.keys()
    assert any(address.startswith("/help?card=odds") for address in pages)
    assert {address: FOREIGN.findall(text) for address, text in pages.items() if FOREIGN.search(text)} == {}


# The ring


def test_what_leaves_the_ring_is_a_draw(house):
    """The ring is armed with the cubes inside; a cube whose colour is certain is drawn for the seat with the ring."""
    house.opened({"do": "take", "player": "blue"})
    before = dict(house.table.order().under)
    house.came_out(("orange", 0.99))

    assert before == {"red": 3, "blue": 3, "orange": 2}
    assert dict(house.snapshot.state.holds["blue"]) == {"orange": 1}
    assert "data-stage" in house.host().get("/table", **{"X-Part": "main"})


def test_the_ring_asks_and_two_at_once_are_both_drawn(house):
    """If the ring is unsure, the page asks and offers every cube inside; if two cubes come out at once, both count."""
    host = house.opened().came_out(("red", 0.6), ("orange", 0.4)).host()
    page = flat(host.get("/table"))
    asked = house.snapshot.questions[0].id
    host.post("/table/answer", question=str(asked), chosen="orange")
    house.came_out(("red", 0.7), ("blue", 0.3), pair=True)
    both = house.snapshot.questions[0].id
    asking = host.get("/table")
    host.post("/table/answer", question=str(both), chosen="red+blue")

    assert "Which cube came out?" in page and 'value="blue"' in page
    assert "Two came out at once" in asking
    assert dict(house.snapshot.state.holds[""]) == {"orange": 1, "red": 1, "blue": 1}
    assert house.snapshot.left_over is None


def test_nobody_is_asked_what_is_left_when_a_table_is_closed(house):
    """Ring: a cube that comes out after the table was closed is reported, but not counted."""
    house.opened({"do": "finish"}).came_out(("red", 0.99), late=True)

    assert house.snapshot.left_over is None
    assert [str(notice.text) for notice in house.snapshot.notices] == [
        "One red cube came out while nobody was drawing. Not counted."
    ]
    assert 'href="/new?game=draws' in house.host().get("/table")


# The ledger and exports


def test_undo_goes_back_over_a_restart(house):
    """Ledger: a restarted table has the same state, and undo works as before."""
    house.opened(draw("red"), draw("blue"), {"do": "return"})
    again = Table(LiveGame(house.ledger, {GAME.name: GAME}, lambda: 1000.0, Random(1)))
    same = again.snapshot.state == house.snapshot.state
    for _ in range(3):
        again.do({"do": "undo"}, HOST)

    assert same
    assert dict(again.snapshot.state.inside) == {"red": 3, "blue": 3, "orange": 2}


def test_it_goes_out_in_each_form(house):
    """Export: the record replays to the same end, and the BG Stats play has no points."""
    house.opened(draw("red", player="red"), {"do": "draw", "cubes": {"blue": 2}}, {"do": "finish"})
    record = list(house.table.archive.record())
    (entry,), result = house.table.archive.games(), house.table.archive.result(1)
    play = as_play(entry, result, 70_000)

    assert replay({GAME.name: GAME}, enumerate(record, 1)).state == house.snapshot.state
    assert [row["do"] for row in csv.DictReader(io.StringIO(as_csv(house.table.archive.transcript_lines(1))))] == [
        "draw",
        "draw",
        "finish",
    ]
    assert play["game"]["noPoints"] and [each["name"] for each in play["players"]] == ["Ana", "Ben"]


def test_it_is_said_aloud(house):
    """Speech: sentences say who has the ring and which cube came out."""
    house.opened({"do": "take", "player": "red"}, draw("orange"))
    spoken = [str(one.text) for each in house.table.happened(0) for one in narrated(each)]

    assert "Ana has the ring." in spoken and "Ana draws orange." in spoken

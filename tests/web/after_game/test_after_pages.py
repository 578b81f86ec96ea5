"""The page that is shown after a game, for every kind of game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from werkzeug.test import TestResponse

from tests.web.after_game.evenings import Evening
from tests.web.markup import parts
from tests.web.served_house import Browser
from web import make_app
from web.games.registry import COVERS

SVG = "{http://www.w3.org/2000/svg}"
HEAVIEST = 150_000
CHANCE = ("created", "seed", "seal")
"""Fields that differ between two games with the same header."""
PLAYERS = {"draws": 0, "hanse": 2, "wreck": 2, "andromeda": 3}


@dataclass
class Over:
    """An evening with one finished game of each kind; the last one is still on the table."""

    evening: Evening
    numbers: Mapping[str, int]

    @cached_property
    def host(self) -> Browser:
        """The host's browser."""
        return self.evening.host()

    def address(self, name: str) -> str:
        """Return the page that is shown after the end of the game called *name*."""
        return f"/games/{self.numbers[name]}/after"

    def page(self, name: str, query: str = "") -> str:
        """Return the after-game page of *name* when its luck has been calculated."""
        return self.evening.settled(self.host, self.address(name) + query)

    def picture(self, name: str) -> TestResponse:
        """Return the response with the picture of the game *name*."""
        return self.evening.app.test_client().get(f"{self.address(name)}/picture.svg")


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Over]:
    """One evening, shared by all tests that only read it."""
    evening = Evening(tmp_path_factory.mktemp("over"))
    yield Over(evening, {name: evening.played(name, players) for name, players in PLAYERS.items()})
    evening.close()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """Yield an evening of the test's own, and close it afterwards."""
    evening = Evening(tmp_path)
    yield evening
    evening.close()


def shared(header: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the parts of *header* that a repeated game keeps, without zero counts, technology ids and tile order."""
    given = {
        "contents": {colour: count for colour, count in header.get("contents", {}).items() if count},
        "layout": sorted(header.get("layout", ())),
        "technologies": [(each["id"] == "vaccine", each["name"]) for each in header.get("technologies", ())],
    }
    return {name: value for name, value in (header | given).items() if value and name not in CHANCE}


def test_the_result_says_who_won_with_what_and_why(over: Over) -> None:
    """After a game: the first screen shows each player's points by source, what decided it, and key moments."""
    page = over.page("andromeda")

    assert [each for each in ("Stations on Earth", "What decided it", "Moments") if each not in page] == []
    assert " wins</h1>" in page
    assert "takes the lead" in page
    assert len(page.encode()) < HEAVIEST


def test_how_it_went_is_the_second_screen(over: Over) -> None:
    """After a game: the second screen shows points after each round, luck, and how long others waited for each."""
    page = over.page("andromeda", "?screen=course")

    headings = ("Points after each round", "Luck: centres, of expected", "How long the others waited for")
    assert [each for each in headings if each not in page] == []
    assert "min of play" in page
    assert "Without luck" in page
    assert len(page.encode()) < HEAVIEST


def test_both_screens_lead_to_each_other(over: Over) -> None:
    """After a game: two links in the bar switch the screen, for the game on the table and for those in the list."""
    address = over.address("andromeda")

    for path in ("/table", f"{address}?screen=course"):
        page = over.host.get(path)
        assert f'href="{address}?screen=course"' in page
        assert 'href="/table"' in page
    assert f'href="{over.address("hanse")}"' in over.page("hanse", "?screen=course")


@pytest.mark.parametrize("name", ["hanse", "wreck"])
def test_every_game_with_points_has_its_own(over: Over, name: str) -> None:
    """After a game: each kind of game shows where its points came from; sections without data are left out."""
    page = over.page(name) + over.page(name, "?screen=course")

    assert {"hanse": "Megagalax over time", "wreck": "Control points after each round"}[name] in page
    assert "How long the others waited for" in page
    assert "Centres" not in page
    assert len(page.encode()) < HEAVIEST


def test_why_it_was_them_is_said_in_the_language_of_the_device(over: Over) -> None:
    """After a game: a German page has no English sentence below its result."""
    host = over.evening.host()
    host.post("/language", language="de", next="/games")

    page = over.evening.settled(host, over.address("andromeda"))

    assert " Punkte vor " in page and "points ahead" not in page


@pytest.mark.parametrize("name", PLAYERS)
def test_one_tap_begins_the_same_game_again(evening: Evening, name: str) -> None:
    """After a game: one tap starts a game with the same players, rules and box, for every kind of game."""
    evening.played(name, PLAYERS[name], seed=3)
    begins_again(evening)


@pytest.mark.parametrize("name", PLAYERS)
def test_a_game_is_ended_early_and_begun_again(evening: Evening, name: str) -> None:
    """Ending early: the menu asks once, the table shows the standing without a winner, and one tap begins again."""
    evening.played(name, PLAYERS[name], seed=3, most=10)
    host, asks = evening.host(), "/table/menu?of=end"
    assert asks in host.get("/table/menu") and "Nobody wins" in host.get(asks)

    assert host.post("/table/abandon", reason="Ended early", next="/table") == (303, "/table")

    page, menu = host.get("/table"), host.get("/table/menu")
    assert re.search("was ahead|were ahead|Game ended early", page) and " wins" not in page
    assert 'class="panel won' not in page and 'href="/"' in page
    assert 'href="/"' in menu and 'href="/new?' in menu and asks not in menu
    assert "was ahead" not in evening.app.test_client().get("/games").get_data(as_text=True)
    begins_again(evening)


def test_a_new_game_knows_the_people_of_the_last(evening: Evening) -> None:
    """New game: the form is filled in with the people of the game on the table, once that is over."""
    evening.played("andromeda", 3, most=10)
    host, ana = evening.host(), 'value="Ana"'
    before = host.get("/new?game=andromeda")

    host.post("/table/abandon", reason="Ended early")

    assert ana not in before and ana in host.get("/new?game=andromeda")


@pytest.mark.parametrize("name", PLAYERS)
def test_a_game_that_was_ended_early_goes_on(evening: Evening, name: str) -> None:
    """Ending early: "Play on" leads back to the step at which the game was ended."""
    evening.played(name, PLAYERS[name], seed=3, most=10)
    host, state = evening.host(), evening.table.snapshot.state
    host.post("/table/abandon", reason="Ended early")
    assert "Play on" in host.get("/table") and "Play on" in host.get("/table/menu")

    host.post("/table/resume", next="/table")

    assert evening.table.snapshot.state == state
    assert "Play on" not in host.get("/table")


def begins_again(evening: Evening) -> None:
    """Begin a game with the button of the final page, and compare it with the game before."""
    before, host = evening.table.snapshot, evening.host()
    page = host.get("/table")
    form = page[page.index('action="/new"') :]
    hidden = [each for _, tag, each in parts(form[: form.index("</form>")], "input") if tag == "input"]

    answer = host.post("/new", **{each["name"]: each["value"] for each in hidden if each["name"] != "csrf"})

    after = evening.table.snapshot
    assert answer == (303, "/table")
    assert after.game_id != before.game_id
    assert before.header is not None
    assert shared(before.header) == shared(after.header or {})


def test_a_table_without_points_says_so(over: Over) -> None:
    """After a draw table: the page shows how much each player drew; it has no score and therefore no luck."""
    page = over.page("draws") + over.page("draws", "?screen=course")

    assert "Luck" not in page
    assert "Cubes drawn</h2>" in page
    assert "Cubes drawn over time" in page
    assert "Moments" not in page


def test_the_page_says_so_while_luck_is_worked_out(over: Over) -> None:
    """After a game: calculating luck takes seconds, so the page is shown at once and reloads itself."""
    nobody_asked_yet = make_app(over.evening.table, None, COVERS, over.evening.access)

    first = nobody_asked_yet.test_client().get(f"{over.address('andromeda')}?screen=course").get_data(as_text=True)

    assert 'data-again="2"' in first
    assert "Working out the luck" in first


def test_only_a_game_that_is_over_has_one(evening: Evening) -> None:
    """After a game: a game that is still being played, or that does not exist, has no such page (404)."""
    number = evening.played("andromeda", most=40)
    visitor = evening.app.test_client()

    answers = [visitor.get(f"/games/{each}/after").status_code for each in (number, number + 1, 0, 10**30)]

    assert answers == [404] * 4


def test_a_game_that_nobody_goes_on_with_keeps_its_secrets(evening: Evening) -> None:
    """The page of an abandoned game shows only what the whole table knew, and hides credits."""
    number = evening.played("andromeda", most=60)
    evening.host().post("/table/abandon", reason="late")
    shown = evening.table.snapshot.state.options.show_bonus_credits

    page = evening.settled(evening.host(), f"/games/{number}/after")

    assert shown != "always"
    assert "Game ended early" in page or "was ahead" in page
    assert "Credits: </span>" not in page


def test_the_picture_stands_alone(over: Over) -> None:
    """The picture: the SVG contains its own colours and shapes and loads nothing from any address."""
    over.page("andromeda")

    answer = over.picture("andromeda")
    picture = ElementTree.fromstring(answer.data)  # noqa: S314
    named = {each.get("id") for each in picture.iter() if each.get("id")}
    used = {each.get("href") for each in picture.iter(f"{SVG}use")}
    words = "".join(picture.itertext())

    assert answer.mimetype == "image/svg+xml"
    assert used <= {f"#{each}" for each in named}
    assert "http" not in answer.get_data(as_text=True).replace("http://www.w3.org/2000/svg", "")
    assert "wins" in words
    assert "Without luck" in words


@pytest.mark.parametrize("name", ["hanse", "wreck", "draws"])
def test_every_game_has_a_picture(over: Over, name: str) -> None:
    """The picture: every kind of game has a valid SVG."""
    assert ElementTree.fromstring(over.picture(name).data).tag == f"{SVG}svg"  # noqa: S314


def test_one_gets_there_from_where_a_game_ends(over: Over) -> None:
    """After a game: the final page and the history link to this page."""
    address = over.address("andromeda")

    story = address.replace("after", "replay")
    assert [path for path in ("/table", story) if address not in over.host.get(path)] == []

"""The big screen: its URL parameters, who may open it, and what it shows of any game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dice_game.house import DiceHouse
from tests.web.served_house import ServedHouse
from web.pages.screen import ScreenWish, wish_of

GAMES = ("board", "attempt")


@pytest.fixture
def race(tmp_path: Path) -> Iterator[DiceHouse]:
    """A server with a game that has no screen of its own."""
    house = DiceHouse(tmp_path)
    yield house
    house.table.close()


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ({}, ScreenWish()),
        ({"overlay": ""}, ScreenWish(overlay=True)),
        ({"parts": "score,board"}, ScreenWish(("score", "board"))),
        ({"parts": " score , ,score"}, ScreenWish(("score",))),
        ({"size": "70"}, ScreenWish(size=70)),
        ({"size": "150%"}, ScreenWish(size=150)),
        ({"theme": "light", "language": "nl"}, ScreenWish(theme="light", language="nl")),
    ],
)
def test_an_address_says_what_is_shown(query: dict[str, str], meant: ScreenWish) -> None:
    """Screen: parts, size, theme and language are URL parameters, and each has a default."""
    assert wish_of(query, GAMES) == meant


@pytest.mark.parametrize(
    ("query", "rest", "said"),
    [
        ({"parts": "score,bord"}, ("score",), "no part called bord"),
        ({"parts": "bord"}, (), "Choose from: turn, score, clock, story, board, attempt"),
        ({"parts": "score", "size": "huge"}, ("score",), "must be 40 to 400"),
        ({"parts": "score", "size": "9" * 5000}, ("score",), "must be 40 to 400"),
        ({"parts": "score", "theme": "pink"}, ("score",), "theme must be one of: dark, light"),
        ({"parts": "score", "language": "xx"}, ("score",), "language must be one of: en, nl, de"),
        ({"parts": "score", "colour": "red"}, ("score",), "no setting called colour"),
        ({"parts": "score,<b>"}, ("score",), "no part called <b>"),
    ],
)
def test_what_cannot_be_meant_is_said_and_the_rest_is_shown(
    query: dict[str, str], rest: tuple[str, ...], said: str
) -> None:
    """Screen: an invalid parameter gives one sentence, and the valid parameters still apply."""
    wish = wish_of(query, GAMES)

    assert (wish.parts, wish.size, wish.theme, wish.language) == (rest, 100, "dark", "")
    assert len(wish.faults) == 1
    assert said in wish.faults[0]


def test_a_fault_of_the_address_is_not_said_with_every_move(site: ServedHouse) -> None:
    """Screen: the sentence is on the page when it is opened, but not on the part that is swapped later."""
    opened = site.visitor().get("/screen?parts=bord").get_data(as_text=True)
    swapped = site.visitor().get("/screen?parts=bord", headers={"X-Part": "main"}).get_data(as_text=True)

    assert "no part called bord" in opened
    assert "no part called bord" not in swapped
    assert "Ana" in swapped


def test_anybody_on_the_network_may_open_it_and_nobody_can_do_anything_there(site: ServedHouse) -> None:
    """The screen needs no PIN, and contains no button, form or link, even for the host."""
    for browser in (site.visitor(), site.host().client, site.phone("blue").client):
        page = browser.get("/screen").get_data(as_text=True).partition('id="page"')[2]

        assert "Ana" in page
        assert not any(mark in page for mark in ("<form", "<button", "<a ", "csrf"))


def test_it_waits_where_no_game_lies_on_the_table(tmp_path: Path) -> None:
    """Screen: without a game the page says so, and it follows the table like any other page."""
    site = ServedHouse(tmp_path)
    page = site.visitor().get("/screen").get_data(as_text=True)
    site.ledger.close()

    assert "No game is on the table." in page
    assert 'data-version="0"' in page


def test_it_speaks_the_language_of_its_address(site: ServedHouse) -> None:
    """Screen: the language in the URL takes precedence, for a TV whose browser has no language setting."""
    page = site.visitor().get("/screen?language=de&size=x", headers={"Accept-Language": "nl"}).get_data(as_text=True)

    assert '<html lang="de"' in page
    assert "Prozent" in page


def test_a_game_that_shows_nothing_itself_is_told_in_sentences(race: DiceHouse) -> None:
    """Screen: for any game, it shows the players, whose turn it is, the clock and the last moves."""
    host = race.host()
    race.opened(host).throw(host, "roll 4", "hold")
    page = race.app.test_client().get("/screen").get_data(as_text=True)

    assert all(words in page for words in ("Ana rolls 4.", "Ana holds.", "data-dial"))
    assert "<h1>Ben</h1>" in page


def test_a_game_that_shows_nothing_itself_is_shown_to_its_end(race: DiceHouse) -> None:
    """Screen: when a game without a screen of its own has ended, it shows who has won, and all points."""
    race.played(race.host())
    page = race.app.test_client().get("/screen?parts=turn,score,board").get_data(as_text=True)
    result = race.snapshot.game.result(race.snapshot.state) if race.snapshot.game else None

    assert result is not None
    assert f"<h1>{result.why}</h1>" in page
    assert all(f"<b>{points}</b>" in page for points in result.totals.values())

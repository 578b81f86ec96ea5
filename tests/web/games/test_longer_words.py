"""Pages in the pseudo-language, whose words are longer: nothing is wider than a phone or tablet, or cut off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page

from tests.browser.looking import cut
from tests.browser.tablet import PHONE
from tests.web.conftest import opened_app
from tests.web.games.andromeda.room import Room
from tests.web.games.andromeda.test_said import at_trading
from tests.web.games.draws.draw_house import DrawHouse
from tests.web.games.draws.test_said import drawn
from tests.web.games.hanse.cabin import Cabin
from tests.web.games.hanse.test_said import flying
from tests.web.games.wreck.house import WreckHouse
from tests.web.pretended import pretend, walked
from web import SseStreams
from web.games.registry import COVERS

EVERY_SO_OFTEN = 7
"""A short run reads every seventh page of a game."""
WAYS_IN = ("/", "/table", "/table/menu", "/history", "/help", "/new", "/device")


def andromeda(folder: Path) -> tuple[Any, FlaskClient]:
    room = Room(folder, 4, {})
    at_trading(room)
    return room, room.client


def draws(folder: Path) -> tuple[Any, FlaskClient]:
    house = DrawHouse(folder)
    drawn(house)
    return house, house.host().client


def hanse(folder: Path) -> tuple[Any, FlaskClient]:
    cabin = Cabin(folder)
    flying(cabin)
    return cabin, cabin.host.client


def wreck(folder: Path) -> tuple[Any, FlaskClient]:
    house = WreckHouse(folder).looked_around()
    return house, house.host().client


GAMES: dict[str, Callable[[Path], tuple[Any, FlaskClient]]] = {
    each.__name__: each for each in (andromeda, draws, hanse, wreck)
}


def test_every_game_is_looked_at() -> None:
    """Longer words: this test covers every game of the registry."""
    assert GAMES.keys() == COVERS.keys()


@pytest.mark.parametrize(
    "game", ["draws", *(pytest.param(each, marks=pytest.mark.long) for each in GAMES if each != "draws")]
)
def test_longer_words_fit_on_every_page(
    browser: Browser, tmp_path: Path, request: pytest.FixtureRequest, game: str
) -> None:
    """Longer words: on a phone and a tablet no page is wider than the screen, and no text is cut off."""
    house, client = GAMES[game](tmp_path)
    pretend(house.app, client, tmp_path)
    paths = sorted(walked(client, *WAYS_IN))[:: 1 if request.config.getoption("long") else EVERY_SO_OFTEN]

    with opened_app(house.app, SseStreams(house.table.snapshot)) as port:
        page = _page(browser, client, f"http://127.0.0.1:{port.port}")
        found = [one for path in paths for one in _looked(page, path)]
        page.context.close()
    house.ledger.close()

    assert not found, "\n" + "\n".join(found)


def _page(browser: Browser, client: FlaskClient, url: str) -> Page:
    """Return a page of *browser* with the cookies of *client*."""
    context = browser.new_context(viewport=PHONE, base_url=url, reduced_motion="reduce")
    kept = {name: client.get_cookie(name) for name in ("companion", "language")}
    cookies = [{"name": name, "value": each.value, "url": url} for name, each in kept.items() if each is not None]
    context.add_cookies(cast(Any, cookies))
    return context.new_page()


def _looked(page: Page, path: str) -> list[str]:
    page.goto(path)
    assert page.get_attribute("html", "lang") == "zz"
    return cut(page, path)

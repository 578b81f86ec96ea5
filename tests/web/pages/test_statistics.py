"""The pages of statistics and the list of games, over HTTP, with simulated games of every kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic

import pytest
from flask.testing import FlaskClient

from companion.games.registry import GAMES
from companion.ledger import Ledger
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.bench.services.many_games import lay
from tests.web.markup import flat
from tests.web.served_house import ServedHouse
from web import HostPin, make_app
from web.games.registry import COVERS
from web.pages.statistics import Bar, BarPart, bar_chart

LAID, DISTINCT = 21, 4


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """A visitor of a server with games of every kind, all included in the statistics."""
    folder = tmp_path_factory.mktemp("laid")
    lay(folder, LAID, DISTINCT, seed=3)
    ledger = Ledger.open(folder / "ledger.sqlite")
    table = Table(LiveGame(ledger, GAMES, monotonic, Random(5)))
    table.archive.summaries.catch_up()
    yield make_app(table, None, COVERS, HostPin(folder)).test_client()
    table.archive.summaries.close()
    ledger.close()


def seen(visitor: FlaskClient, path: str) -> str:
    """Return the page at *path*."""
    answer = visitor.get(path)
    assert answer.status_code == 200
    return flat(answer.get_data(as_text=True))


def test_without_a_game_it_says_what_counts(tmp_path: Path) -> None:
    """Statistics: without games, the page says which games count, and offers no choice."""
    site = ServedHouse(tmp_path)
    seen = site.visitor().get("/statistics").get_data(as_text=True)
    site.ledger.close()

    assert "No finished games yet" in seen
    assert "Demos and practice never do" in seen
    assert "which-games" not in seen


def test_the_page_is_one_table_and_the_records(visitor: FlaskClient) -> None:
    """Statistics: players are sorted by wins, with four measures (a phone shows one at a time) and some records."""
    page = seen(visitor, "/statistics")

    for words in (f"{LAID} games ended", "Won, expected", "Time per turn", "Rating", "Records", "players more"):
        assert words in page
    assert page.count('name="measure"') == 4
    assert page.count('<th scope="row">') == 5


def test_more_figures_are_behind_it(visitor: FlaskClient) -> None:
    """Statistics: a second page has wins, colours, turn order, lengths and steps."""
    page = seen(visitor, "/statistics?more=1")

    for words in ("Wins", "Colours", "Order of turns", "How long games took", "Where the time goes: Andromeda"):
        assert words in page


def test_its_charts_speak_the_language_of_the_device(visitor: FlaskClient) -> None:
    """Statistics: in German, no bar for a step or for the turn order has an English label."""
    page = flat(visitor.get("/statistics?more=1", headers={"Accept-Language": "de"}).get_data(as_text=True))

    assert all(f"<span>{words}</span>" in page for words in ("Aktionen", "Begann"))
    assert not any(f"<span>{words}</span>" in page for words in ("Actions", "Began", "Second"))


def test_filters_stay_chosen(visitor: FlaskClient) -> None:
    """Statistics: the fields keep the chosen filter, fewer games are counted, and an invalid filter counts all."""
    page = seen(visitor, "/statistics?game=andromeda&players=3")
    all_of_it = seen(visitor, "/statistics?game=chess&players=x&since=-1&player=")

    assert re.search(r'value="andromeda"\s+selected', page)
    assert f"{LAID} games ended" not in page
    assert f"{LAID} games ended" in all_of_it


def test_a_player_has_a_page(visitor: FlaskClient) -> None:
    """Statistics: each listed player has a page, found by name in upper or lower case."""
    name = re.search(r"/statistics/player\?player=([a-z]+)", visitor.get("/statistics").get_data(as_text=True))
    assert name is not None
    page = seen(visitor, f"/statistics/player?player={name[1].upper()}")

    assert f"<h1>{name[1].title()}</h1>" in page
    assert "Head to head" in page
    assert visitor.get("/statistics/player?player=nobody-here").status_code == 404


def test_the_list_of_games_has_pages(visitor: FlaskClient) -> None:
    """Games: the list is paged, newest first; each page links to older ones, and no game is on two pages."""
    first = visitor.get("/games").get_data(as_text=True)
    further = re.search(r'href="(/games\?before=\d+)"', first)
    assert further is not None
    second = visitor.get(further[1]).get_data(as_text=True)

    assert f"{LAID} games saved" in flat(first)
    assert (first.count('class="panel game'), second.count('class="panel game')) == (20, LAID - 20)
    assert "Older games" not in second


def test_the_list_of_games_can_be_filtered(visitor: FlaskClient) -> None:
    """Games: the list can be filtered by kind and by player; if no game matches, the page says so."""
    some = visitor.get("/games?game=hanse").get_data(as_text=True)

    assert 0 < some.count('class="panel game') < 20
    assert "No game fits." in seen(visitor, "/games?game=hanse&players=3")
    assert visitor.get(f"/games?before={10**30}").status_code == 200


def test_all_bars_lie_on_one_scale() -> None:
    """Bars: twice the value has a bar twice as long, in every row."""
    chart = bar_chart(
        "Wins", "games", [Bar("Ana", (BarPart(4, "4"), BarPart(6, "6", 1)), "10"), Bar("Ben", (BarPart(5, "5"),), "5")]
    )

    assert chart.share(10) == 2 * chart.share(5)
    assert chart.share(chart.bars[0].whole) == 100


def test_a_doubt_has_room_on_the_scale() -> None:
    """Bars: the scale includes the upper bound of every row and the value for comparison."""
    chart = bar_chart("Wins", "games", [Bar("Ana", (BarPart(4, "4"),), "4", low=1, high=19)], level=7)

    assert chart.share(19) <= 100
    assert 0 < chart.share(7) < chart.share(19)

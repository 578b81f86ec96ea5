"""A server with several games offers each of them: new game, practice and rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.games.registry import GAMES
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.ledgers import open_ledger
from tests.web.applications import lent_app
from tests.web.served_house import Browser
from web import HostPin
from web.games.registry import COVERS


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Browser]:
    """The host's browser on a server with all games."""
    ledger, access = open_ledger(tmp_path / "ledger.sqlite"), HostPin(tmp_path)
    table = Table(LiveGame(ledger, GAMES, lambda: 1000.0, Random(5)))
    browser = Browser(lent_app(table, None, COVERS, access, lambda: 1000.0).test_client())
    browser.post("/pin", pin=access.pin)
    yield browser
    ledger.close()


def test_each_game_that_plays_itself_can_be_watched(host: Browser) -> None:
    """Practice: each game that can play itself has a button that starts it; other games are not offered."""
    offered = host.get("/practice")
    begun = {}
    for name in (name for name, cover in COVERS.items() if cover.pages.practice is not None):
        assert f'value="{name}"' in offered
        host.post("/practice/begin", game=name)
        host.post("/practice/step")
        begun[name] = host.get("/practice")
        host.post("/practice/stop")

    assert len(set(begun.values())) == len(begun) == 3
    assert "simulated dice" in begun["hanse"] and "simulated draws" in begun["andromeda"]
    assert 'value="draws"' not in offered
    assert host.post("/practice/begin", game="draws")[0] == 404


def test_home_begins_each_game_and_rules_lead_from_one_to_the_other(host: Browser) -> None:
    """Home and rules: every game is one tap away, with its name and emblem."""
    home, rules = host.get("/"), host.get("/help?game=wreck")

    for name, cover in COVERS.items():
        assert f'href="/new?game={name}"' in home and f"#{cover.emblem}" in home and cover.title in home
        assert f'href="/help?game={name}&' in rules


def test_a_demo_of_each_game_stands_beside_its_practice(host: Browser) -> None:
    """Practice: the page also offers the demo of each game that has one."""
    page = host.get("/practice")

    assert page.count('action="/demo"') == sum(bool(pages.words.demo) for pages in COVERS.values())

"""A practice is chosen: whichever game can play itself does so, beside whatever lies on the table."""

from __future__ import annotations

from pathlib import Path
from random import Random

from companion.games.registry import GAMES
from companion.ledger import Ledger
from companion.session.table import Table
from tests.web.served_house import Browser
from web import Access, make_app
from web.games.registry import PAGES


def test_each_game_that_plays_itself_can_be_watched(tmp_path: Path) -> None:
    """Practice: a button for each of them, which begins that one; a game that does not play itself is not there."""
    ledger, access = Ledger.open(tmp_path / "ledger.sqlite"), Access(tmp_path)
    table = Table(ledger, GAMES, lambda: 1000.0, Random(5))
    host = Browser(make_app(table, None, PAGES, access, lambda: 1000.0).test_client())
    host.post("/pin", pin=access.pin)
    offered = host.get("/practice")
    begun = {}
    for name in (name for name, pages in PAGES.items() if pages.practice is not None):
        assert f'value="{name}"' in offered
        host.post("/practice/begin", game=name)
        host.post("/practice/step")
        begun[name] = host.get("/practice")
        host.post("/practice/stop")
    ledger.close()

    assert len(set(begun.values())) == len(begun) == 3
    assert "simulated dice" in begun["hanse"] and "simulated draws" in begun["andromeda"]
    assert 'value="draws"' not in offered
    assert host.post("/practice/begin", game="draws")[0] == 404

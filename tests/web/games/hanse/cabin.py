"""A server for one test with the rules and pages of Die Kosmische Hanse, and a browser to tap with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from random import Random
from typing import Any, Self

from companion.games.hanse import GAME, State
from companion.kernel.fields import Line
from companion.model.snapshot import Who
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.games.hanse.voyage import GOODS, sides
from tests.companion.ledgers import open_ledger
from tests.web.applications import lent_app
from tests.web.served_house import Browser
from web import HostPin
from web.games.hanse import COVER

HOST = Who("host", "tablet")
SEATS = {"red": "Ana", "blue": "Ben"}
HEADER: Line = {
    "record": "table-record",
    "version": 1,
    "game": "hanse",
    "players": [{"colour": colour, "name": name} for colour, name in SEATS.items()],
    "younger": "red",
}
BUTTON = re.compile(r'<button[^>]*name="line"[^>]*value="([^"]*)"')
LINK = re.compile(r'<a\s[^>]*href="([^"]*)"')


class Cabin:
    """A game of Die Kosmische Hanse on the table."""

    def __init__(self, folder: Path, header: Line = HEADER) -> None:
        self.ledger = open_ledger(folder / "ledger.sqlite")
        self.table = Table(LiveGame(self.ledger, {GAME.name: GAME}, lambda: 1000.0, Random(5)))
        self.access = HostPin(folder)
        self.app = lent_app(self.table, None, {COVER.name: COVER}, self.access, lambda: 1000.0)
        self.table.open(header, HOST)
        self.host = Browser(self.app.test_client())
        self.host.post("/pin", pin=self.access.pin)

    @property
    def state(self) -> State:
        """The state of the game."""
        state: State = self.table.snapshot.state
        return state

    def do(self, player: str, do: str, **fields: Any) -> Self:
        """Execute one line."""
        self.table.do({"do": do, "player": player, **fields}, HOST)
        return self

    def begun(self, planet: str = "p3") -> Self:
        """Play up to Ana's first turn, with both ships on *planet*."""
        for each, goods in GOODS.items():
            self.table.do({"do": "goods", "planet": each, "cards": sides(goods)}, HOST)
        return self.do("red", "choose", take="first").do("blue", "start", planet=planet)

    def correct(self, player: str = "red", **what: Any) -> Self:
        """Correct the state manually."""
        return self.do(player, "correct", reason="as it is on the table", **what)

    def phone(self, colour: str) -> Browser:
        """Return a browser that has joined the seat of *colour*."""
        game = self.table.snapshot.game_id
        assert game is not None
        browser = Browser(self.app.test_client())
        browser.post("/join", pin=self.access.seats.sitting(game, SEATS).pin, seat=colour)
        return browser

    def tap(self, line: Line, path: str = "/table", browser: Browser | None = None) -> Self:
        """Press the button that sends *line* on the page at *path*, which must offer it."""
        device = browser or self.host
        assert line in lines(device.get(path)), f"{path} does not offer {line}"
        device.post("/table/do", line=json.dumps(line))
        return self


def lines(page: str) -> list[Line]:
    """Return the lines that the buttons of a page send."""
    return [json.loads(unescape(value)) for value in BUTTON.findall(page)]


def links(page: str) -> list[str]:
    """Return the addresses of the links of a page."""
    return [unescape(address) for address in LINK.findall(page)]


def flown(found: Iterable[Line]) -> set[str]:
    """Return the places of the flights in the lines *found*."""
    return {line["to"] for line in found if line["do"] == "fly"}

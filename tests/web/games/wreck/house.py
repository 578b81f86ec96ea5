"""A server with the game of the wreck and a clock set by the test; it counts the taps needed to send a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from threading import enumerate as enumerate_threads
from typing import Any

from companion.games.registry import GAMES
from companion.games.wreck import GAME
from companion.games.wreck.demo_policy import command
from companion.games.wreck.state import State
from companion.model.snapshot import Who
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.ledgers import open_ledger
from tests.web.applications import lent_app
from tests.web.games.andromeda.room import Page
from tests.web.served_house import Browser
from web import HostPin
from web.games.wreck import COVER
from web.games.wreck.new_game import demo, header

HOST = Who("host", "tablet")
SEATS = (("red", "Ana"), ("blue", "Ben"), ("green", "Cem"), ("yellow", "Dora"))


class WreckHouse:
    """Table, pages and keys."""

    def __init__(self, folder: Path) -> None:
        self.seconds = 1000.0
        self.ledger = open_ledger(folder / "ledger.sqlite")
        self.table = Table(LiveGame(self.ledger, GAMES, lambda: self.seconds, Random(5)))
        self.access = HostPin(folder)
        self.app = lent_app(self.table, None, {COVER.name: COVER}, self.access, lambda: self.seconds)

    @property
    def state(self) -> State:
        """The state of the game."""
        state: State = self.table.snapshot.state
        return state

    def close(self) -> None:
        """Close the ledger, after the luck of a finished game has been calculated from it."""
        for thread in enumerate_threads():
            if thread.name == "luck":
                thread.join()
        self.ledger.close()

    def host(self) -> Browser:
        """Return a browser that has entered the PIN."""
        browser = Browser(self.app.test_client())
        browser.post("/pin", pin=self.access.pin)
        return browser

    def phone(self, colour: str) -> Browser:
        """Return a browser that has joined a seat."""
        number = self.table.snapshot.game_id
        assert number is not None
        browser = Browser(self.app.test_client())
        pin = self.access.seats.sitting(number, dict(SEATS[: len(self.state.colours)])).pin
        browser.post("/join", pin=pin, seat=colour)
        return browser

    def begun(self, players: int = 3) -> WreckHouse:
        """Put a game with this number of players on the table."""
        self.table.open(header(SEATS[:players]), HOST)
        return self

    def looked_around(self) -> WreckHouse:
        """Put the demo game on the table, in which it is Ana's turn, with support and technology."""
        first, *lines = demo()
        self.table.open(first, HOST)
        return self.done(*lines)

    def done(self, *lines: Mapping[str, Any]) -> WreckHouse:
        """Execute *lines* at the table."""
        for line in lines:
            self.table.do(line, HOST)
        return self

    def played(self, enough: Any, seed: int = 3) -> WreckHouse:
        """Let simulated players play until *enough* returns true."""
        lots = Random(seed)
        while not enough(self.state):
            self.done(GAME.line(command(self.state, lots)))
        return self

    def taps_to(self, browser: Browser, line: Mapping[str, Any], *way: str) -> int:
        """Return the number of taps from the table to *line*; each page must link to the next address of *way*."""
        page = Page(browser.get("/table"))
        for address in way:
            assert address in [tap.address for tap in page.taps], f"no way to {address}"
            page = Page(browser.get(address))
        assert line in lines_on(page), f"{line} is not there"
        return len(way) + 1


def lines_on(page: Page) -> list[Any]:
    """Return the lines that the buttons of *page* send."""
    return [json.loads(tap.fields["line"]) for tap in page.taps if tap.fields and "line" in tap.fields]

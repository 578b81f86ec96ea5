"""A table with Sum to 31 and no other game, and its pages."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from companion.app.people import StoredPeople
from companion.model.snapshot import Snapshot
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.ledgers import open_ledger
from tests.sum_game.pages import COVER
from tests.sum_game.rules import GAME
from tests.web.applications import lent_app
from tests.web.served_house import Browser
from web import HostPin

SEATS = {"red": "Ana", "blue": "Ben"}
EXACT = (6, 6, 6, 6, 5, 2)
"""Ben makes 31."""
OVER = (6, 6, 6, 6, 5, 3)
"""Ben makes 32."""


class SumHouse:
    """A table with its pages and PIN. The test sets the seconds."""

    def __init__(self, folder: Path) -> None:
        self.seconds = 1000.0
        self.ledger = open_ledger(folder / "ledger.sqlite")
        self.table = Table(LiveGame(self.ledger, {GAME.name: GAME}, lambda: self.seconds, Random(5)))
        self.access = HostPin(folder)
        people = StoredPeople(self.table, folder, self.access.seats.rename)
        self.app = lent_app(self.table, None, {COVER.name: COVER}, self.access, lambda: self.seconds, people=people)

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self.table.snapshot

    def host(self) -> Browser:
        """Return a browser that has entered the PIN."""
        browser = Browser(self.app.test_client())
        browser.post("/pin", pin=self.access.pin)
        return browser

    def phone(self, colour: str) -> Browser:
        """Return a browser that has joined a seat."""
        assert self.snapshot.game_id is not None
        browser = Browser(self.app.test_client())
        pin = self.access.seats.sitting(self.snapshot.game_id, SEATS).pin
        assert browser.post("/join", pin=pin, seat=colour) == (303, "/table")
        return browser

    def opened(self, host: Browser) -> SumHouse:
        """Begin a game of two on the new-game page."""
        seats = {"name1": "Ana", "name2": "Ben"}
        assert host.post("/new", False, game=GAME.name, players="2", **seats) == (303, "/table")
        return self

    def take(self, browser: Browser, *values: int) -> SumHouse:
        """Let the current players take chips on the page; each takes ten seconds."""
        for value in values:
            line = {"do": "take", "player": self.snapshot.state.mover, "value": value}
            self.seconds += 10
            browser.post("/table/do", line=json.dumps(line))
        return self

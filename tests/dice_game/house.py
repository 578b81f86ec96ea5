"""A companion that knows the race and no other game."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from companion.model.snapshot import Snapshot
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.ledgers import open_ledger
from tests.dice_game.pages import COVER
from tests.dice_game.rules import GAME
from tests.web.applications import lent_app
from tests.web.served_house import Browser
from web import HostPin

SEATS = {"red": "Ana", "blue": "Ben"}
THROWS = ("roll 6", "hold", "roll 5", "roll 1", "roll 4", "roll 2", "hold")
"""Ana keeps six pips, Ben loses five, and six more are enough for Ana to win."""


class DiceHouse:
    """A companion with the race: its table, its pages and its PIN; tests set the time in *seconds*."""

    def __init__(self, folder: Path) -> None:
        self.seconds = 1000.0
        self.ledger = open_ledger(folder / "ledger.sqlite")
        self.table = Table(LiveGame(self.ledger, {GAME.name: GAME}, lambda: self.seconds, Random(5)))
        self.access = HostPin(folder)
        self.app = lent_app(self.table, None, {COVER.name: COVER}, self.access, lambda: self.seconds)

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

    def opened(self, host: Browser) -> DiceHouse:
        """Start a game of two players on its page."""
        assert host.post("/new", game="dice", **SEATS) == (303, "/table")
        return self

    def throw(self, browser: Browser, *throws: str) -> DiceHouse:
        """Roll or hold for the current player on the table's page; each throw takes ten seconds."""
        for throw in throws:
            do, _, pips = throw.partition(" ")
            line: dict[str, Any] = {"do": do, "player": self.snapshot.state.mover}
            self.seconds += 10
            browser.post("/table/do", line=json.dumps({**line, **({"pips": int(pips)} if pips else {})}))
        return self

    def played(self, host: Browser) -> DiceHouse:
        """Play a whole game."""
        return self.opened(host).throw(host, *THROWS)

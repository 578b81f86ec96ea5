"""A server whose only game is the open draw table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from companion.games.draws import GAME
from companion.model.snapshot import Snapshot
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.ledgers import open_ledger
from tests.web.applications import lent_app
from tests.web.served_house import HOST, Browser, ToldRing
from web import HostPin
from web.games.draws import COVER

HEADER = {
    "record": "table-record",
    "version": 1,
    "game": "draws",
    "players": [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}],
    "contents": {"red": 3, "blue": 3, "orange": 2},
}


class DrawHouse:
    """Table, pages and keys, with a ring that the test controls."""

    def __init__(self, folder: Path) -> None:
        self.ledger = open_ledger(folder / "ledger.sqlite")
        self.table = Table(LiveGame(self.ledger, {GAME.name: GAME}, lambda: 1000.0, Random(5)))
        self.access = HostPin(folder)
        self.app = lent_app(self.table, ToldRing(), {COVER.name: COVER}, self.access, lambda: 1000.0)
        self.heard = 0

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self.table.snapshot

    def opened(self, *lines: Mapping[str, Any], **header: Any) -> DrawHouse:
        """Open a table and execute *lines* on it."""
        self.table.open({**HEADER, **header}, HOST)
        return self.do(*lines)

    def do(self, *lines: Mapping[str, Any]) -> DrawHouse:
        """Execute *lines* as the host."""
        for line in lines:
            self.table.do(line, HOST)
        return self

    def came_out(self, *likely: tuple[str, float], pair: bool = False, late: bool = False) -> DrawHouse:
        """Make the ring report a cube: certain if *likely* has one colour, uncertain if it has several."""
        order = self.table.order()
        token = 0 if order is None or late else order.token
        self.heard += 1
        sure = likely[0][0] if len(likely) == 1 and not pair else None
        kind, seen = (
            RingEventKind.PAIR if pair else RingEventKind.OUT,
            Judgement(sure, likely, "" if sure else "ambiguous"),
        )
        self.table.heard(RingEvent("ring", "boot", self.heard, self.heard * 1000, kind, token, ("raw",), seen))
        return self

    def host(self) -> Browser:
        """Return a browser that has entered the PIN."""
        browser = Browser(self.app.test_client())
        browser.post("/pin", pin=self.access.pin)
        return browser

    def phone(self, colour: str) -> Browser:
        """Return a browser that has joined the seat of *colour*."""
        seen = self.snapshot
        assert seen.game_id is not None and seen.header is not None
        names = {each["colour"]: each["name"] for each in seen.header["players"]}
        browser = Browser(self.app.test_client())
        pin = self.access.seats.sitting(seen.game_id, names).pin
        assert browser.post("/join", pin=pin, seat=colour) == (303, "/table")
        return browser

    def tap(self, browser: Browser, line: Mapping[str, Any]) -> DrawHouse:
        """Make *browser* press the button that sends *line*."""
        browser.post("/table/do", line=json.dumps(line))
        return self

"""A server for one test or process: real table, ledger and rules, plain pages, and a ring that the test controls."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from secrets import token_urlsafe
from time import monotonic

from flask import Flask
from flask.testing import FlaskClient

from companion.app.people import StoredPeople
from companion.games.andromeda import GAME
from companion.kernel.supervisor import Supervisor
from companion.model.snapshot import Who
from companion.ports.calibration import Instrument
from companion.ports.ring import Order, RingPort, RingView
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.ledgers import open_ledger
from tests.web.applications import lent_app
from tests.web.plain_game import CARDS, COVER, HEADER
from web import HostPin, Service, SseStreams

HOST = Who("host", "tablet")


@dataclass
class ToldRing:
    """A ring port that records all commands."""

    view: RingView = field(default_factory=RingView)
    orders: list[Order | None] = field(default_factory=list)
    slides: int = 0
    instrument: Instrument | None = None

    def arm(self, order: Order) -> None:
        self.orders.append(order)

    def disarm(self) -> None:
        self.orders.append(None)

    def slide(self, colour: str = "") -> None:
        self.slides += 1

    def close(self) -> None:
        """Do nothing, since there is no wire."""


class ServedHouse:
    """Table, pages and keys in *folder*."""

    def __init__(self, folder: Path, ring: RingPort | None = None) -> None:
        self.now = monotonic
        self.ledger = open_ledger(folder / "ledger.sqlite")
        self.table = Table(LiveGame(self.ledger, {"andromeda": GAME}, self.now, Random(5)))
        self.access = HostPin(folder)
        self.ring = ring
        self.people = StoredPeople(self.table, folder, self.access.seats.rename)
        self.threads = Supervisor()
        self.threads.subscribe(self.table.show_unattended)
        self.app: Flask = lent_app(
            *(self.table, ring, {"andromeda": COVER}, self.access, self.now),
            people=self.people,
            threads=self.threads,
        )
        self.streams = SseStreams(self.table.snapshot)
        self.table.subscribe(self.streams.publish)
        self.table.subscribe_ring(self.streams.publish_ring)

    def play(self) -> ServedHouse:
        """Start a game of three and place the first cards; the next line is `deal`."""
        self.table.open(HEADER, HOST)
        for player, cards in CARDS.items():
            self.table.do({"do": "setup", "player": player, "cards": cards}, HOST)
        return self

    def visitor(self) -> FlaskClient:
        """Return a browser without any login."""
        return self.app.test_client()

    def host(self) -> Browser:
        """Return a browser that has entered the PIN."""
        browser = Browser(self.app.test_client())
        browser.post("/pin", pin=self.access.pin)
        return browser

    @property
    def table_pin(self) -> str:
        """The PIN that phones need to join the game on the table."""
        snapshot = self.table.snapshot
        assert snapshot.game_id is not None and snapshot.header is not None
        names = {player["colour"]: player["name"] for player in snapshot.header["players"]}
        return self.access.seats.sitting(snapshot.game_id, names).pin

    def phone(self, colour: str) -> Browser:
        """Return a browser that has joined the seat of *colour*."""
        browser = Browser(self.app.test_client())
        assert browser.post("/join", pin=self.table_pin, seat=colour) == (303, "/table")
        return browser

    @property
    def script(self) -> dict[str, str]:
        """The header of a program on this machine."""
        return {"Authorization": f"Bearer {self.access.local_token}"}


class Browser:
    """A browser that sends forms as a page would, with the page's token."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    @property
    def csrf(self) -> str:
        """The token of this browser's forms: in its cookie and on each of its pages."""
        with self.client.session_transaction() as session:
            return str(session.setdefault("csrf", token_urlsafe(24)))

    def get(self, path: str, **headers: str) -> str:
        """Return the page at *path*."""
        return self.client.get(path, headers=headers).get_data(as_text=True)

    def post(self, path: str, follow: bool = False, **fields: str) -> tuple[int, str]:
        """Send a form; return the status and the redirect, or with *follow* the status and the page."""
        answer = self.client.post(path, data={"csrf": self.csrf, **fields}, follow_redirects=follow)
        return answer.status_code, answer.get_data(as_text=True) if follow else answer.headers.get("Location", "")


def main(folder: str) -> None:
    """Run a server in *folder* on a free port, and print the port."""
    site = ServedHouse(Path(folder))
    if site.table.snapshot.game is None:
        site.play()
    Service(site.app, site.streams, "127.0.0.1", 0).run(lambda port: print(port, flush=True))
    site.table.close()
    site.ledger.close()
    print("closed", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])

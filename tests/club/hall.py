"""The pages of a club without a broker: a test sends messages to the wall, and passes in the results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from companion.club.connection import Message
from companion.club.decisions import Decisions
from companion.club.league import Result, SeatResult
from companion.club.topics import BEAT, BIRTH, STATE, topic
from companion.club.wall import Wall
from web import HostPin
from web.club import Club, make_club_app

CSRF = "a token"


class Hall:
    """A club's pages for tests."""

    def __init__(self, folder: Path, tables: int = 3, played: Sequence[Result] = ()) -> None:
        self.time = 1000.0
        self.labels = {f"{number:016x}": f"{number:02}" for number in range(1, tables + 1)}
        self.decisions = Decisions(folder)
        self.wall = Wall(lambda: self.labels, now=lambda: self.time, delays=lambda: self.decisions.decided.delays)
        self.played, self.late, self.called = list(played), list[str](), list[str]()
        self.access = HostPin(folder)
        results = (lambda: self.played, lambda: self.late, self.call)
        self.club = Club("Essen 2027", self.wall, self.decisions, self.access, *results)
        self.app = make_club_app(self.club)

    def say(self, table: int, **state: Any) -> None:
        """Let a table publish a state and a heartbeat."""
        shown = {"status": "live", "game": "andromeda", "turn": ["red"], "points": {}, "kept": True, **state}
        self.send(table, BIRTH, {"online": True})
        self.send(table, STATE, shown)
        self.send(table, BEAT, {"row": 1})

    def send(self, table: int, word: str, body: Any) -> None:
        """Let a table send a message; *body* is JSON or bytes."""
        payload = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.wall.hear(Message(topic(f"{table:016x}", word), payload))

    def call(self, address: str) -> bool:
        """Record that a table was called, and return True, as if the broker had accepted the call."""
        self.called.append(address)
        return True

    def visitor(self) -> FlaskClient:
        """Return a browser without the PIN."""
        client = self.app.test_client()
        with client.session_transaction() as session:
            session["csrf"] = CSRF
        return client

    def host(self) -> FlaskClient:
        """Return a browser in which the club's PIN was entered."""
        client = self.visitor()
        assert client.post("/club/pin", data={"csrf": CSRF, "pin": self.access.pin}).status_code == 303
        with client.session_transaction() as session:
            session["csrf"] = CSRF
        return client


def result(identity: str, *seats: tuple[str, int], kind: str = "andromeda", ended_ms: int = 0) -> Result:
    """Return a finished game with the names and points of its *seats*."""
    colours = ("red", "blue", "green", "yellow", "black")
    totals = [points for _, points in seats]
    found = [
        SeatResult(place, colours[place], name, 1 + sum(other > points for other in totals), points)
        for place, (name, points) in enumerate(seats)
    ]
    return Result(identity, kind, ended_ms, tuple(found))

"""After a power cut at any moment, everything that was acknowledged is stored exactly once, and the game goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.andromeda.attempt import Establish
from companion.games.andromeda.random_policy import command, header
from companion.games.andromeda.rules import Command
from companion.games.andromeda.state import State
from companion.games.registry import GAMES
from companion.model.game import Viewer
from companion.records import Replay, replay
from tests.companion.app.processes import Service, VirtualRing

GAME = GAMES["andromeda"]
HAND: list[dict[str, object]] = [{"wait_for": "armed"}, {"slide": 1}] * 5_000


@pytest.fixture
def ring(tmp_path: Path) -> Iterator[VirtualRing]:
    """A virtual ring in its own process, in which a cube slides whenever an attempt is open."""
    ring = VirtualRing(tmp_path, HAND)
    yield ring
    ring.end()


class Evening:
    """A simulated evening: random legal play against a service that is killed again and again."""

    def __init__(self, data: Path, ring: VirtualRing, lots: Random) -> None:
        self.data, self.ring, self.lots = data, ring, lots
        self.service = Service(data, ring.path)
        self.pulls = 0
        self.known: list[dict[str, Any]] = []
        self.begin_game()

    def begin_game(self) -> None:
        """Start a new game at the table."""
        own = {"record": "table-record", "version": 1, "game": "andromeda", **header(3, self.lots)}
        status, answer = self.service.ask("POST", "/api/v1/games", own)
        assert status == 201, answer
        self.known = self.service.record()

    def played(self) -> Replay:
        """Return the replay of the game's record."""
        return replay(GAMES, enumerate(self.service.record(), 1))

    def step(self, impatience_s: float | None = None) -> None:
        """Play one command or await one draw; with *impatience_s*, stop waiting for the result after that time."""
        state = self.played().state
        if state.finished:
            return self.begin_game()
        if state.attempt:
            return self.await_draw(impatience_s)
        line = GAME.line(self._choice(state))
        connection = self.service.send("POST", "/api/v1/commands", line, impatience_s or 20.0)
        try:
            assert connection.getresponse().status == 200
        except TimeoutError:
            return None
        finally:
            connection.close()
        self.known = self.service.record()
        return None

    def _choice(self, state: State) -> Command:
        """Choose a random command, but establish a centre whenever the rules allow it."""
        attempts = [
            each for seat in GAME.waited_for(state) for each in GAME.choices(state, seat) if isinstance(each, Establish)
        ]
        return self.lots.choice(attempts) if attempts else command(state, self.lots)

    def await_draw(self, impatience_s: float | None) -> None:
        """Wait until the ring has drawn a station, unless the attempt is over already."""
        try:
            with closing(self.service.news(impatience_s or 20.0)) as news:
                first = news.version()
                if self.played().state.attempt and first == self.service.ask("GET", "/api/v1/state")[1]["version"]:
                    news.version()
        except TimeoutError:
            assert impatience_s, f"the ring lets nothing out: {self.service.ask('GET', '/api/v1/table')[1]}"

    def pull_the_plug(self) -> None:
        """Kill the service while a request is running, and start it again."""
        self.step(self.lots.choice((0.0005, 0.001, 0.002, 0.004, 0.008)))
        self.service.kill()
        self.service = Service(self.data, self.ring.path)

    def at_one_moment(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Return the record and the state of the same version, since the ring may add a draw between two requests."""
        while True:
            state = self.service.ask("GET", "/api/v1/state")[1]
            record = self.service.record()
            if self.service.ask("GET", "/api/v1/state")[1]["version"] == state["version"]:
                return record, state

    def ring_rows(self) -> list[tuple[str, int]]:
        """Return the boot and sequence numbers of every passage in the ledger, oldest first."""
        with sqlite3.connect(f"file:{self.data / 'ledger.sqlite'}?mode=ro", uri=True) as ledger:
            rows = ledger.execute("SELECT boot, seq FROM row WHERE kind = 'ring' AND word = 'out' ORDER BY id")
            return list(rows)


@pytest.fixture(params=[(0, 3), *(pytest.param((lots, 10), marks=pytest.mark.long) for lots in range(1, 5))])
def played(tmp_path: Path, ring: VirtualRing, request: pytest.FixtureRequest) -> Iterator[Evening]:
    """An evening with a game in progress."""
    evening = Evening(tmp_path / "data", ring, Random(request.param[0]))
    evening.pulls = request.param[1]
    yield evening
    evening.service.kill()


def test_a_game_survives_the_plug_being_pulled_again_and_again(played: Evening, ring: VirtualRing) -> None:
    """Power cuts at random moments: no answered command is lost, no draw is stored twice, and the same game goes on."""
    for _ in range(played.pulls):
        for _ in range(played.lots.randrange(1, 12)):
            played.step()
        played.pull_the_plug()
        record, state = played.at_one_moment()
        assert record[: len(played.known)] == played.known
        seen = GAME.view(replay(GAMES, enumerate(record, 1)).state, Viewer())
        assert {name: state[name] for name in seen} == seen
        played.known = record
    while played.played().state.attempt:
        played.step()

    rows = played.ring_rows()
    assert len(rows) == len(set(rows))
    assert set(rows) == {(each["boot"], each["seq"]) for each in ring.truth() if each["kind"] == "out"}

"""The plug may be pulled at any moment: what was acknowledged is there, once, and the game goes on where it was."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.andromeda.commands import Command, Establish
from companion.games.andromeda.random_policy import command, header
from companion.games.andromeda.state import State
from companion.games.registry import GAMES
from companion.model.game import Viewer
from companion.records import Replay, replay
from tests.companion.app.processes import Service, VirtualRing

GAME = GAMES["andromeda"]
HAND: list[dict[str, object]] = [{"wait_for": "armed"}, {"slide": 1}] * 5_000


@pytest.fixture
def ring(tmp_path: Path) -> Iterator[VirtualRing]:
    """A virtual ring in a process of its own, whose hand slides whenever an attempt is open."""
    ring = VirtualRing(tmp_path, HAND)
    yield ring
    ring.end()


class Evening:
    """A scripted evening: random legal play against a service that is killed again and again."""

    def __init__(self, data: Path, ring: VirtualRing, lots: Random) -> None:
        self.data, self.ring, self.lots = data, ring, lots
        self.service = Service(data, ring.path)
        self.pulls = 0
        self.known: list[dict[str, Any]] = []
        self.begin_game()

    def begin_game(self) -> None:
        """Put a new game on the table."""
        own = {"record": "table-record", "version": 1, "game": "andromeda", **header(3, self.lots)}
        status, answer = self.service.ask("POST", "/api/v1/games", own)
        assert status == 201, answer
        self.known = self.service.record()

    def played(self) -> Replay:
        """Return the game as its record tells it."""
        return replay(GAMES, enumerate(self.service.record(), 1))

    def step(self, impatience_s: float | None = None) -> None:
        """Do one thing at the table; with *impatience_s*, stop waiting for its outcome after so long."""
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
        """Choose by lot, but reach for the ring wherever the rules allow it."""
        attempts = [
            each for seat in GAME.waited_for(state) for each in GAME.choices(state, seat) if isinstance(each, Establish)
        ]
        return self.lots.choice(attempts) if attempts else command(state, self.lots)

    def await_draw(self, impatience_s: float | None) -> None:
        """Wait until the ring has let a station out, unless it is out already."""
        try:
            with closing(self.service.news(impatience_s or 20.0)) as news:
                first = news.version()
                if self.played().state.attempt and first == self.service.ask("GET", "/api/v1/state")[1]["version"]:
                    news.version()
        except TimeoutError:
            assert impatience_s, f"the ring lets nothing out: {self.service.ask('GET', '/api/v1/table')[1]}"

    def pull_the_plug(self) -> None:
        """Kill the service while it is being asked something, and start it again."""
        self.step(self.lots.choice((0.0005, 0.001, 0.002, 0.004, 0.008)))
        self.service.kill()
        self.service = Service(self.data, self.ring.path)

    def at_one_moment(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Return record and state of the same version: the ring may go on between two questions."""
        while True:
            state = self.service.ask("GET", "/api/v1/state")[1]
            record = self.service.record()
            if self.service.ask("GET", "/api/v1/state")[1]["version"] == state["version"]:
                return record, state

    def ring_rows(self) -> list[tuple[str, int]]:
        """Return boot and number of every passage the ledger holds, in the order in which they came."""
        with sqlite3.connect(f"file:{self.data / 'ledger.sqlite'}?mode=ro", uri=True) as ledger:
            rows = ledger.execute("SELECT boot, seq FROM row WHERE kind = 'ring' AND word = 'out' ORDER BY id")
            return list(rows)


@pytest.fixture(params=[(0, 3), *(pytest.param((lots, 10), marks=pytest.mark.long) for lots in range(1, 5))])
def played(tmp_path: Path, ring: VirtualRing, request: pytest.FixtureRequest) -> Iterator[Evening]:
    """An evening that has begun."""
    evening = Evening(tmp_path / "data", ring, Random(request.param[0]))
    evening.pulls = request.param[1]
    yield evening
    evening.service.kill()


def test_a_game_survives_the_plug_being_pulled_again_and_again(played: Evening, ring: VirtualRing) -> None:
    """Killed at random moments, nothing that was answered is lost, no draw doubled, and the same game goes on."""
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

"""A night in simulated time: the server in this process, with its clock, ring and event loop advanced by the test."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

from flask.testing import FlaskClient

from companion.autoplay.simulate import simulate
from companion.games.andromeda.random_policy import RANDOM_PLAY, command
from companion.games.registry import GAMES
from companion.ledger import Ledger
from companion.model.snapshot import Who
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from companion.records import RECORD, VERSION
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.soak.course import Course, looked
from tests.soak.real_time import GAMES as TEN
from tests.soak.real_time import PAGES, READ_IN
from web import HostPin, SseStreams, make_app
from web.games.registry import COVERS
from web.http.asgi import Message, Scope

GAME = GAMES["andromeda"]
HOST = Who("host", "tablet")
BEAT_S = 5.0
PLAYERS = 3
LOOKS = 24


class HandedLoop(asyncio.SelectorEventLoop):
    """An event loop with the night's clock, so that every heartbeat is sent."""

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__()
        self._handed = now

    def time(self) -> float:
        """Return the night's time."""
        return self._handed()


class Night:
    """A server with eight devices, in *folder*."""

    def __init__(self, folder: Path, lots: Random) -> None:
        self.seconds, self.lots, self.folder = 0.0, lots, folder
        self.passages = 0
        self.packets = 0
        self.ledger = Ledger.open(folder / "ledger.sqlite")
        self.table = Table(LiveGame(self.ledger, GAMES, self.now, lots))
        self.app = make_app(self.table, None, COVERS, HostPin(folder), self.now)
        self.streams = SseStreams(self.table.snapshot, now=self.now)
        self.table.subscribe(self.streams.publish)
        self.browsers: list[FlaskClient] = [self.app.test_client() for _ in PAGES]
        self.loop = HandedLoop(self.now)
        self.listeners: list[asyncio.Task[None]] = []

    def now(self) -> float:
        """Return the night's time."""
        return self.seconds

    def open(self) -> None:
        """Start the server, its streams, and the first game."""
        self.loop.run_until_complete(self._listen())
        self.begin_game()

    def close(self) -> None:
        """End the streams, and stop the server."""
        self.streams.close()
        self.loop.run_until_complete(asyncio.gather(*self.listeners))
        self.loop.close()
        self.table.close()
        self.ledger.close()

    def begin_game(self) -> None:
        """Start a new game."""
        own = RANDOM_PLAY.header(PLAYERS, self.lots, False)
        self.table.open({"record": RECORD, "version": VERSION, "game": GAME.name, **own}, HOST)

    def step(self) -> bool:
        """Do one action at the table and show it on all devices; return whether a game has ended."""
        over = self.table.snapshot.state.finished
        if over:
            self.begin_game()
        elif (order := self.table.order()) is not None:
            self._draw(order.token, self.lots.choice([colour for colour, count in order.under.items() if count]))
        else:
            self.table.do(GAME.line(command(self.table.snapshot.state, self.lots)), HOST)
        for number, (browser, path) in enumerate(zip(self.browsers, PAGES, strict=True)):
            read_in = {"Accept-Language": READ_IN[number % len(READ_IN)]}
            with browser.get(path, headers=read_in, follow_redirects=True) as answer:
                assert answer.status_code == 200, path
        return bool(over)

    def wait(self, seconds: float) -> None:
        """Advance the clock, heartbeat by heartbeat."""
        until = self.seconds + seconds
        while self.seconds < until:
            self.seconds = min(until, self.seconds + BEAT_S)
            self.loop.run_until_complete(_turns())

    def _draw(self, token: int, colour: str) -> None:
        self.passages += 1
        at = int(self.seconds * 1e6)
        event = RingEvent("soaked", "b", self.passages, at, RingEventKind.OUT, token, ("raw",), Judgement(colour), {})
        self.table.heard(event)

    async def _listen(self) -> None:
        self.streams.start()
        self.listeners = [asyncio.ensure_future(self._device(f"10.0.0.{number}")) for number in range(len(PAGES))]
        await _turns()

    async def _device(self, address: str) -> None:
        async def receive() -> Message:
            return await asyncio.Future()

        async def send(message: Message) -> None:
            self.packets += 1

        scope: Scope = {
            "type": "http",
            "method": "GET",
            "path": "/api/v1/events",
            "headers": [],
            "client": (address, 1),
        }
        await self.streams(scope, receive, send)


async def _turns() -> None:
    """Let all due callbacks in the loop run: timers, tasks, and the tasks that they wake."""
    for _ in range(4):
        await asyncio.sleep(0)


def night(folder: Path, hours: float, course: Course, lots: Random, games: float = TEN) -> None:
    """Play *games* games in *hours* of simulated time; *course* measures this process LOOKS times."""
    usual = simulate(GAME, RANDOM_PLAY, PLAYERS, Random(1), lambda: 0.0).commands
    pause_s = hours * 3600 / games / usual
    with closing(Night(folder, lots)) as house:
        house.open()
        while house.seconds < hours * 3600:
            if house.seconds >= len(course.looks) * hours * 3600 / LOOKS:
                gc.collect()
                course.add(looked(os.getpid(), folder, house.seconds / 3600))
            course.games += house.step()
            house.wait(pause_s)
        course.say(f"{house.packets:,} packets on the streams, {house.passages:,} draws")

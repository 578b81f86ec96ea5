"""Pages rendered in another process are identical and hide the same values, and no thread reads a whole game."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from queue import Queue
from random import Random
from typing import Any

import pytest
from a2wsgi import WSGIMiddleware
from flask import Flask

from companion.app.page_process import command_for, environment
from companion.games.registry import GAMES
from companion.ledger import Ledger, Row
from companion.model.snapshot import Who
from companion.session.commands import Pause, Resume, Switch
from companion.session.live_game import LiveGame
from companion.session.repository import PIECE
from companion.session.table import Table
from tests.companion.stored_games import record_of
from tests.web.asgi_visitor import Visitor
from web import HostPin, Workshop, make_app
from web.games.registry import COVERS
from web.http.asgi import Scope
from web.request.apart import BACKUP, RECORD, NotYet, done_in_thread
from web.server.gateway import MOST, THREADS, Gateway
from web.server.making import MOST_WANTED, WANTED, Made, RequestNeeds, Work
from web.server.sse import SseStreams

HOST = Who("host", "tablet")
PATIENCE_S = 600.0  # Events end the waiting; on a busy machine, the rendering process has the lowest priority.
OF_A_GAME = (
    *("after", "after/picture.svg", "state.json", "draws.zip", "so-far", "so-far/record", "verify"),
    *("replay", "replay?at=7", "replay?at=7&frame=at", "replay/step?at=9"),
)
READER = {"accept-language": "nl"}
"""A Dutch reader, who gets other pages than the rest."""


class Counted(Ledger):
    """A ledger that counts the rows read by each query for a whole game, and whether the table had to wait."""

    def rows(self, game: int, before: int, after: int = 0) -> Iterator[Row]:
        return self._counted(super().rows(game, before, after))

    def lines(self, game: int, before: int, after: int = 0) -> Iterator[Row]:
        return self._counted(super().lines(game, before, after))

    def _counted(self, rows: Iterator[Row]) -> Iterator[Row]:
        for number, row in enumerate(rows, 1):
            self.read += 1
            self.most = max(self.most, number)
            yield row

    read = most = 0


@dataclass
class Library:
    """A server with a finished game, *past*, and another on its table; pages are rendered apart or in the server."""

    folder: Path
    ledger: Counted
    table: Table
    access: HostPin
    past: int
    live: int

    def app(self, workshop: Workshop | None = None) -> Flask:
        """Return the application."""
        return make_app(self.table, None, COVERS, self.access, time.monotonic, workshop=workshop)

    @property
    def host(self) -> dict[str, str]:
        """The headers of the host's script."""
        return {"Authorization": f"Bearer {self.access.local_token}"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Two games, longer than one batch of rows."""
    folder = tmp_path_factory.mktemp("library")
    ledger = Counted.open(folder / "ledger.sqlite")
    assert isinstance(ledger, Counted)
    table = Table(LiveGame(ledger, GAMES, time.monotonic, Random(1)))
    past = table.importer.import_record(record_of("wreck", "b", 2), HOST).game
    live = table.importer.import_record(record_of("andromeda", "d", 3)[: 2 * PIECE], HOST).game
    table.execute(Switch(live), HOST)
    yield Library(folder, ledger, table, HostPin(folder), past, live)
    table.close()


class Asker(Visitor):
    """A client with an address of its own."""

    def scope(self) -> Scope:
        path, _, query = self.path.partition("?")
        more = {"http_version": "1.1", "scheme": "http", "path": path, "query_string": query.encode()}
        return {**super().scope(), **more}

    @property
    def text(self) -> str:
        """All received bytes as text, including the bytes of pictures and archives."""
        return b"".join(message.get("body", b"") for message in self.sent).decode(errors="replace")

    @property
    def sent_headers(self) -> dict[str, str]:
        """The headers of the answer."""
        return {name.decode().lower(): value.decode() for name, value in self.sent[0]["headers"]}


Ask = Callable[..., Awaitable[Asker]]


@dataclass
class Apart:
    """Renders the pages of the *library* in a separate process."""

    library: Library
    runner: asyncio.Runner
    workshop: Workshop

    def hear(self, story: Callable[[Ask], Awaitable[Any]], soon_s: float = PATIENCE_S) -> Any:
        """Run *story*, and return its result."""
        return self.runner.run(self._heard(story, soon_s))

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the rendering process inside this context."""
        process = self.workshop.process
        assert process is not None
        os.kill(process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(process.pid, signal.SIGCONT)

    async def _heard(self, story: Callable[[Ask], Awaitable[Any]], soon_s: float) -> Any:
        app = self.library.app(self.workshop)
        pages = WSGIMiddleware(app.wsgi_app, workers=THREADS, send_queue_size=0)  # type: ignore[arg-type]
        found = app.extensions
        front = Gateway(
            *(pages, SseStreams(), found["sent_by_host"]),  # type: ignore[arg-type]
            device_of=found["device_of"],
            is_own=found["sent_from_table"],
            workshop=self.workshop,
            soon_s=soon_s,
        )

        async def ask(path: str, leaves: bool = False, **headers: str) -> Asker:
            visitor = Asker(path, "GET", {name.lower(): value for name, value in headers.items()})
            if leaves:
                visitor.leave()
            await visitor.come(front)
            return visitor

        async with asyncio.timeout(PATIENCE_S):
            return await story(ask)


@pytest.fixture(scope="module")
def apart(library: Library) -> Iterator[Apart]:
    """Yield one rendering process with one cache for all tests."""
    with asyncio.Runner() as runner:
        workshop = Workshop(command_for(library.folder), environment())

        async def opened() -> None:
            workshop.open()

        runner.run(opened())
        yield Apart(library, runner, workshop)
        runner.run(workshop.close())


def plain(text: str) -> str:
    """Return a page without its session's token and without whitespace between tags."""
    text = re.sub(r'name="csrf" value="[^"]*"', "", text)
    return re.sub(r">\s+", ">", re.sub(r"\s+", " ", text)).strip()


def test_what_is_made_apart_is_what_was_made_at_once(apart: Apart, request: pytest.FixtureRequest) -> None:
    """Apart: for a visitor and for the host, every page of a game equals the one that the server itself renders."""
    library = apart.library
    comers: tuple[dict[str, str], ...] = ({}, library.host)
    games = (library.past, library.live)
    asked = [(f"/games/{game}/{each}", who) for each in OF_A_GAME for game in games for who in comers]
    if not request.config.getoption("long"):  # each page for both clients, in one game each
        asked = [each for at, each in enumerate(asked) if at % 4 in ((0, 3), (1, 2))[at // 4 % 2]]
    asked += [(f"/games/{library.past}/replay.html", who) for who in comers]
    asked += [(f"/games?show=files&game={game}", who) for game in games for who in comers]
    at_once = library.app()

    async def story(ask: Ask) -> list[str]:
        other = []
        for path, who in asked:
            mine = at_once.test_client().get(path, headers={"Host": "companion.local", **who})
            found = await ask(path, **who)
            # A zip file contains the time; luck is shown only once calculated, which takes a while in both processes.
            differs = mine.mimetype == "application/zip" or "/after" in path
            if mine.status_code != found.status or not (differs or plain(mine.text) == plain(found.text)):
                other.append(f"{path} {bool(who)}: {mine.status_code} and {found.status}")
        return other

    assert apart.hear(story) == []


def test_what_is_told_of_all_games_is_made_apart(apart: Apart) -> None:
    """Apart: the draws of all games and the file of a night are the same as from the server itself."""
    library, patience_s = apart.library, 60.0

    async def story(ask: Ask) -> tuple[str, str, int, bytes]:
        page, night = await ask("/fairness"), await ask("/games/night.sqlite", **library.host)
        library.table.execute(Pause(), HOST)
        again = await ask("/fairness")
        library.table.execute(Resume(), HOST)
        return page.text, again.text, night.status, b"".join(message.get("body", b"") for message in night.sent)

    at_once = library.app()
    at_once.extensions["house"].fairness.look(patience_s)
    mine = at_once.test_client().get("/fairness", headers={"Host": "companion.local"}).text
    page, again, status, night = apart.hear(story)

    assert plain(page) == plain(mine)
    assert 'class="strip notice' in again and "<h1>" in again
    assert status == 200 and night.startswith(b"SQLite format 3\0")


def test_luck_is_there_a_while_later(apart: Apart) -> None:
    """Apart: the after-game page says that luck is being calculated, and shows it when it is requested again."""

    async def story(ask: Ask) -> tuple[str, str]:
        path = f"/games/{apart.library.past}/after?screen=course"
        first = later = (await ask(path)).text
        while 'data-again="2"' in later:
            later = (await ask(path)).text
        return first, later

    first, later = apart.hear(story)

    assert "Without luck" in later
    assert "</h1>" in first and first.partition("</h1>")[0][-20:] == later.partition("</h1>")[0][-20:]


def test_people_see_how_far_a_page_is_and_programs_wait(apart: Apart) -> None:
    """Apart: a browser gets a progress page that reloads itself or leads on to a download; a program just waits."""
    library = apart.library
    page, file = f"/games/{library.past}/so-far", f"/games/{library.past}/replay.html"
    host = {**library.host, **READER}

    async def story(ask: Ask) -> tuple[Asker, ...]:
        shown, saving = await ask(page, accept="text/html", **READER), await ask(file, accept="text/html", **host)
        waited, saved = await ask(page, **READER), await ask(file, **host)
        there = await ask(file + "?ready", accept="text/html", **host)
        return shown, saving, waited, saved, there

    shown, saving, waited, saved, there = apart.hear(story, soon_s=0.0)

    assert (shown.status, saving.status, waited.status, saved.status) == (202, 202, 200, 200)
    assert "<progress" in shown.text and '<noscript><meta http-equiv="refresh" content="1"' in shown.text
    assert 'role="status"' in shown.text and "refresh" not in shown.sent_headers
    assert saving.sent_headers["refresh"] == f"1;url={file}?ready"
    assert there.sent_headers["refresh"] == f"0;url={file}"
    assert saved.sent_headers["content-disposition"].startswith("attachment")


def test_who_leaves_is_not_waited_for(apart: Apart) -> None:
    """Apart: a client that disconnects ends its request, and its next one is answered."""

    async def story(ask: Ask) -> tuple[int, int]:
        path = f"/games/{apart.library.past}/verify"
        await ask(f"/games/{apart.library.past}/replay/step?at=1", **READER)  # so that the process is running
        with apart.stopped():
            left = [await ask(path, leaves=True, **READER) for _ in range(2 * MOST_WANTED)]
        return sum(len(each.sent) for each in left), (await ask(path, **READER)).status

    assert apart.hear(story) == (0, 200)


def test_no_page_thread_reads_a_whole_past_game(library: Library) -> None:
    """Apart: for any address of a past game or of all games, no page thread reads all rows of a game."""
    app = library.app(Workshop(()))
    long = Counter[str]()
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.arguments - {"game_id"} or rule.endpoint in ON_THE_TABLE:
            continue
        library.ledger.read = 0
        path = rule.rule.replace("<int:game_id>", str(library.past))
        app.test_client().get(path, headers=library.host, environ_overrides={"asgi.scope": {}})
        long[rule.endpoint] += library.ledger.read

    assert {endpoint: rows for endpoint, rows in long.items() if rows > PIECE // 2} == {}


TAKEN_BESIDE = {
    "/api/v1/import": lambda record: {"data": record},
    "/games/files": lambda record: {"data": {"file": (BytesIO(record), "game.jsonl")}},
    "/replay": lambda record: {"data": {"file": (BytesIO(record), "game.jsonl")}},
}
"""How to send a record to each address that accepts files and waits for the result."""
QUICK = {"/ring/calibrations", "/api/v1/ring/deeds"}
"""Addresses that accept files as large as a calibration."""


@pytest.mark.parametrize("address", TAKEN_BESIDE)
def test_no_page_thread_takes_a_file_in(library: Library, address: str) -> None:
    """Apart: an upload waits in the event loop, and the ledger is changed in another thread."""
    app, scope, told = library.app(Workshop(())), dict[str, Any](), Queue[Made]()
    record = "".join(json.dumps(line) + "\n" for line in record_of("wreck", address)).encode()
    before = library.table.archive.game_count
    sent = TAKEN_BESIDE[address](record)
    answer = app.test_client().post(address, headers=library.host, environ_overrides={"asgi.scope": scope}, **sent)

    needs: RequestNeeds = scope[WANTED]
    assert (answer.status_code, library.table.archive.game_count) == (503, before)
    if address == "/replay":
        assert needs.begin is None and needs.work.address == RECORD
        return
    assert needs.begin is not None
    needs.begin(told.put)
    assert told.get(timeout=PATIENCE_S).value.new
    assert library.table.archive.game_count == before + 1


@pytest.mark.parametrize("error", [ZeroDivisionError("a bug of ours"), SystemExit(1)], ids=["a bug", "an end"])
def test_an_error_in_an_import_reaches_the_request_that_waits(library: Library, error: BaseException) -> None:
    """Apart: if an import raises any exception, the request ends, and the same file can be sent and imported again."""
    errors, told = [error], Queue[Made]()

    def deed() -> str:
        if errors:
            raise errors.pop()
        return "taken in"

    for _ in range(2):
        scope = dict[str, Any]()
        app = library.app(Workshop(()))
        with app.test_request_context("/", environ_overrides={"asgi.scope": scope}), pytest.raises(NotYet):
            done_in_thread(Work(RECORD, "en"), deed)
        scope[WANTED].begin(told.put)
    failed, done = (told.get(timeout=PATIENCE_S) for _ in range(2))

    assert isinstance(failed.fault, ZeroDivisionError | RuntimeError)
    assert (done.fault, done.value) == (None, "taken in")


def test_a_backup_is_checked_by_the_process_first(library: Library, tmp_path: Path) -> None:
    """Apart: an uploaded backup is checked in the other process, and the server imports it if it is undamaged."""
    assert library.table.archive.night(tmp_path / "night.sqlite")
    sent = {"file": (BytesIO((tmp_path / "night.sqlite").read_bytes()), "night.sqlite")}
    app, scope = library.app(Workshop(())), dict[str, Any]()
    app.test_client().post("/games/files", data=sent, headers=library.host, environ_overrides={"asgi.scope": scope})

    needs: RequestNeeds = scope[WANTED]
    assert (needs.work.address, needs.begin) == (BACKUP, None)


def test_every_address_that_takes_files_is_known() -> None:
    """Apart: a new address that takes more than a form needs a test above, or must be quick."""
    assert set(MOST) == set(TAKEN_BESIDE) | QUICK


ON_THE_TABLE = ("api.record_of", "api.times", "clock.pace", "history.page", "table.undo")
"""Addresses that need only the game on the table, read in batches of rows, or data in memory."""


QUESTIONS: dict[str, Callable[[Table, int, int], object]] = {
    "partial": lambda table, live, past: table.archive.partial(live),
    "final": lambda table, live, past: table.archive.final(live),
    "result": lambda table, live, past: table.archive.result(live),
    "record": lambda table, live, past: list(table.archive.record(past)),
    "told": lambda table, live, past: table.archive.transcript_lines(live),
    "game_draws": lambda table, live, past: table.archive.game_draws(live),
    "luck": lambda table, live, past: table.archive.luck(live),
    "judge_again": lambda table, live, past: table.archive.judge_again(live, lambda lines: None, HOST),
    "amiss": lambda table, live, past: table.archive.amiss(),
    "moves": lambda table, live, past: table.archive.moves(),
    "spells": lambda table, live, past: table.archive.spells(),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_question_of_the_past_holds_the_table_for_a_whole_game(library: Library, name: str) -> None:
    """Archive: a command can be executed after each batch of rows, however long the game being read is."""
    library.ledger.most = library.ledger.read = 0
    QUESTIONS[name](library.table, library.live, library.past)

    assert library.ledger.most <= PIECE < library.ledger.read

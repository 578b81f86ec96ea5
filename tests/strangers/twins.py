"""Two tables that differ only in hidden values: everybody who may not know the difference gets identical bytes.

`python -m tests.strangers.twins --games 50` plays random games twice, in two applications with the same clock, keys
and random numbers. In each round of trading, the tables play different face-down cards, and sometimes two players
have swapped credits. Before the cards turn over, during the 3-2-1 countdown, and while it is paused, stopped,
extended or undone, every kind of visitor requests every address of the URL map from both tables. A new address is
requested automatically, and one with unknown parameters stops the campaign.

Games without hidden values are played in the same way, with identical lines. Before the end of a game no answer may
contain the sealed seed, not even the owner's files.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sqlite3
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from io import BytesIO
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from companion.autoplay.simulate import simulate
from companion.console.controller import panel
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.rules import why_not
from companion.games.andromeda.state import KINDS, Phase
from companion.games.andromeda.state import State as AndromedaState
from companion.games.andromeda.trading import Lay, must_lay
from companion.games.registry import GAMES
from companion.kernel.errors import Refused
from companion.kernel.fields import Line
from companion.kernel.languages import LANGUAGES
from companion.ledger import Ledger
from companion.luck import LuckReport, Reckoned
from companion.model.capabilities import RandomPlay
from companion.model.game import AnyGame
from companion.model.snapshot import Snapshot
from companion.session.commands import AllReady, Extend, Go, Hold, Pause, Resume, SetPace, Undo
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.strangers.hidden import crosswise
from tests.strangers.report import Report
from tests.web.served_house import HOST
from web import HostPin, make_app
from web.auth.pin import KEY_FILES
from web.games.registry import COVERS
from web.request.context import Services

OWNERS = frozenset({"api.record", "api.record_of", "so_far.record", "game_files.night", "game_files.state"})
"""Addresses only for the host that show everything."""
MACHINES = frozenset({"ring.diagnostics", "static"})
"""Addresses about this machine and its programs, not about a game."""
DEAR = ("replay.", "after.", "game_files.", "so_far.", "verify.", "fairness.", "api.record")
"""Endpoints (by prefix) that read a whole game or more: requested less often than the rest."""
DEAR_TIMES = 0.1
ADDED_UP = ("fairness.", "ring.page", "statistics.")
"""Pages that show draws of all games added up, which a thread computes."""
TELLING = frozenset({"answers.page", "api.answers", "api.state", "api.utterances"})
TELLING_TIMES = 5
"""How many times as often the most revealing addresses are requested."""
BROUGHT = "brought"
LINKS = 8
"""How many links of pages are requested at each moment, in addition to the URL map."""
MORE: Mapping[str, tuple[str, ...]] = {
    "api.utterances": ("?after=0&words=all", "?after=0&words=few&whose=mine"),
    "table.scene": ("?seat=red", "?seat=blue", "?seat=green", "?more=1", "?name=1", "?whole=1"),
    "screen.page": ("?overlay", "?parts=turn,score,clock,story,board,attempt,draws,chance"),
    "replay.page": ("?undone=1", "?at=1", "?undone=1&at=LAST", "?beside=GAME&at=LAST&beside_at=LAST", "?frame=at"),
    "replay.step": ("?undone=1", "?undone=1&at=LAST", "?at=BACK", "?undone=1&at=BACK"),
    "history.page": ("?part=0",),
    "join.page": ("?pin=000000",),
    "statistics.player": ("?name=Ana",),
}
"""Queries that an address also accepts; LAST and BACK are steps at the end of the game, GAME is its number."""
SCENES = (
    *("board", "now", "correct", "correct?seat=red&kind=silver", "left", "act/move", "act/establish", "act/ship"),
    *("act/technology", "act/exchange", "act/transport", "cards", "hand", "odds"),
)
PARTS: Mapping[str, tuple[str, ...]] = {"card": ("", "trading"), "path": SCENES, "key": (BROUGHT,)}
"""Values for the parameters of addresses."""
NEWS = {"X-Part": "main", "X-Shown": "0", "X-Words": "all"}
READ_IN = tuple(LANGUAGES)
NOISE: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r'("(?:began|last)":\s*)[\d.]+'), r"\1TIME"),
    (re.compile(r"(?<!\d)\d{1,4}[-/.]\d\d[-/.]\d{2,4}(?:[T ,]+\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?"), "DATE"),
    (re.compile(r"(<time[^>]*>)[^<]*"), r"\1TIME"),
    (re.compile(r"(playDate%22:%22)[^,]*"), r"\1DATE"),
    (re.compile(r"(sourcePlayId%22:%22)[0-9a-f]{32}"), r"\1GAME"),
    (re.compile(r'("id": ?")[0-9a-f]{32}'), r"\1GAME"),
    (re.compile(r'<svg [^>]*class="segno">.*?</svg>', re.DOTALL), "CODE"),
    (re.compile(r'(data-at=")\d+'), r"\1TIME"),
)
"""Times of the wall clock and ids of games, which can't be passed in to a ledger."""
Shelf = Mapping[str, AnyGame]
Ask = tuple[str, str]
"""An endpoint, and one address of it."""


class Clock:
    """The monotonic clock of both tables."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


class LuckAtOnce:
    """Computes luck when it is requested. A thread might finish on one table before it does on the other."""

    def __init__(self, reckon: Callable[[int], LuckReport | None]) -> None:
        self._reckon = reckon

    def of(self, game: int, version: int) -> Reckoned:
        """Return the luck report of a game."""
        return Reckoned(True, self._reckon(game))


class Twin:
    """One of the two tables, in its own application."""

    def __init__(self, folder: Path, clock: Clock, shelf: Shelf, keys: Path | None = None) -> None:
        folder.mkdir(parents=True)
        if keys is not None:
            for file in (keys / name for name in KEY_FILES if (keys / name).exists()):
                shutil.copy2(file, folder)
        self.folder, self.ledger = folder, Ledger.open(folder / "ledger.sqlite")
        self.shelf, self.table = shelf, Table(LiveGame(self.ledger, shelf, clock, Random(5)))
        self.access = HostPin(folder, clock)
        self.app = make_app(self.table, None, COVERS, self.access, clock)
        house: Services = self.app.extensions["house"]
        self.app.extensions["house"] = replace(house, luck=LuckAtOnce(self.table.archive.luck))
        self.key = ""

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot, with hidden values."""
        return self.table.snapshot

    def bring(self) -> None:
        """Upload the record of the game so far for a replay."""
        with self.app.test_request_context("/"):
            record = "".join(json.dumps(line) + "\n" for line in self.table.archive.record())
            house: Services = self.app.extensions["house"]
            self.key = house.brought.bring(record.encode())

    def settle(self) -> None:
        """Wait until the thread has added up the draws for the page of rings."""
        house: Services = self.app.extensions["house"]
        while house.fairness.look(60.0).working:
            pass

    def close(self) -> None:
        """Close the table."""
        self.table.close()


@dataclass
class Looker:
    """A visitor of both tables with the same cookie; *sees* are the seats whose cards it may see."""

    name: str
    clients: tuple[FlaskClient, FlaskClient]
    headers: Mapping[str, str] = field(default_factory=dict)
    sees: frozenset[str] = frozenset()
    owner: bool = False

    def asks(self, at: int, path: str, language: str, headers: Mapping[str, str]) -> TestResponse:
        """Return the answer of table *at*."""
        return self.clients[at].get(path, headers={**self.headers, "Accept-Language": language, **headers})


class Pair:
    """Two tables with the same game, and all their visitors."""

    def __init__(
        self, folder: Path, header: Line, lots: Random, report: Report, share: float, shelf: Shelf = GAMES
    ) -> None:
        self.clock, self.lots, self.report, self.share = Clock(), lots, report, share
        one = Twin(folder / "one", self.clock, shelf)
        one.table.open(header, HOST)
        with one.app.test_client() as client:
            client.get("/join")  # draws the table's PIN
        sessions: dict[str, dict[str, Any]] = {"onlooker": {}, "host": _host(one)}
        sessions |= {seat: _seat(one, seat) for seat in _colours(one)}
        other = Twin(folder / "other", self.clock, shelf, one.folder)
        other.table.open(header, HOST)
        self.twins = (one, other)
        self.lookers = [self._looker(name, carried) for name, carried in sessions.items()]
        token = {"Authorization": f"Bearer {one.access.local_token}"}
        self.lookers.append(Looker("token", self._clients({}), token, owner=True))
        seeds = [seed for twin in self.twins for seed in _seeds(twin)]
        self._seeds = (*(seed.encode() for seed in seeds), *map(bytes.fromhex, seeds))
        self._links: dict[str, str] = {}

    def _looker(self, name: str, carried: Mapping[str, Any]) -> Looker:
        sees = frozenset({name}) & set(_colours(self.twins[0]))
        return Looker(name, self._clients(carried), sees=frozenset(sees), owner=name == "host")

    def _clients(self, carried: Mapping[str, Any]) -> tuple[FlaskClient, FlaskClient]:
        one, other = (_client(twin, carried) for twin in self.twins)
        return one, other

    # Changes on both tables

    def do(self, *lines: Line) -> None:
        """Execute a line on each table, the same on both if there is only one; a refusal by either is a finding."""
        for twin, line in zip(self.twins, lines * (1 + (len(lines) == 1)), strict=True):
            twin.table.do(line, HOST)

    def execute(self, command: Any) -> bool:
        """Execute *command* on both tables; return False if both refuse it; it is a finding if only one does."""
        done = [self._executed(twin, command) for twin in self.twins]
        self.report.expect(done[0] == done[1], f"{command} was refused on one table only")
        return done[0]

    @staticmethod
    def _executed(twin: Twin, command: Any) -> bool:
        try:
            twin.table.execute(command, HOST)
        except Refused:
            return False
        return True

    def wait(self, seconds: float) -> None:
        """Advance the clock of both tables."""
        self.clock.seconds += seconds

    # Comparing

    def compare(self, moment: str, *whose: str) -> None:
        """Let everybody except the seats in *whose* request everything from both tables."""
        shown = [panel(twin.snapshot) for twin in self.twins]
        self.report.expect(shown[0] == shown[1], f"{moment}: the console shows it")
        self.report.tried["moments"] += 1
        asks = list(self._asks())
        lookers = [looker for looker in self.lookers if not looker.sees & set(whose)]
        chosen = [
            (looker, endpoint, path)
            for looker, (endpoint, path) in product(lookers, asks)
            if self.lots.random() < self._share_of(endpoint)
        ]
        for twin in self.twins:
            if any(BROUGHT in path for _, _, path in chosen):
                twin.bring()
            if any(endpoint.startswith(ADDED_UP) for _, endpoint, _ in chosen):
                twin.settle()
        for looker, endpoint, path in chosen:
            self._ask(looker, endpoint, path, moment)

    def _share_of(self, endpoint: str) -> float:
        if endpoint.startswith(DEAR):
            return self.share * DEAR_TIMES
        return self.share * TELLING_TIMES if endpoint in TELLING else self.share

    def _ask(self, looker: Looker, endpoint: str, path: str, moment: str) -> None:
        language = self.lots.choice(READ_IN)
        more = NEWS if endpoint == "table.scene" and self.lots.random() < 0.5 else {}
        answers = [
            looker.asks(at, path.replace(BROUGHT, twin.key), language, more) for at, twin in enumerate(self.twins)
        ]
        self.report.tried["answers"] += 1
        self.report.answers[str(answers[0].status_code)] += 1
        for answer in answers:
            self._keeps_the_seed(answer, f"{moment}: {path} tells {looker.name} the sealed seed")
        if looker.owner and endpoint in OWNERS:
            return
        one, other = (_plain(answer, twin) for answer, twin in zip(answers, self.twins, strict=True))
        self.report.expect(answers[0].status_code < 500, f"{moment}: {path} fails for {looker.name}")
        if one != other:
            changed = list(unified_diff(one.split("\n"), other.split("\n"), lineterm="", n=0))[2:8]
            self.report.found(f"{moment}: {looker.name} sees it at {path}: {changed}")
        self._links |= self._followed(one)

    def _keeps_the_seed(self, answer: TestResponse, sentence: str) -> None:
        if not _over(self.twins[0]):
            told = b"".join(_unpacked(answer))
            self.report.expect(not any(seed in told for seed in self._seeds), sentence)

    def _asks(self) -> Iterator[Ask]:
        number = self.twins[0].snapshot.game_id
        last = len(list(self.twins[0].table.archive.record())) - 1
        fill = {"LAST": str(last), "BACK": str(max(0, last - 1)), "GAME": str(number)}
        for rule in self.twins[0].app.url_map.iter_rules():
            if "GET" in (rule.methods or ()) and not _skipped(rule):
                for path in addresses(rule, number or 0):
                    for query in ("", *MORE.get(rule.endpoint, ())):
                        yield rule.endpoint, _filled(path + query, fill)
        for link in self.lots.sample(list(self._links), min(LINKS, len(self._links))):
            yield self._links[link], link

    def _followed(self, text: str) -> dict[str, str]:
        """Return the addresses that a page links to, each with its endpoint."""
        found, known = dict[str, str](), self.twins[0].app.url_map.bind("localhost")
        for link in _links(text):
            with suppress(HTTPException):
                found[link] = str(known.match(link.partition("?")[0])[0])
        return found

    def close(self) -> None:
        """Close both tables."""
        for twin in self.twins:
            twin.close()


def addresses(rule: Rule, number: int) -> Iterator[str]:
    """Yield the addresses of *rule* with parameters filled in; `LookupError` for an unknown parameter."""
    missing = rule.arguments - set(rule.defaults or ()) - {"game_id", *PARTS}
    if missing:
        raise LookupError(f"say in PARTS what stands for {sorted(missing)} of {rule.rule}")
    path = rule.rule.replace("<int:game_id>", str(number))
    part = re.search(r"<(?:\w+:)?(\w+)>", path)
    yield from [path] if part is None else [path.replace(part[0], value) for value in PARTS[part[1]]]


def _skipped(rule: Rule) -> bool:
    return rule.endpoint in MACHINES or rule.endpoint.endswith(".static")


def _filled(path: str, fill: Mapping[str, str]) -> str:
    for word, value in fill.items():
        path = path.replace(word, value)
    return path


def _colours(twin: Twin) -> tuple[str, ...]:
    snapshot = twin.snapshot
    assert snapshot.game is not None, "a game lies there"
    return tuple(seat.colour for seat in snapshot.game.seats(snapshot.state))


def _client(twin: Twin, carried: Mapping[str, Any]) -> FlaskClient:
    client = twin.app.test_client()
    with client.session_transaction() as session:
        session.update({"csrf": "the same on both tables", **carried})
    return client


def _carried(client: FlaskClient) -> dict[str, Any]:
    with client.session_transaction() as session:
        return {name: value for name, value in session.items() if not name.startswith("_")} | {
            "csrf": "the same on both tables"
        }


def _host(twin: Twin) -> dict[str, Any]:
    client = _client(twin, {})
    answer = client.post("/pin", data={"csrf": "the same on both tables", "pin": twin.access.pin})
    assert answer.status_code == 303
    return _carried(client)


def _seat(twin: Twin, colour: str) -> dict[str, Any]:
    client, snapshot = _client(twin, {}), twin.snapshot
    assert snapshot.game_id is not None and snapshot.header is not None
    names = {player["colour"]: player["name"] for player in snapshot.header["players"]}
    pin = twin.access.seats.sitting(snapshot.game_id, names).pin
    answer = client.post("/join", data={"csrf": "the same on both tables", "pin": pin, "seat": colour})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/table")
    return _carried(client)


def _seeds(twin: Twin) -> list[str]:
    """Return the sealed seeds in the ledger."""
    with closing(sqlite3.connect(f"file:{twin.ledger.path}?mode=ro", uri=True)) as ledger:
        return [json.loads(body)["seed"] for (body,) in ledger.execute("SELECT body FROM row WHERE word = 'sealed'")]


def _over(twin: Twin) -> bool:
    snapshot = twin.snapshot
    return snapshot.game is None or snapshot.game.result(snapshot.state) is not None


def _plain(answer: TestResponse, twin: Twin) -> str:
    """Return status, headers and body as text, without wall-clock times and the key of an uploaded record."""
    headers = "\n".join(f"{name}: {value}" for name, value in answer.headers if name not in ("Date", "Set-Cookie"))
    bodies = "\n".join(body.decode("latin-1") for body in _unpacked(answer))
    text = f"{answer.status_code}\n{headers}\n{bodies}"
    text = text.replace(twin.key, BROUGHT) if twin.key else text
    for pattern, instead in NOISE:
        text = pattern.sub(instead, text)
    return re.sub(r"Content-Length: \d+", "", text) if "DATE" in text or "TIME" in text else text


def _unpacked(answer: TestResponse) -> Iterator[bytes]:
    """Yield the body, or the files in it if it is a zip."""
    body = answer.get_data()
    if not body.startswith(b"PK"):
        yield body
        return
    with zipfile.ZipFile(BytesIO(body)) as packed:
        yield from (packed.read(name) for name in packed.namelist())


def _links(text: str) -> Iterator[str]:
    found = (link.replace("&amp;", "&") for link in re.findall(r'href="(/[^"#]*)', text))
    yield from (link for link in found if not link.startswith(("/static", "/replay/", "/house")))


# Playing


def play(pair: Pair, name: str, record: Sequence[Line], comparisons: int) -> None:
    """Play *record* on both tables, and compare them *comparisons* times on the way."""
    game = GAMES[name]
    if game.secrets is None:
        return _play_openly(pair, record, comparisons)
    state: AndromedaState = game.start(record[0])
    paces = [game.pace.changed({"reveal": True}), game.pace.changed({"reveal": pair.lots.random() < 0.7})]
    pair.execute(SetPace(pair.lots.choice(paces).line()))
    for line in record[1:]:
        if pair.report.tried["moments"] >= comparisons:
            return None
        answers = _answers(state, line)
        if answers is not None:
            _differ(pair, state, answers)
        elif pair.lots.random() < CROSSWISE and (ways := crosswise(state, pair.lots)):
            _hold_crosswise(pair, *ways)
        _go_on(pair, game, state, line)
        state = _after(game, state, line)
    return None


CROSSWISE = 0.15
"""The probability that credits are swapped before a line of a game."""
LEAD_S = 3.0


def _play_openly(pair: Pair, record: Sequence[Line], comparisons: int) -> None:
    """Play a game without hidden values: both tables must look the same."""
    game, state = GAMES[str(record[0]["game"])], GAMES[str(record[0]["game"])].start(record[0])
    each = max(1, (len(record) - 1) // comparisons)
    for number, line in enumerate(record[1:], 1):
        _go_on(pair, game, state, line)
        state = _after(game, state, line)
        if number % each == 0:
            pair.compare(f"after line {number} of {game.name}")


def _go_on(pair: Pair, game: AnyGame, state: Any, line: Line) -> None:
    if game.by_itself(state, frozenset()) is None:  # otherwise the table has done it automatically
        pair.do(line)
    pair.wait(pair.lots.choice((0.5, LEAD_S + 1)))


def _after(game: AnyGame, state: Any, line: Line) -> Any:
    for event in game.decide(state, game.parse(line)):
        state = game.evolve(state, event)
    return state


def _answers(state: AndromedaState, line: Line) -> list[Line] | None:
    """Return the lines that answer a card in trading, cards unnamed, if *line* is the first of a round, or None."""
    if state.phase is not Phase.TRADING or line["do"] != "lay" or line["player"] == state.starter:
        return None
    missing = must_lay(state)
    answering = [seat for seat in state.colours if seat != state.starter and seat not in _excused(state)]
    return [{"do": "lay", "player": seat, "card": None} for seat in missing] if len(missing) == len(answering) else None


def _excused(state: AndromedaState) -> frozenset[str]:
    return frozenset() if state.trading is None else state.trading.excused


def _differ(pair: Pair, state: AndromedaState, answers: Sequence[Line]) -> None:
    """Play different cards on the two tables, compare at every moment until they turn over, and undo all."""
    game, laid = GAMES["andromeda"], list[str]()
    for line in answers:
        cards = _cards(state, line, pair.lots)
        if line is answers[-1] and not pair.twins[0].snapshot.pace.reveal:
            break  # on this table they turn over with the last card
        one, other = ({**line, "card": card} for card in cards)
        pair.do(one, other)
        state, laid = _after(game, state, one), [*laid, str(line["player"])]
        pair.report.tried["cards face down"] += 1
        pair.wait(0.2)
        if not must_lay(state):
            _while_counting(pair, laid, (one, other))
        else:
            pair.compare(f"{line['player']} lays {cards[0]} or {cards[1]}", *laid)
            _paused(pair, laid, "face down, paused")
    for _ in laid:
        pair.execute(Undo())
    pair.compare("all cards are taken back", *laid)


def _while_counting(pair: Pair, laid: Sequence[str], last: tuple[Line, Line]) -> None:
    """Compare during the 3-2-1 countdown: running, paused, stopped, extended, undone, and at its end."""
    pair.compare("three", *laid)
    _paused(pair, laid, "three, paused")
    pair.wait(1.0)
    if pair.execute(Hold()):
        pair.wait(60.0)
        pair.compare("two, held", *laid)
        pair.execute(Go())
    pair.execute(Extend(30_000))
    pair.compare("two, extended", *laid)
    pair.execute(Undo())
    pair.compare("the last card is taken back", *laid)
    pair.do(*last)
    pair.execute(AllReady())
    pair.wait(LEAD_S - 0.1)
    pair.compare("one", *laid)


def _paused(pair: Pair, laid: Sequence[str], moment: str) -> None:
    if pair.execute(Pause()):
        pair.wait(600.0)
        pair.compare(moment, *laid)
        pair.execute(Resume())


def _cards(state: AndromedaState, line: Line, lots: Random) -> tuple[str | None, str | None]:
    cards = [card for card in (*PLANETS, *KINDS, None) if not why_not(state, Lay(str(line["player"]), card))]
    one, other = lots.sample(cards, 2)
    return one, other


def _hold_crosswise(pair: Pair, one: Sequence[Line], other: Sequence[Line]) -> None:
    """Swap two players' credits on the other table, which doesn't change the piles."""
    owners = [str(line["player"]) for line in one]
    for lines in zip(one, other, strict=True):
        pair.do(*lines)
    pair.report.tried["credits crosswise"] += 1
    pair.compare("credits are held crosswise", *owners)
    _paused(pair, owners, "credits are held crosswise, paused")
    for _ in one:
        pair.execute(Undo())
    pair.compare("credits were held crosswise", *owners)


def twins(
    folder: Path,
    games: Iterable[tuple[str, int]],
    seed: object,
    share: float = 1.0,
    comparisons: int = 10_000,
    shelf: Shelf = GAMES,
    first: int = 0,
) -> Report:
    """Play *games*, each by name and number of players, from number *first* on, and return the report.

    At each moment a *share* of all addresses is requested, and each game ends after *comparisons* comparisons. The
    tables know the games of the *shelf*. Each game has its own random numbers, from the *seed* and its number.
    """
    whole = Report("twins")
    for number, (name, players) in list(enumerate(games))[first:]:
        lots = Random(f"{seed} {number}")
        header, *lines = simulate(GAMES[name], _at_random(name), players, lots, time.monotonic).record
        record, report = [_drawn_by_the_house(header), *lines], Report("twins")
        pair = Pair(folder / str(number), record[0], lots, report, share, shelf)
        try:
            play(pair, name, record, comparisons)
        finally:
            pair.close()
        whole.tried += report.tried
        whole.answers += report.answers
        for sentence in report.told:
            whole.found(f"{name}: {sentence}")
        whole.findings += report.findings - len(report.told)
        played = f"{number}: {name} of {players}: {report.inputs:,} inputs, {report.findings} findings"
        print(played, *report.told, sep="\n  FOUND: ", flush=True, file=sys.stderr)
    return whole


def _at_random(name: str) -> RandomPlay:
    found = GAMES[name].random_play
    assert found is not None, "every game of ours can be played at random"
    return found


def _drawn_by_the_house(header: Line) -> Line:
    """Return *header* with a virtual ring, if the game allows it: then there is a sealed seed."""
    if header["game"] != "andromeda":
        return header
    return {**header, "options": {**header.get("options", {}), "virtual_ring": True}}


def games_of(number: int, lots: Random) -> Iterator[tuple[str, int]]:
    """Yield *number* games with their numbers of players: three of every four have hidden values."""
    for at in range(number):
        name = "andromeda" if at % 4 != 3 else lots.choice([name for name in GAMES if GAMES[name].secrets is None])
        yield name, lots.choice(_at_random(name).players)


def main() -> int:
    """Play the games given on the command line, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.strangers.twins", description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--first", type=int, default=0, help="number of the first game, to play one game again")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--share", type=float, default=0.006, help="share of all addresses that are requested at each moment"
    )
    asked, began = parser.parse_args(), time.monotonic()
    games = games_of(asked.games, Random(asked.seed))
    with tempfile.TemporaryDirectory(prefix="twins-") as folder:
        report = twins(Path(folder), games, asked.seed, asked.share, first=asked.first)
    print(*report.lines(time.monotonic() - began), sep="\n", flush=True)
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())

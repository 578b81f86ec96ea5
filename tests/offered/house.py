"""A companion whose game is played with random moves, and whose buttons can be tried without an effect."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

from werkzeug.exceptions import HTTPException

from companion.console.controller import carry_out, meant
from companion.games.registry import GAMES
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.model.game import AnyGame, Viewer, still_to_lay
from companion.model.snapshot import NOT_A_DRAW, MovedOn, Snapshot, Who
from companion.ports.console import Pressed
from companion.ports.ring import Judgement, RingEvent, RingEventKind, RingPort, RingState, RingView
from companion.records import RECORD, VERSION
from companion.session.commands import Answer, Ready
from companion.session.live_game import LiveGame
from companion.session.table import Table
from companion.session.transaction import Transaction
from tests.companion.ledgers import open_ledger
from tests.offered.page import Page, Sending
from tests.web.applications import lent_app
from tests.web.served_house import Browser, ToldRing
from web import HostPin
from web.games.andromeda.components.public_hand import judged
from web.games.registry import COVERS
from web.request.clock_face import seen_at
from web.request.endpoint_access import EndpointAccess, access_to

HOST = Who("host", "tablet")
SLOWLY_S = 30.0
"""The time between two taps, long enough for any slide of the ring to be over."""


class Accepted(Exception):
    """Raised if the table would have executed the command."""


class TryingGame(LiveGame):
    """A game that can be asked whether it would accept a command: while *tries* is true, nothing is committed."""

    tries = False

    def commit(self, transaction: Transaction) -> None:
        if self.tries:
            raise Accepted
        super().commit(transaction)


@dataclass(frozen=True)
class Tapped:
    """The result of a tap: whether it was *accepted*; if not, *why*. *elsewhere*: it was no command to the table."""

    accepted: bool
    why: str = ""
    elsewhere: bool = False


class OfferedHouse:
    """A companion in *folder* with a game of this many *players*, played at random with numbers from *lots*."""

    def __init__(self, folder: Path, name: str, players: int, lots: Random, rulings: bool, ring: bool) -> None:
        self.now = 1000.0
        self.lots = lots
        self._seq = 0
        self.game: AnyGame = GAMES[name]
        play = self.game.random_play
        assert play is not None, "every game of this house can be played at random"
        self.play = play
        self.ledger = open_ledger(folder / "ledger.sqlite")
        self.live = TryingGame(self.ledger, GAMES, lambda: self.now, Random(5))
        self.table = Table(self.live)
        self.ring: RingPort | None = ToldRing(RingView(state=RingState.LIVE, simulated=True)) if ring else None
        if self.ring is not None:
            self.table.ring_changed(self.ring.view)
        self.access = HostPin(folder)
        self.app = lent_app(self.table, self.ring, COVERS, self.access, lambda: self.now, testing=True)
        header: Line = {"record": RECORD, "version": VERSION, "game": name, **play.header(players, lots, rulings)}
        self.table.open(header, HOST)
        self.browsers = dict(self._joined())

    def close(self) -> None:
        """Close the table and the ledger."""
        self.table.close()
        self.ledger.close()

    def _joined(self) -> Iterator[tuple[str, Browser]]:
        host = Browser(self.app.test_client())
        host.post("/pin", pin=self.access.pin)
        yield "host", host
        number, header = self.snapshot.game_id, self.snapshot.header
        assert number is not None and header is not None
        names = {player["colour"]: player["name"] for player in header["players"]}
        for seat in self.seats:
            phone = Browser(self.app.test_client())
            phone.post("/join", pin=self.access.seats.sitting(number, names).pin, seat=seat)
            yield seat, phone
        yield "onlooker", Browser(self.app.test_client())

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot, as seen at the present time."""
        return seen_at(self.table.snapshot, self.now)

    @property
    def state(self) -> Any:
        """The current state of the game."""
        return self.table.snapshot.state

    @property
    def seats(self) -> tuple[str, ...]:
        """The colours of all seats."""
        return tuple(seat.colour for seat in self.game.seats(self.state))

    @property
    def over(self) -> bool:
        """Whether the game has a result."""
        return self.game.result(self.state) is not None

    def step(self) -> None:
        """Execute a random legal command."""
        self.now += SLOWLY_S
        self.table.do(self.game.line(self.play.command(self.state, self.lots)), HOST)

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Inside this context, let the table only say whether it would execute a command."""
        self.now += SLOWLY_S
        self.live.tries = True
        try:
            yield
        finally:
            self.live.tries = False

    @contextmanager
    def asked_by_the_ring(self, lots: Random) -> Iterator[None]:
        """If a draw is expected, let the ring report a passage of one or two cubes whose colour is uncertain."""
        order = self.table.order()
        if order is not None:
            self._seq += 1
            colours = [colour for colour, count in order.under.items() if count]
            ranking = tuple((colour, 1 / len(colours)) for colour in colours)
            kind = lots.choice((RingEventKind.OUT, RingEventKind.PAIR))
            judged = Judgement(None, ranking, "ambiguous")
            self.table.heard(RingEvent("d", "b", self._seq, self._seq * 1000, kind, order.token, ("raw",), judged))
        yield
        for question in self.snapshot.questions:
            self.table.execute(Answer(question.id, NOT_A_DRAW), HOST)

    def lay_face_down(self, lots: Random) -> None:
        """Let all players who lay cards face down be ready, or all but one, so that the table waits for that player."""
        seats = still_to_lay(self.game, self.state)
        for seat in seats[lots.randrange(2) :]:
            self.table.execute(Ready(seat), HOST)

    def look(self, who: str, address: str) -> tuple[int, str, Page]:
        """Return the status, the final address and the page that *who* gets at *address*."""
        answer = self.browsers[who].client.get(address, follow_redirects=True)
        at = answer.request.full_path.rstrip("?") if answer.request.query_string else answer.request.path
        return answer.status_code, at, Page(answer.get_data(as_text=True))

    def tap(self, who: str, sending: Sending) -> Tapped:
        """Return the result that *sending* would have if *who* sent it."""
        path = urlsplit(sending.address).path
        if not path.startswith("/table/") and path != "/demo":
            why = self.why_not_by_access(who, path, "POST")
            return Tapped(not why, why, elsewhere=True)
        lines = sending.value("lines")
        if path == "/table/do" and lines:
            return self._in_a_row(json.loads(lines)["lines"])
        client = self.browsers[who].client
        slides = self.ring.slides if isinstance(self.ring, ToldRing) else 0
        with self.trying():
            try:
                answer = client.post(sending.address, data=dict(sending.fields))
            except Accepted:
                return Tapped(True)
        with client.session_transaction() as session:
            flashes = session.pop("_flashes", [])
        if flashes or answer.status_code >= 400:
            return Tapped(False, " ".join(str(text) for _, text in flashes) or str(answer.status_code))
        slid = isinstance(self.ring, ToldRing) and self.ring.slides > slides
        return Tapped(True, elsewhere=not slid)

    def hides(self, who: str, lines: list[Line]) -> bool:
        """Return whether *lines* is one line that the rules may refuse because of a hand that *who* doesn't see."""
        if self.game.name != "andromeda" or len(lines) != 1:
            return False
        viewer = Viewer(who if who in self.seats else None)
        with self.app.test_request_context("/"):
            return not judged(self.snapshot, viewer, lines[0]).sure

    def why_not_by_access(self, who: str, path: str, method: str) -> str:
        """Return why *who* has no permission for *path*, or an empty string."""
        if who == "host":
            return ""
        try:
            endpoint, _ = self.app.url_map.bind("localhost").match(path, method=method)
        except HTTPException as fault:
            return str(fault.name)
        access = access_to(endpoint)
        mine = access in (EndpointAccess.LOOK, EndpointAccess.TRY) or (
            access is EndpointAccess.SEAT and who != "onlooker"
        )
        return "" if mine else f"{endpoint} is for {access}"

    def press(self, pressed: Pressed) -> str:
        """Return why the table would refuse the present command of a console's button, or "" if it has none."""
        seen = self.snapshot
        try:
            asked = meant(seen, pressed)
        except Refused:
            return ""
        with self.trying():
            try:
                carry_out(asked, self.table, seen.version)
            except Accepted:
                return ""
            except (Refused, Malformed, MovedOn) as reason:
                return str(reason.reason)
        return ""

    def _in_a_row(self, lines: list[Line]) -> Tapped:
        """Return the result of several lines, each of which changes the state for the next."""
        state = self.state
        try:
            for line in lines:
                for event in self.game.decide(state, self.game.parse(line)):
                    state = self.game.evolve(state, event)
        except (Refused, Malformed) as reason:
            return Tapped(False, str(reason.reason))
        return Tapped(True)

    def after(self, line: Line) -> Any:
        """Return the state after *line*, or None if the rules refuse the line."""
        state = self.state
        try:
            for event in self.game.decide(state, self.game.parse(line)):
                state = self.game.evolve(state, event)
        except (Refused, Malformed):
            return None
        return state

    def accepts(self, who: str, line: Line) -> bool:
        """Return whether the API accepts *line* from *who*."""
        browser = self.browsers[who]
        csrf = browser.csrf
        with self.trying():
            try:
                browser.client.post("/api/v1/commands", json=line, headers={"X-CSRF-Token": csrf})
            except Accepted:
                return True
        return False

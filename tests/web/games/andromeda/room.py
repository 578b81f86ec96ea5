"""A room for one test: a real table with the real rules and pages, and a simulated user who taps what a page offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Self
from urllib.parse import urlsplit

from companion.games.andromeda import GAME
from companion.games.andromeda.state import State
from companion.model.clock import REVEAL_MS
from companion.model.snapshot import Snapshot, Who
from companion.ports.ring import Judgement, RingEvent, RingEventKind, RingState, RingView
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.ledgers import open_ledger
from tests.web.applications import lent_app
from tests.web.markup import parts
from tests.web.served_house import Browser, ToldRing
from web import HostPin
from web.games.andromeda import COVER
from web.games.andromeda.pages import PAGES
from web.request.clock_face import seen_at
from web.request.game_pages import Final, Look, Scene

HOST = Who("host", "tablet")
COLOURS = ("red", "blue", "green", "yellow", "black")
NAMES = ("Ana", "Ben", "Cem", "Dora", "Eli")
RECORD: Mapping[str, Any] = {"record": "table-record", "version": 1, "game": "andromeda"}
ONE_EACH = dict.fromkeys(("p1", "p2", "p3", "p4", "p5", "p6"), 1)
SET_UP = {3: ONE_EACH, 4: {**ONE_EACH, "p1": 2, "p2": 2, "p7": 1}, 5: ONE_EACH}


def header_for(players: int, options: Mapping[str, object] | None = None) -> dict[str, Any]:
    """Return the header of a game with this number of players on the example board."""
    seats = [{"colour": colour, "name": name} for colour, name in zip(COLOURS, NAMES, strict=True)][:players]
    return {**RECORD, "players": seats, "first": "red", "options": dict(options or {})}


@dataclass
class Tap:
    """Something on a page that can be tapped: a link, or a button of a form with all fields that the form sends."""

    words: str
    address: str
    fields: dict[str, str] | None = None
    off: bool = False


@dataclass
class Page:
    """A page as a user sees it: taps, disabled taps, and text."""

    html: str
    taps: list[Tap] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        self._form: dict[str, Any] | None = None
        self._open: Tap | None = None
        shown = []
        for text, tag, given in parts(self.html, "form", "input", "a", "button"):
            shown.append(text)
            if self._open is not None:
                self._open.words += " " + text
            self._read(tag, given)
        self.text = " ".join(" ".join(shown).split())

    def _read(self, tag: str, given: dict[str, str]) -> None:
        if tag == "form":
            self._form = {"action": given.get("action", ""), "fields": {}}
        elif tag == "/form":
            self._form = None
        elif tag == "input" and self._form is not None and given.get("type") != "radio":
            self._form["fields"][given.get("name", "")] = given.get("value", "")
        elif tag == "a" and "href" in given:
            self._open = Tap(given.get("aria-label", ""), given["href"])
        elif tag == "button":
            self._open = self._button(given)
        elif tag in ("/a", "/button") and self._open is not None:
            self._open.words = " ".join(self._open.words.split())
            self.taps.append(self._open)
            self._open = None

    def _button(self, given: dict[str, str]) -> Tap:
        words, off = given.get("aria-label", ""), "disabled" in given
        if self._form is None:
            return Tap(words, "", None, off)
        sent = {given["name"]: given.get("value", "")} if "name" in given else {}
        # The fields of a form are parsed until its end: its buttons share the same dictionary.
        return Tap(words, self._form["action"], {**self._form["fields"], **sent}, off)

    def find(self, words: str) -> Tap:
        """Return the first tap whose label contains *words*, and which is enabled."""
        found = [tap for tap in self._worded(words) if not tap.off]
        assert found, f"no tap for {words!r} among {[tap.words for tap in self.taps]}"
        return found[0]

    def rests(self, words: str) -> bool:
        """Return whether there is a disabled button labelled *words*."""
        found = self._worded(words)
        return bool(found) and all(tap.off for tap in found)

    def _worded(self, words: str) -> list[Tap]:
        """Return the taps labelled exactly *words*, or those whose label contains it if there are none."""
        holding = [tap for tap in self.taps if words.lower() in tap.words.lower()]
        return [tap for tap in holding if tap.words.strip().lower() == words.lower()] or holding


class Room:
    """One game at a real table, with a tablet that has the host's rights."""

    def __init__(
        self, folder: Path, players: int = 4, options: Mapping[str, object] | None = None, first: bool = True
    ) -> None:
        self.now = 100.0
        self.ledger = open_ledger(folder / "ledger.sqlite")
        self.table = Table(LiveGame(self.ledger, {"andromeda": GAME}, lambda: self.now, Random(5)))
        self.ring = ToldRing(RingView(state=RingState.LIVE, device="d", last_passage_at=40.0))
        self.table.ring_changed(self.ring.view)
        access = HostPin(folder)
        self.app = lent_app(self.table, self.ring, {"andromeda": COVER}, access, lambda: self.now)
        self.client = self.app.test_client()
        self.taps = 0
        self._seq = 0
        if first:
            self.table.open(header_for(players, options), HOST)
            self.be_host(access.pin)

    def be_host(self, pin: str) -> None:
        """Enter the host's PIN."""
        Browser(self.client).post("/pin", pin=pin)

    def without_ring(self) -> Self:
        """Disconnect the ring, so that draws have to be typed in."""
        self.ring.view = RingView()
        return self

    def wait(self, seconds: float) -> Self:
        """Advance the clock."""
        self.now += seconds
        return self

    # Lines

    def do(self, do: str, **fields: Any) -> Self:
        """Send the table a line directly, not through a page."""
        self.table.do({"do": do, **fields}, HOST)
        return self

    def set_up(self) -> Self:
        """Place all set-up cards and deal: the transport phase is next."""
        for colour in self.state.colours:
            self.do("setup", player=colour, cards=SET_UP[len(self.state.colours)])
        return self.do("deal")

    def in_trading(self) -> Self:
        """Go on to the first trading phase; nobody transports."""
        self.set_up()
        for colour in self.state.colours:
            self.do("transport", player=colour, move="pass")
        return self

    def others_lay(self, cards: Mapping[str, str | None] | None = None) -> Self:
        """Let everybody but the starting player play a card, and wait until all are revealed."""
        for colour in self.state.colours[1:]:
            self.do("lay", player=colour, card=(cards or {}).get(colour))
        return self.wait(REVEAL_MS / 1000)

    def both_laid(self) -> Self:
        """Let every player play two cards, so that the starting player can swap or play a third card."""
        for _ in range(2):
            self.do("lay", player="red", card=None).others_lay()
        return self

    def in_actions(self) -> Self:
        """Go on to the first action phase: red has three actions."""
        self.in_trading()
        if self.state.options.trade_record == "off":
            return self.do("end_trading")
        self.both_laid().do("swap", player="red", **{"with": "blue"}).do("keep", player="blue")
        for colour in self.state.colours[2:-1]:
            self.do("take_back", player=colour)
        return self

    def attempt(self, cards: int = 6) -> Self:
        """Start an attempt by red at p1."""
        return self.do("establish", player="red", planet="p1", cards=cards)

    # The ring

    def out(
        self, colour: str | None, *ranking: tuple[str, float], kind: RingEventKind = RingEventKind.OUT, why: str = ""
    ) -> Self:
        """Make the ring report a passage for the current arming."""
        self._seq += 1
        order = self.table.order()
        token = order.token if order else 0
        judged = Judgement(colour, ranking, why)
        self.table.heard(RingEvent("d", "boot", self._seq, self._seq * 1000, kind, token, ("raw",), judged))
        return self

    def hear_late(self, colour: str, token: int) -> None:
        """Make the ring report a passage for an arming that has already ended."""
        self._seq += 1
        self.table.heard(
            RingEvent("d", "boot", self._seq, self._seq * 1000, RingEventKind.OUT, token, ("raw",), Judgement(colour))
        )

    # Reading

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot, with the clock read now."""
        return seen_at(self.table.snapshot, self.now)

    @property
    def state(self) -> State:
        """The state of the game."""
        found = self.table.snapshot.state
        assert isinstance(found, State)
        return found

    @property
    def last(self) -> dict[str, Any]:
        """The newest line of the game."""
        return dict(self.snapshot.recent[0].line)

    def scene(self, path: str = "", **query: str) -> Mapping[str, Any]:
        """Return the template variables of the page at *path*, made without a request."""
        look = Look(self.snapshot, query=query, may_act=True)
        found = PAGES.scene(look, path)
        if isinstance(found, Final):
            return PAGES.around(look, None)
        assert isinstance(found, Scene)
        return {**PAGES.around(look, found.bar), **found.context}

    def look(self, address: str = "/table") -> Page:
        """Open a page directly, without a tap."""
        answer = self.client.get(address, follow_redirects=True)
        assert answer.status_code == 200, f"{address}: {answer.status_code}"
        self.page = Page(answer.get_data(as_text=True))
        return self.page

    def tap(self, *words: str) -> Page:
        """Tap one thing after the other, and count the taps."""
        for word in words:
            self._tap(self.page.find(word))
        return self.page

    def _tap(self, tap: Tap) -> None:
        self.taps += 1
        if tap.fields is None:
            address = urlsplit(tap.address)
            self.look(f"{address.path}?{address.query}" if address.query else address.path)
            return
        answer = self.client.post(tap.address, data=tap.fields, follow_redirects=True)
        assert answer.status_code == 200, f"{tap.address}: {answer.status_code}"
        self.page = Page(answer.get_data(as_text=True))

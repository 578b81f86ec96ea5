"""The evenings of the games other than Andromeda: each kind of step once, and the pages it links to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import unescape
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from companion.games.hanse import demo_policy as hanse_policy
from companion.games.hanse.state import Phase as HansePhase
from companion.games.hanse.state import State as HanseState
from companion.games.registry import GAMES
from companion.games.wreck import demo_policy as wreck_policy
from companion.games.wreck.state import Phase as WreckPhase
from companion.games.wreck.state import State as WreckState
from tests.browser.moments import LONG, SEATS, Moment
from tests.browser.playing import Followed
from tests.companion.app.processes import Service
from tests.companion.games.hanse.voyage import GOODS, sides
from web.games.wreck.new_game import header as wreck_header

TELEVISION = "television"
"""The name of the big screen, which is used in place of a seat."""
LINK = re.compile(r'href="(/table[^"#]*)"')
ALIKE = ("/table/menu", "/table/menu?of=settings", "/table/clock", "/table/undo", "/help?ask")
"""Pages below /table that are alike in every game."""
FROM_THE_MENU = ("/table/board", "/help", "/table/correct")
AFTER = {"history": "/history", "new": "/new", "rules": "/help?cards"}
LONGEST = 48
LATE_TURN, LATE_ROUND = 12, 3
CONTENTS = {"red": 12, "blue": 9, "green": 6, "yellow": 3, "black": 1, "orange": 12, "purple": 4}
STUCK = {"red": 2, "blue": 1}
Evening = Iterator[Moment]


def hanse(service: Service) -> Evening:
    """Yield the pages of a game of the Hanse between two players with long names, to its end."""
    seats = [{"colour": colour, "name": name} for colour, name in zip(("red", "blue"), LONG[:2], strict=True)]
    game = _begun(service, {"game": "hanse", "players": seats, "younger": "red"})
    yield Moment("hanse-goods")
    yield Moment("hanse-goods-some", "/table?planet=p1&p1=p22,p23")
    for planet, goods in GOODS.items():
        game.play({"do": "goods", "planet": planet, "cards": sides(goods)})
    yield from game.steps(_of_a_voyage, hanse_policy.command, "hanse-turn")
    yield from _after("hanse")


def _of_a_voyage(state: HanseState) -> str:
    """Return the name of the step that the table shows."""
    if state.turn is None or state.phase is not HansePhase.TURN:
        return f"hanse-{state.phase}"
    late = "late-" if state.turn.number > LATE_TURN else ""
    return f"hanse-{late}{'turn' if state.turn.energy is None else 'flight'}"


def wreck(service: Service) -> Evening:
    """Yield the pages of a game of the wreck for four players with long names, to its end."""
    game = _begun(service, wreck_header(tuple(SEATS.items())[:4]))
    yield from game.steps(_of_a_wreck, wreck_policy.command, "wreck-turn")
    yield from _after("wreck")


def _of_a_wreck(state: WreckState) -> str:
    """Return the name of the step that the table shows."""
    match state.phase:
        case WreckPhase.SETUP | WreckPhase.CLEANUP:
            return f"wreck-{'open' if state.open_due else 'roll'}"
        case WreckPhase.OFFERS:
            return f"wreck-{'offer' if state.offer is None else 'forced' if state.offer.forced else 'offered'}"
        case WreckPhase.TURNS if state.players[state.turn].contamination:
            return "wreck-contaminated"
        case WreckPhase.TURNS:
            return "wreck-turn-late" if state.round >= LATE_ROUND else "wreck-turn"
        case WreckPhase.FINISHED:
            return "wreck-final"


def draws(service: Service) -> Evening:
    """Yield the pages of a draw table with seven colours, five players and a tower, until it is closed."""
    players = [{"colour": colour, "name": name} for colour, name in SEATS.items()]
    game = _begun(service, {"game": "draws", "players": players, "contents": CONTENTS, "tower": STUCK})
    yield from game.seen("draws-open", "red")
    for line in _drawn():
        game.play(line)
    yield from game.seen("draws-drawn", "blue", menu=("/help",))
    game.play({"do": "finish"})
    yield from game.seen("draws-final", "red")
    yield from _after("draws")


def _drawn() -> Iterable[dict[str, Any]]:
    """Yield the lines of the table: everybody draws, cubes are returned, and some are thrown into the tower."""
    for seat, colour in zip((*SEATS, *SEATS), (*CONTENTS, "red", "orange", "blue"), strict=True):
        yield {"do": "take", "player": seat}
        yield {"do": "draw", "cubes": {colour: 1}}
    yield {"do": "draw", "cubes": {"red": 3, "orange": 4, "purple": 2}}
    yield {"do": "throw", "cubes": {"red": 3, "green": 2}}
    yield {"do": "out", "cubes": {"red": 2, "blue": 1}}


def _after(name: str) -> Evening:
    """Yield the pages after the game."""
    for page, path in AFTER.items():
        yield Moment(f"{name}-{page}", f"{path}?game={name}" if page == "new" else path)
    yield Moment(f"{name}-screen", "/screen", TELEVISION)


class Played:
    """The game *name* on a service, and the kinds of its pages seen so far."""

    def __init__(self, service: Service, name: str) -> None:
        self._service, self._game, self._followed = service, GAMES[name], Followed(service)
        self._known: set[tuple[str, ...]] = {("/table",)}

    def play(self, line: Mapping[str, Any]) -> None:
        """Play *line*."""
        self._service.do(line)

    def steps(self, named: Callable[[Any], str], policy: Callable[[Any, Random], Any], turn: str) -> Evening:
        """Play by *policy* to the end, and yield each step whose name (from *named*) is new.

        At the step *turn*, the menu's pages are yielded too.
        """
        lots, known = Random(5), set[str]()
        while True:
            state: Any = self._followed.state()
            if (name := named(state)) not in known:
                known.add(name)
                menu = FROM_THE_MENU if name == turn else ()
                yield from self.seen(name, *self._game.waited_for(state)[:1], menu=menu)
            if state.finished:
                return
            self.play(self._game.line(policy(state, lots)))

    def seen(self, name: str, *seats: str, menu: Sequence[str] = ()) -> Evening:
        """Yield the table's page, also on the phones of *seats*, and the pages that it and its *menu* link to."""
        yield Moment(name)
        for seat in seats:
            yield Moment(f"{name}-seat", seat=seat)
        waiting = self._new(menu) + self._new(self._links("/table"))
        while waiting:
            path = waiting.pop(0)
            yield Moment("-".join((name, *re.findall(r"\w+", path.removeprefix("/table"))))[:LONGEST], path)
            waiting += self._new(self._links(path))

    def _links(self, path: str) -> list[str]:
        """Return the links of the page at *path*."""
        return [unescape(link) for link in LINK.findall(self._service.page(path))]

    def _new(self, links: Iterable[str]) -> list[str]:
        """Return one of each kind of *links* that was not seen yet."""
        found = []
        for link in links:
            parts = urlsplit(link)
            kind = (parts.path, *sorted(key for key, _ in parse_qsl(parts.query)))
            if parts.path not in ALIKE and kind not in self._known:
                self._known.add(kind)
                found.append(link)
        return found


def _begun(service: Service, header: Mapping[str, Any]) -> Played:
    """Start the game of *header* on *service*."""
    whole: dict[str, Any] = {"record": "table-record", "version": 1, **header}
    assert service.ask("POST", "/api/v1/games", whole)[0] == 201
    return Played(service, whole["game"])


EVENINGS: Mapping[str, Callable[[Service], Evening]] = {each.__name__: each for each in (hanse, wreck, draws)}

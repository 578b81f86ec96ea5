"""An evening of five players with names of twelve letters, played to each moment, for checks of pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.state import Phase, State
from companion.games.registry import GAMES
from tests.browser.playing import state_now
from tests.companion.app.processes import Service

LONG = ("Bartholomäus", "Annemargrete", "Maximilianus", "Christoforus", "Elisabethine")
SEATS = dict(zip(("red", "blue", "green", "yellow", "black"), LONG, strict=True))
HEADER: dict[str, Any] = {
    "record": "table-record",
    "version": 1,
    "game": "andromeda",
    "players": [{"colour": colour, "name": name} for colour, name in SEATS.items()],
    "first": "red",
}
CARDS = {"p1": 2, "p2": 2, "p3": 1, "p4": 1, "p5": 1}
ACTIONS = ("exchange", "move", "establish", "ship", "technology")


@dataclass(frozen=True)
class Moment:
    """A page during a game: its *name* and *path*, and the *seat* whose phone shows it (the host's device if empty)."""

    name: str
    path: str = "/table"
    seat: str = ""


def moments(service: Service) -> Iterator[Moment]:
    """Play the evening, and yield every page that players use."""
    assert service.ask("POST", "/api/v1/games", HEADER)[0] == 201
    yield Moment("setup")
    state = state_now(service)
    for colour in SEATS:
        service.do({"do": "setup", "player": colour, "cards": _open_cards(state)})
    yield Moment("deal")
    yield Moment("seat-deal", seat="red")
    service.do({"do": "deal"})
    yield Moment("transport")
    yield Moment("seat-transport", seat="red")
    for colour in SEATS:
        service.do({"do": "transport", "player": colour, "move": "pass"})
    yield from _trading(service)
    yield from _actions(service)


def _open_cards(state: State) -> dict[str, int]:
    """Return set-up cards for one of five players."""
    wanted = next(iter(state.players.values())).unplaced
    cards = dict.fromkeys(CARDS, 0)
    while sum(cards.values()) < wanted:
        for planet in cards:
            if sum(cards.values()) < wanted:
                cards[planet] += 1
    return {planet: count for planet, count in cards.items() if count}


def _trading(service: Service) -> Iterator[Moment]:
    yield Moment("trading-lay")
    yield Moment("seat-trading-lay", seat="red")
    service.do({"do": "lay", "player": "red", "card": "p1"})
    yield Moment("trading-answer")
    yield Moment("trading-name-one", "/table?seat=blue")
    yield Moment("seat-trading-answer", seat="blue")
    yield Moment("seat-trading-name", "/table?name=1", seat="blue")
    for colour, card in zip(list(SEATS)[1:], ("p2", "p3", "p4", "p5"), strict=True):
        service.do({"do": "lay", "player": colour, "card": card})
    service.do({"do": "lay", "player": "red", "card": "p6"})
    deed(service, "pace", pace={"naming": True, "reveal": False})
    deed(service, "all_ready")
    yield Moment("trading-naming")
    for colour in list(SEATS)[1:]:
        service.do({"do": "lay", "player": colour, "card": None})
    yield Moment("trading-swap")
    yield Moment("trading-third", "/table?more=1")
    yield Moment("seat-trading-swap", seat="red")
    service.do({"do": "swap", "player": "red", "with": "blue"})
    yield Moment("trading-keep")
    yield Moment("seat-trading-keep", seat="blue")
    service.do({"do": "leave", "player": "blue"})
    yield Moment("trading-on")
    for _ in range(9):
        if state_now(service).phase is Phase.ACTIONS:
            return
        service.do(next(_ways_out(service)))


def _ways_out(service: Service) -> Iterator[dict[str, Any]]:
    """Yield the lines that end trading: each player to move takes their set back."""
    state = state_now(service)
    game = GAMES["andromeda"]
    for colour in game.waited_for(state):
        yield {"do": "take_back", "player": colour}


def _actions(service: Service) -> Iterator[Moment]:
    yield Moment("board")
    yield Moment("seat-turn", seat="red")
    yield Moment("seat-waiting", seat="blue")
    for action in ACTIONS:
        yield Moment(action, f"/table/act/{action}")
    for action in ("move", "establish", "technology"):
        yield Moment(f"hand-{action}", f"/table/act/{action}?planet=p1")
        yield Moment(f"seat-hand-{action}", f"/table/act/{action}?planet=p1", seat="red")
    yield Moment("board-look", "/table/board")
    yield from _attempts(service)


def _attempts(service: Service) -> Iterator[Moment]:
    """Make two attempts with typed-in draws: the first wins a centre, the second doesn't."""
    service.do({"do": "establish", "player": "red", "planet": "p1", "cards": 5})
    yield Moment("attempt")
    yield Moment("attempt-two", "/table?two=1")
    yield Moment("seat-attempt", seat="red")
    service.do({"do": "draw", "colour": "blue"})
    yield Moment("attempt-second")
    service.do({"do": "draw", "colour": "red"})
    yield Moment("result")
    yield Moment("seat-result", seat="red")
    yield Moment("left", "/table/left")
    yield Moment("result-board", "/table?board=1")
    _miscounted(service)
    yield Moment("left-questions", "/table/left")
    service.do({"do": "establish", "player": "red", "planet": "p2", "cards": 4})
    for colour in ("green", "black"):
        service.do({"do": "draw", "colour": colour})
    yield Moment("result-none")
    service.do({"do": "end_turn", "player": "red"})
    service.do({"do": "technology", "player": "blue", "planet": "p3", "cards": 3})
    yield Moment("board-moved")


def _miscounted(service: Service) -> None:
    """Report that one blue station more was counted than should be left."""
    page = service.page("/table/left")
    left, *_ = re.findall(r'name="left" value="(\d+)"', page)
    stations = dict(zip(SEATS, map(int, re.findall(r"should be (\d+)", page)), strict=True))
    deed(service, "inventory", left=int(left), stations=stations | {"blue": stations["blue"] + 1})


def deed(service: Service, name: str, **fields: object) -> None:
    """Execute an action that is not recorded as a line."""
    status, answer = service.ask("POST", "/api/v1/deeds", {"deed": name, **fields})
    assert status == 200, answer

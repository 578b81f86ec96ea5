"""Two tables that differ in nothing but what is hidden: what others can fetch of them is the same, byte by byte.

Both play one random game. Where a card is laid face down, each lays another
one; then it is compared, taken back on both, compared again, and both go on
with the same card, to be compared again when the others have turned over.
Now and then two players are given a credit each, on the other table crosswise:
the piles are the same, and so are their hands for everybody else.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from difflib import unified_diff
from pathlib import Path
from random import Random
from typing import Any

from companion.autoplay.simulate import simulate
from companion.games.andromeda import GAME, PLANETS
from companion.games.andromeda.commands import Lay
from companion.games.andromeda.legal_moves import why_not
from companion.games.andromeda.random_policy import RANDOM_PLAY
from companion.games.andromeda.state import KINDS, Phase, State
from companion.games.andromeda.trading import must_lay
from companion.kernel.i18n import LANGUAGES
from tests.strangers.comers import COMERS, seat
from tests.strangers.house import ADDRESSES, PATIENCE_S, House, at_home
from tests.strangers.report import Report
from tests.strangers.visitor import Visitor

PLAYERS = 3
BEGIN = (
    *("/", "/table", "/table/board", "/help", "/table/menu", "/table/undo", "/table/correct", "/table/left"),
    *(
        "/table/clock",
        "/history",
        "/games",
        "/ring",
        "/ring/check",
        "/join",
        "/device",
        "/welcome",
        "/help?ask",
    ),
    *(
        "/api/v1/state",
        "/api/v1/table",
        "/api/v1/games",
        "/api/v1/clock",
        "/api/v1/times",
        "/api/v1/ring",
        "/api/v1/record",
        "/games/1/record",
        "/games/1/replay",
        "/games/1/after",
        "/games?show=names",
    ),
    *(f"/table?seat={colour}" for colour in ("red", "blue", "green")),
    *(f"/table/act/{deed}" for deed in ("move", "establish", "ship", "technology", "exchange", "transport")),
)
READ_IN = tuple(LANGUAGES)
MOST_PAGES = 60
CROSSWISE = 0.1
"""How often credits are held crosswise before a line of the game."""
Line = Mapping[str, Any]
Lines = list[Line]
LINK = re.compile(r'href="(/[^"#]*)')
NOISE: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"127\.0\.0\.1:\d+"), "HOUSE"),
    (re.compile(r'(name="csrf" value=")[^"]*'), r"\1CSRF"),
    (re.compile(r'("house":")[^"]*'), r"\1WORD"),
    (
        re.compile(
            r'("(?:began|last|now_ms|ends_at_ms|lead_ends_at_ms|spent_ms|left_ms|ms|age_s|at|as_of)":\s*)[^,}\]]*'
        ),
        r"\1TIME",
    ),
    (re.compile(r'("by_seat":\s*\{)[^}]*'), r"\1TIMES"),
    (re.compile(r'(data-(?:began|spent|ends|lead|late|left|now|at|since|due)[\w-]*=")[^"]*'), r"\1TIME"),
    (re.compile(r"(data-(?:seconds|count)[^>]*>)\d+<"), r"\1TIME<"),
    (re.compile(r'style="--part:[^"]*'), 'style="--part:TIME'),
    (re.compile(r'<svg [^>]*class="segno">.*?</svg>', re.DOTALL), "CODE"),
    (re.compile(r'(class="digits">)\d+'), r"\1PIN"),
    (re.compile(r"(pin=)\d+"), r"\1PIN"),
    (re.compile(r"(?<![\d:.])\d{1,3}:\d\d(?![\d:])"), "TIME"),
    # Which steps took a second is a matter of how busy the machine was.
    (re.compile(r'(class="line"[^>]*style="width:)[^"]*("\s*><i style="width:)[^"]*'), r"\1TIME\2TIME"),
    (re.compile(r'(data-scroll="times".*?<tbody>).*?</tbody>', re.DOTALL), r"\1TIMES"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?"), "DATE"),
)


def hidden(folder: Path, inputs: int, lots: Random) -> Report:
    """Compare so many answers of two tables."""
    report = Report("hidden")
    number = 0
    while report.inputs < inputs:
        number += 1
        with ExitStack() as stack:
            houses = [stack.enter_context(at_home(folder / f"{number}-{name}", report)) for name in ("one", "other")]
            with suppress(_Uneven):
                _Pair(houses, inputs, lots, report).play()
    return report


class _Uneven(Exception):
    """The clock has beaten on one of two tables only, where a machine is slow: their rows are not the same."""


class _Pair:
    """Two houses that play the same game, but for what lies face down."""

    def __init__(self, houses: list[House], inputs: int, lots: Random, report: Report) -> None:
        self._houses, self._inputs, self._lots, self._report = houses, inputs, lots, report
        self._lookers: dict[str, list[Visitor]] = {}

    def play(self) -> None:
        """Play one game to its end, or until there is enough."""
        header, *lines = simulate(GAME, RANDOM_PLAY, PLAYERS, self._lots, lambda: 0.0).record
        for house in self._houses:
            assert house.service.ask("POST", "/api/v1/games", header)[0] == 201
            # Three, two, one is counted by the clock, and would be seen on one table and not on the other.
            pace = GAME.pace.changed({"reveal": False}).line()
            assert house.service.ask("POST", "/api/v1/deeds", {"deed": "pace", "pace": pace})[0] == 200
        state = GAME.start(header)
        self._sit_down(state)
        for line in lines:
            if self._report.inputs >= self._inputs:
                break
            if self._lots.random() < CROSSWISE and (ways := crosswise(state, self._lots)):
                self._differ_in_credits(*ways)
            if (others := _others(state, line)) is not None:
                self._differ(state, line, self._lots.choice(others))
            if GAME.by_itself(state, frozenset()) is None:  # else the table has done it already
                self._do([line, line])
            turned = state.phase is Phase.TRADING and bool(must_lay(state))
            state = _after(state, line)
            if turned and state.phase is Phase.TRADING and not must_lay(state):
                self._compare("after all have turned over")
        for house in self._houses:  # the game that is judged
            house.play()

    def _differ(self, state: State, line: Line, card: str | None) -> None:
        self._report.tried["cards laid face down"] += 1
        self._do([line, {**line, "card": card}])
        self._compare(f"{line['player']} lays {line['card']} or {card}", line["player"])
        self._undo()
        self._compare(f"{line['player']} takes {line['card']} or {card} back", line["player"])

    def _differ_in_credits(self, one: Lines, other: Lines) -> None:
        self._report.tried["credits held crosswise"] += 1
        owners = [line["player"] for line in one]
        for lines in zip(one, other, strict=True):
            self._do(list(lines))
        what = " and ".join(f"{line['player']} with {line['bonus']}" for line in one)
        self._compare(f"{what} or crosswise", *owners)
        for _ in one:
            self._undo()
        self._compare(f"{what} or crosswise, taken back", *owners)

    def _undo(self) -> None:
        for house in self._houses:
            assert house.service.ask("POST", "/api/v1/deeds", {"deed": "undo"})[0] == 200

    def _do(self, lines: Lines) -> None:
        for house, line in zip(self._houses, lines, strict=True):
            house.service.do(line)

    def _sit_down(self, state: State) -> None:
        self._lookers = {"spectator": [COMERS["spectator"](house) for house in self._houses]}
        for colour, address in zip(state.colours, ADDRESSES, strict=False):
            self._lookers[colour] = [seat(colour, address)(house) for house in self._houses]

    def _compare(self, moment: str, *whose: str) -> None:
        """Compare all that everybody can fetch but for those seats *whose* it is."""
        self._hold()
        for name, pair in self._lookers.items():
            if name not in whose and self._report.inputs < self._inputs:
                self._compare_for(name, pair, moment)
        one, other = (normal(_stream(house.port)) for house in self._houses)
        self._judge("anybody", "/api/v1/events", one, other, moment)

    def _hold(self) -> None:
        """Hold both clocks, so that no beat of theirs is kept while they are compared."""
        for house in self._houses:
            status, answer = house.service.ask("POST", "/api/v1/deeds", {"deed": "hold"})
            assert status in (200, 409), answer  # it may stand still as it is
        one, other = (house.table["version"] for house in self._houses)
        if one != other:
            self._report.answers["pairs begun anew, as one clock had beaten more"] += 1
            for house in self._houses:  # the game that is judged
                house.play()
            raise _Uneven

    def _compare_for(self, name: str, pair: list[Visitor], moment: str) -> None:
        language = {"Accept-Language": self._lots.choice(READ_IN)}
        waiting, seen = list(BEGIN), set(BEGIN)
        while waiting and len(seen) < MOST_PAGES:
            path = waiting.pop(0)
            one, other = (_fetched(each, path, language) for each in pair)
            self._judge(name, path, one, other, moment)
            found = [link.replace("&amp;", "&") for link in LINK.findall(one) if not link.startswith("/static")]
            waiting += [link for link in dict.fromkeys(found) if link not in seen]
            seen.update(found)

    def _judge(self, name: str, path: str, one: str, other: str, moment: str) -> None:
        self._report.tried["answers compared"] += 1
        if one != other:
            changed = list(unified_diff(one.split("\n"), other.split("\n"), lineterm="", n=0))[2:8]
            self._report.found(f"{moment}: {name} sees it at {path}: {changed}")


def normal(text: str) -> str:
    """Return *text* without what differs from house to house, and from moment to moment."""
    for pattern, instead in NOISE:
        text = pattern.sub(instead, text)
    return text


def _fetched(visitor: Visitor, path: str, headers: Mapping[str, str]) -> str:
    answer = visitor.ask("GET", path, headers=headers)
    return normal(f"{answer.status} {answer.headers.get('Location')} {answer.headers.get('ETag')}\n{answer.text}")


def _stream(port: int) -> str:
    """Return what a stream says at first."""
    heard = b""
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as sock:
        sock.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while b"\n\n" not in heard.partition(b"event: table")[2]:
            heard += sock.recv(65_536)
    return heard.partition(b"\r\n\r\n")[2].decode()


def _others(state: State, line: Line) -> list[str | None] | None:
    """Return the cards that might as well lie there face down after *line*; None where nothing would."""
    if state.phase is not Phase.TRADING or line["do"] != "lay" or line["player"] == state.starter:
        return None
    if not must_lay(_after(state, line)):
        return None
    cards = (*PLANETS, *KINDS, None)
    found = [card for card in cards if card != line["card"] and not why_not(state, Lay(line["player"], card))]
    return found or None


def crosswise(state: State, lots: Random) -> tuple[Lines, Lines] | None:
    """Return how two players get a credit each, and how they get the other's: None where that cannot be hidden."""
    there = [kind for kind, pile in zip(KINDS, state.credits, strict=True) if pile]
    if state.phase in (Phase.SETUP, Phase.FINISHED) or state.options.show_bonus_credits == "always" or len(there) < 2:
        return None
    first, second = lots.sample(state.colours, 2)
    kinds = lots.sample(there, 2)
    one, other = (
        [_held(state, first, kinds, mine), _held(state, second, kinds, yours)]
        for mine, yours in (kinds, reversed(kinds))
    )
    return one, other


def _held(state: State, player: str, kinds: list[str], more: str) -> Line:
    held = {kind: state.players[player].credit(kind) + (kind == more) for kind in sorted(kinds)}
    return {"do": "correct", "player": player, "reason": "counted", "bonus": held}


def _after(state: State, line: Line) -> State:
    for event in GAME.decide(state, GAME.parse(line)):
        state = GAME.evolve(state, event)
    return state

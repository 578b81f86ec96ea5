"""Two tables that differ only in hidden cards and credits: others get identical bytes from both.

Both play the same random game. Where a card is played face down, each table
plays a different one; answers are compared, the card is undone on both, answers
are compared again, and both go on with the same card, and are compared once
more after the others have turned over. Sometimes two players get a credit each,
swapped on the other table: piles and sizes of hands are then the same.
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
from companion.games.andromeda.random_policy import RANDOM_PLAY
from companion.games.andromeda.rules import why_not
from companion.games.andromeda.state import KINDS, Phase, State
from companion.games.andromeda.trading import Lay, must_lay
from companion.kernel.languages import LANGUAGES
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
"""The probability that credits are swapped between two players before a line."""
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
    # Which steps took a second depends on how busy the machine is.
    (re.compile(r'(class="line"[^>]*style="width:)[^"]*("\s*><i style="width:)[^"]*'), r"\1TIME\2TIME"),
    (re.compile(r'(data-scroll="times".*?<tbody>).*?</tbody>', re.DOTALL), r"\1TIMES"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?"), "DATE"),
)


def hidden(folder: Path, inputs: int, lots: Random) -> Report:
    """Compare *inputs* answers of two tables."""
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
    """Raised if on a slow machine the clock has written a row on only one of the two tables."""


class _Pair:
    """Two servers that play the same game, except for face-down cards."""

    def __init__(self, houses: list[House], inputs: int, lots: Random, report: Report) -> None:
        self._houses, self._inputs, self._lots, self._report = houses, inputs, lots, report
        self._lookers: dict[str, list[Visitor]] = {}

    def play(self) -> None:
        """Play one game to its end, or until enough answers were compared."""
        header, *lines = simulate(GAME, RANDOM_PLAY, PLAYERS, self._lots, lambda: 0.0).record
        for house in self._houses:
            assert house.service.ask("POST", "/api/v1/games", header)[0] == 201
            # The 3-2-1 countdown runs by the clock, and might be seen on one table only.
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
            if GAME.by_itself(state, frozenset()) is None:  # otherwise the table has done it automatically
                self._do([line, line])
            turned = state.phase is Phase.TRADING and bool(must_lay(state))
            state = _after(state, line)
            if turned and state.phase is Phase.TRADING and not must_lay(state):
                self._compare("after all have turned over")
        for house in self._houses:  # the game under test
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
        """Compare all answers to everybody except the seats in *whose*, who may see the difference."""
        self._hold()
        for name, pair in self._lookers.items():
            if name not in whose and self._report.inputs < self._inputs:
                self._compare_for(name, pair, moment)
        one, other = (normal(_stream(house.port)) for house in self._houses)
        self._judge("anybody", "/api/v1/events", one, other, moment)

    def _hold(self) -> None:
        """Stop both clocks, so that they write no row during a comparison."""
        for house in self._houses:
            status, answer = house.service.ask("POST", "/api/v1/deeds", {"deed": "hold"})
            assert status in (200, 409), answer  # it may be stopped already
        one, other = (house.table["version"] for house in self._houses)
        if one != other:
            self._report.answers["pairs begun anew, as one clock had beaten more"] += 1
            for house in self._houses:  # the game under test
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
    """Return *text* without the parts that differ between servers or moments."""
    for pattern, instead in NOISE:
        text = pattern.sub(instead, text)
    return text


def _fetched(visitor: Visitor, path: str, headers: Mapping[str, str]) -> str:
    answer = visitor.ask("GET", path, headers=headers)
    return normal(f"{answer.status} {answer.headers.get('Location')} {answer.headers.get('ETag')}\n{answer.text}")


def _stream(port: int) -> str:
    """Return the first events of a stream."""
    heard = b""
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as sock:
        sock.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while b"\n\n" not in heard.partition(b"event: table")[2]:
            heard += sock.recv(65_536)
    return heard.partition(b"\r\n\r\n")[2].decode()


def _others(state: State, line: Line) -> list[str | None] | None:
    """Return other cards that could be played face down instead of *line*'s, or None if it isn't face down."""
    if state.phase is not Phase.TRADING or line["do"] != "lay" or line["player"] == state.starter:
        return None
    if not must_lay(_after(state, line)):
        return None
    cards = (*PLANETS, *KINDS, None)
    found = [card for card in cards if card != line["card"] and not why_not(state, Lay(line["player"], card))]
    return found or None


def crosswise(state: State, lots: Random) -> tuple[Lines, Lines] | None:
    """Return lines that give two players a credit each, and the same lines swapped, or None if it would be visible."""
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

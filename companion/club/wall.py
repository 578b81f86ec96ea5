"""The wall: the present state of a club's tables, from the messages that the tables send to the broker.

All messages come from other computers, so a message without the fields of `state_of` is ignored.
"""

from __future__ import annotations

import json
import re
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import median
from threading import Lock
from typing import Any

from companion.club.connection import Message
from companion.club.topics import BEAT, BIRTH, STATE, address_in
from companion.kernel.shown import shows

SILENT_S = 6.0
"""A table is silent after three missed beats; this is that time in seconds."""
SLOW, FEWEST_TURNS = 3.0, 5
"""A turn is slow if it takes *SLOW* times the table's median, which is known after *FEWEST_TURNS* turns."""
TURNS = 40
LONGEST = 4096
"""Longer messages are ignored, so that nobody can keep the connection busy with them."""
MOST_TABLES = 1000
LONGEST_DELAY_S = 15 * 60
"""The maximum delay, in seconds, with which spectators see a table."""
APART_S = 5.0
"""The shortest time, in seconds, between two stored earlier states, which are shown to spectators with a delay."""
_WORD = re.compile(r"[\w-]{0,40}", re.ASCII)
_MOST_SEATS = 8


class Need(StrEnum):
    """The reasons why somebody should go to a table. The list of tables to visit is sorted in this order."""

    ASKS = "asks"
    STORAGE = "storage"
    FORK = "fork"
    GONE = "gone"
    SILENT = "silent"
    RING = "ring"
    SLOW = "slow"
    CALLED = "called"


@dataclass(frozen=True)
class TableState:
    """The state of one table as a spectator sees it."""

    status: str = "none"
    game: str = ""
    turn: tuple[str, ...] = ()
    round: int | None = None
    points: Mapping[str, int] = field(default_factory=dict)
    asks: str = ""
    ring: str = "none"
    kept: bool = True
    called: bool = False
    since_ms: int = 0


@dataclass(frozen=True)
class Tile:
    """What the wall shows of a table. *turn_s*: time of the present turn. *quiet_s*: time since the last beat."""

    address: str
    label: str
    state: TableState | None
    needs: tuple[Need, ...]
    turn_s: int
    quiet_s: int

    @property
    def number(self) -> str:
        """The label without leading zeros, as people say it."""
        return self.label.lstrip("0") or self.label


@dataclass
class _Heard:
    state: TableState | None = None
    state_at: float = 0.0
    online: bool = False
    beat_at: float = 0.0
    turns: list[float] = field(default_factory=list)
    past: deque[tuple[float, TableState]] = field(default_factory=deque)
    """Earlier states and their times, oldest first."""

    def before(self, then: float) -> tuple[TableState | None, float]:
        """Return the newest state that began by the time *then*, and the time when it began."""
        known = [(self.state_at, self.state), *reversed(self.past)]
        return next(((state, at) for at, state in known if at <= then), (None, 0.0))


def state_in(payload: bytes) -> TableState | None:
    """Return the state in a message, or None if it is not one.

    >>> state_in(b'{"status": "live", "game": "hanse", "turn": ["red"]}').turn
    ('red',)
    >>> state_in(b'{"status": "live", "turn": "red"}') is None
    True
    """
    try:
        found = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    turn, points = found.get("turn", []), found.get("points", {})
    words = [found.get(name) or "" for name in ("status", "game", "asks", "ring")]
    numbers = [found.get("round"), found.get("since_ms", 0)]
    fits = (
        isinstance(turn, list)
        and isinstance(points, dict)
        and len(turn) <= _MOST_SEATS
        and len(points) <= _MOST_SEATS
        and all(map(_is_word, (*words, *turn, *points)))
        and all(type(value) is int and abs(value) < 10**9 for value in points.values())
        and all(value is None or (type(value) is int and 0 <= value < 10**12) for value in numbers)
    )
    if not fits:
        return None
    status, game, asks, ring = words
    kept = found.get("kept") is not False
    called = found.get("called") is True
    return TableState(status, game, tuple(turn), numbers[0], dict(points), asks, ring, kept, called, numbers[1] or 0)


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and _WORD.fullmatch(value) is not None


@shows("_heard")
class Wall:
    """The newest state of each table. Messages arrive in the connection's thread; other threads serve pages."""

    def __init__(
        self,
        labels: Callable[[], Mapping[str, str]],
        forked: Callable[[], frozenset[str]] = frozenset,
        now: Callable[[], float] = time.monotonic,
        delays: Callable[[], Mapping[str, int]] = dict,
    ) -> None:
        """*labels* returns the club's tables by address; *forked*, those continued from a restored copy.

        *delays* returns the seconds, by address, after which spectators see a table.
        """
        self._labels, self._forked, self._now, self._delays = labels, forked, now, delays
        self._heard: dict[str, _Heard] = {}
        self._lock = Lock()

    def hear(self, message: Message) -> None:
        """Store a message of a table. Other messages are ignored."""
        address, word = address_in(message.topic)
        with self._lock:
            full = address not in self._heard and len(self._heard) >= MOST_TABLES
            if word not in (STATE, BEAT, BIRTH) or full or len(message.payload) > LONGEST:
                return
            heard, now = self._heard.setdefault(address, _Heard()), self._now()
            if word == BEAT:
                heard.beat_at, heard.online = now, True
            elif word == BIRTH:
                heard.online = _is_online(message.payload)
                heard.beat_at = now
            elif (state := state_in(message.payload)) is not None:
                self._note(heard, state, now)

    @staticmethod
    def _note(heard: _Heard, state: TableState, now: float) -> None:
        before = heard.state
        if before is not None and before.status == "live" and (before.turn, before.round) != (state.turn, state.round):
            heard.turns = [*heard.turns[-TURNS:], before.since_ms / 1000 + now - heard.state_at]
        if before is None or before.game != state.game:
            heard.turns = []
        if before is not None and (not heard.past or heard.state_at - heard.past[-1][0] >= APART_S):
            heard.past.append((heard.state_at, before))
        while len(heard.past) > 1 and heard.past[1][0] <= now - LONGEST_DELAY_S:
            heard.past.popleft()
        heard.state, heard.state_at = state, now

    def tiles(self, everything: bool = False) -> tuple[Tile, ...]:
        """Return a tile for each table of the club, in the order of their labels.

        Spectators see a table with its delay. With *everything*, for the people who run the club, there is no delay.
        """
        now, forked, delays = self._now(), self._forked(), {} if everything else self._delays()
        with self._lock:
            tables = sorted(self._labels().items(), key=lambda each: (len(each[1]), each[1]))
            return tuple(
                self._tile(address, label, address in forked, now, delays.get(address, 0)) for address, label in tables
            )

    def _tile(self, address: str, label: str, forked: bool, now: float, delay: int) -> Tile:
        heard, then = self._heard.get(address, _Heard()), now - delay
        state, state_at = heard.before(then)
        quiet = now - heard.beat_at if heard.beat_at else 0.0
        live = state is not None and state.status == "live"
        turn_s = 0.0 if state is None else state.since_ms / 1000 + (then - state_at if live else 0.0)
        needs = {
            Need.ASKS: state is not None and bool(state.asks),
            Need.STORAGE: state is not None and not state.kept,
            Need.FORK: forked,
            Need.GONE: bool(heard.beat_at) and not heard.online,
            Need.SILENT: heard.online and quiet > SILENT_S,
            Need.RING: state is not None and live and state.ring not in ("", "none", "live"),
            Need.SLOW: live and len(heard.turns) >= FEWEST_TURNS and turn_s > SLOW * median(heard.turns),
            Need.CALLED: state is not None and state.called,
        }
        return Tile(address, label, state, tuple(need for need, so in needs.items() if so), int(turn_s), int(quiet))


def _is_online(payload: bytes) -> bool:
    try:
        found = json.loads(payload)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("online") is True

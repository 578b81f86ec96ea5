"""Manual corrections of a player's numbers and dice. A line contains the change, not the new value."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from companion.games.wreck.changes import MOST
from companion.games.wreck.dice import DICE, SYMBOLS, showing
from companion.games.wreck.state import VACCINES, State
from companion.games.wreck.terms import symbol
from companion.kernel.fields import Line
from companion.kernel.said import pattern, said
from companion.model.corrections import REASON, Choice, Count, Group, Way


def corrected(state: State, *effects: Line) -> Line:
    """Return the line that corrects *state* by *effects*."""
    return {"do": "correct", "player": state.turn or state.starter, "reason": REASON, "effects": list(effects)}


def _points(state: State, player: str) -> int:
    return state.players[player].kp


def _vaccines(state: State, player: str) -> int:
    return state.players[player].vaccines


def _dice(state: State, player: str, die: str) -> int:
    return showing(state.players[player].dice, die)


def _counted(what: str, now: Callable[[State, str], int]) -> Callable[[Any, str, Any], Line]:
    def line(state: State, player: str, value: int) -> Line:
        return corrected(state, {"what": what, "colour": player, "count": value - now(state, player)})

    return line


def _turned(state: State, player: str, value: int, die: str) -> Line:
    more = value - _dice(state, player, die)
    ends = {"from": None, "to": die} if more > 0 else {"from": die, "to": None}
    return corrected(state, *[{"what": "die", "colour": player, **ends}] * abs(more))


def _acted(state: State, player: str, value: str) -> Line:
    return corrected(state, {"what": "room_action", "colour": player, "used": value == "used"})


COUNTS = Group(
    pattern("%(name)s's counts"),
    (
        Count(("kp",), said("KP for good"), _points, 0, MOST, line=_counted("kp", _points)),
        Count(("vaccines",), said("Vaccine markers"), _vaccines, 0, VACCINES, line=_counted("vaccines", _vaccines)),
    ),
)
DICE_LEFT = Group(
    pattern("%(name)s's dice"),
    tuple(
        Count((die,), symbol(die), partial(_dice, die=die), 0, max(DICE.values()), line=partial(_turned, die=die))
        for die in SYMBOLS
    ),
    said("Dice change only during the turns."),
)
ROOM_ACTION = Group(
    said("Room action"),
    (
        Choice(
            ("room_action",),
            said("Room action"),
            (Way("free", said("free")), Way("used", said("used"))),
            lambda state, player: "used" if state.players[player].room_action else "free",
            line=_acted,
        ),
    ),
)

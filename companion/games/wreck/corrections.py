"""Corrections: a line makes the state match the table. It contains the changes, not the new values."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Annotated, Any

from companion.games.wreck import changes
from companion.games.wreck.changes import MOST, AllEffects, Change, applied
from companion.games.wreck.dice import DICE, SYMBOLS, showing
from companion.games.wreck.state import VACCINES, Phase, State
from companion.games.wreck.terms import symbol
from companion.kernel.errors import Refused
from companion.kernel.fields import Line as RecordLine
from companion.kernel.said import pattern, said
from companion.kernel.values import dataclass
from companion.model.corrections import REASON, Choice, Count, Group, Way
from companion.model.parser import Line, Seat, Text

CORRECTS = 0.02
"""The probability of a correction at each command of random play."""


@dataclass(frozen=True)
class Correct(Line, do="correct"):
    """Apply the effects of a card, or correct the state to match the table.

    Example: ``{"do": "correct", "player": "red", "reason": "forgotten", "effects": [{"what": "kp",
    "colour": "red", "count": 1}]}``
    """

    player: Seat
    reason: Annotated[str, Text(empty=True)]
    effects: AllEffects


Command = Correct


def decide(state: State, command: Correct) -> tuple[Change, ...]:
    """Return the events of a correction. It needs a reason, and is possible at any time after the set-up."""
    if not command.reason.strip():
        raise Refused(said("Give a reason for the correction."))
    if state.phase is Phase.SETUP:
        raise Refused(said("Use undo during set-up."))
    if not command.effects:
        raise Refused(said("Say what changes."))
    return applied(state, command.effects)


def at_random(state: State, seat: str, lots: Random) -> Correct | None:
    """Return a random correction, which may be refused, or mostly None."""
    return Correct(seat, "a card said so", changes.at_random(state, lots)) if lots.random() < CORRECTS else None


def corrected(state: State, *effects: RecordLine) -> RecordLine:
    """Return the line that corrects *state* by *effects*."""
    return {"do": "correct", "player": state.turn or state.starter, "reason": REASON, "effects": list(effects)}


def _points(state: State, player: str) -> int:
    return state.players[player].kp


def _vaccines(state: State, player: str) -> int:
    return state.players[player].vaccines


def _dice(state: State, player: str, die: str) -> int:
    return showing(state.players[player].dice, die)


def _counted(what: str, now: Callable[[State, str], int]) -> Callable[[Any, str, Any], RecordLine]:
    def line(state: State, player: str, value: int) -> RecordLine:
        return corrected(state, {"what": what, "colour": player, "count": value - now(state, player)})

    return line


def _turned(state: State, player: str, value: int, die: str) -> RecordLine:
    more = value - _dice(state, player, die)
    ends = {"from": None, "to": die} if more > 0 else {"from": die, "to": None}
    return corrected(state, *[{"what": "die", "colour": player, **ends}] * abs(more))


def _acted(state: State, player: str, value: str) -> RecordLine:
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

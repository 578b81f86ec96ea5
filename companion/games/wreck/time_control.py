"""The default clocks of the wreck, and the seat that acts with a line."""

from __future__ import annotations

from companion.games.wreck.state import State
from companion.kernel.fields import Line
from companion.model.game_defaults import player_of
from companion.model.strictness import Strictness
from companion.model.time_bank import TimeBank, TimeGain
from companion.model.time_control import Limit, TimeControl

_SECONDS = {"offer": 60, "answer": 20, "turn": 180}
BANK = TimeBank(Strictness.GENTLE, 15 * 60, TimeGain.INCREMENT, 5, tuple(_SECONDS))
"""Time banks of 15 minutes: at most an hour for four players.

A player has up to seven turns and many short answers, so each step adds some time to the bank.
"""
PACE = TimeControl(
    {name: Limit(Strictness.GENTLE, seconds) for name, seconds in _SECONDS.items()}
    | {"cleanup": Limit(Strictness.OFF, 60)},
    bank=BANK,
)
"""Offers, answers and turns have gentle limits. The clean-up has none by default, but may get one."""


def actor(state: State, line: Line) -> str | None:
    """Return the seat that acts with *line*. The starting player opens missions."""
    return state.starter if line.get("do") == "open" else player_of(line)

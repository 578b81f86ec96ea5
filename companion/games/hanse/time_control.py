"""The default clocks of Die Kosmische Hanse, and the seat that acts with a line."""

from __future__ import annotations

from companion.games.hanse.state import State
from companion.kernel.fields import Line
from companion.model.game_defaults import player_of
from companion.model.strictness import Strictness
from companion.model.time_bank import TimeBank, TimeGain
from companion.model.time_control import Limit, TimeControl

_SECONDS = {"turn": 120, "answer": 15}
_IF_WANTED = {"choice": 30, "planet": 30, "flip": 45}
BANK = TimeBank(Strictness.GENTLE, 25 * 60, TimeGain.INCREMENT, 5, (*_SECONDS, "choice", "planet"))
"""Turning over goods uses no player's time, since the table only types in what the cards show."""
PACE = TimeControl(
    {name: Limit(Strictness.GENTLE, seconds) for name, seconds in _SECONDS.items()}
    | {name: Limit(Strictness.OFF, seconds) for name, seconds in _IF_WANTED.items()},
    bank=BANK,
)
"""Turns and answers to interventions have gentle limits. The other steps have none by default, but may get one."""


def actor(state: State, line: Line) -> str | None:
    """Return the seat that acts with *line*. The goods are set out by the whole table."""
    return player_of(line, nobodys=("goods",))

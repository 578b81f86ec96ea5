"""The clocks of Die Kosmische Hanse as they come out of the box, and whose act a line is."""

from __future__ import annotations

from companion.games.hanse.state import State
from companion.kernel.validation import Line
from companion.model.game_defaults import player_of
from companion.model.strictness import Strictness
from companion.model.time_bank import TimeBank, TimeGain
from companion.model.time_control import Limit, TimeControl

_SECONDS = {"turn": 120, "answer": 15}
_IF_WANTED = {"choice": 30, "planet": 30, "flip": 45}
BANK = TimeBank(Strictness.GENTLE, 25 * 60, TimeGain.INCREMENT, 5, (*_SECONDS, "choice", "planet"))
"""What is turned over is typed in by the table, not thought about: it takes nothing of anybody's time."""
PACE = TimeControl(
    {name: Limit(Strictness.GENTLE, seconds) for name, seconds in _SECONDS.items()}
    | {name: Limit(Strictness.OFF, seconds) for name, seconds in _IF_WANTED.items()},
    bank=BANK,
)
"""A turn and the answer to a card are timed, gently; the rest may be."""


def actor(state: State, line: Line) -> str | None:
    """Return the seat whose act *line* would be; the goods are set out by the table."""
    return player_of(line, nobodys=("goods",))

"""The clocks of the wreck as they come out of the box."""

from __future__ import annotations

from companion.games.wreck.state import State
from companion.kernel.validation import Line
from companion.model.game_defaults import player_of
from companion.model.strictness import Strictness
from companion.model.time_bank import TimeBank, TimeGain
from companion.model.time_control import Limit, TimeControl

_SECONDS = {"offer": 60, "answer": 20, "turn": 180}
BANK = TimeBank(Strictness.GENTLE, 15 * 60, TimeGain.INCREMENT, 5, tuple(_SECONDS))
"""An hour for four at the most; an evening has seven turns each, and many short answers that give a little back."""
PACE = TimeControl(
    {name: Limit(Strictness.GENTLE, seconds) for name, seconds in _SECONDS.items()}
    | {"cleanup": Limit(Strictness.OFF, 60)},
    bank=BANK,
)
"""An offer, an answer and a turn are timed, gently; the clean-up may be."""


def actor(state: State, line: Line) -> str | None:
    """Return the seat whose act *line* would be: the starting player opens missions, corrections are nobody's own."""
    return state.starter if line.get("do") == "open" else player_of(line)

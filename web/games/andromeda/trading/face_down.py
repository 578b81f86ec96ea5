"""What lies face down on the table, and must not be told before all turn over."""

from __future__ import annotations

from companion.kernel.validation import Line
from companion.model.snapshot import Sight
from web.games.andromeda.trading.step import FACE_DOWN, step_of


def openly(sight: Sight, line: Line) -> Line:
    """Return *line*, its card unnamed while that may lie face down."""
    return {**line, "card": None} if still_down(sight, line) else line


def still_down(sight: Sight, line: Line) -> bool:
    """Say whether *line* may have laid a card that lies face down now; earlier ones of the same seat count too."""
    state = sight.state
    if line.get("do") != "lay" or line.get("player") == state.starter or state.trading is None:
        return False
    return state.options.trade_record == "on" and step_of(sight) in FACE_DOWN

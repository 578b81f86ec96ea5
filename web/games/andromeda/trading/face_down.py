"""What lies face down on the table, and must not be told before all turn over."""

from __future__ import annotations

from companion.kernel.validation import Line
from companion.model.snapshot import Snapshot
from web.games.andromeda.trading.step import FACE_DOWN, step_of


def openly(snapshot: Snapshot, line: Line) -> Line:
    """Return *line*, its card unnamed while that may lie face down."""
    return {**line, "card": None} if still_down(snapshot, line) else line


def still_down(snapshot: Snapshot, line: Line) -> bool:
    """Say whether *line* may have laid a card that lies face down now; earlier ones of the same seat count too."""
    state = snapshot.state
    if line.get("do") != "lay" or line.get("player") == state.starter or state.trading is None:
        return False
    return state.options.trade_record == "on" and step_of(snapshot) in FACE_DOWN

"""What lies face down on the table, or lay so until it was taken back: none of it is told by its name."""

from __future__ import annotations

from companion.kernel.validation import Line
from companion.model.snapshot import Snapshot
from web.games.andromeda.trading.step import FACE_DOWN, step_of


def openly(snapshot: Snapshot, line: Line, undone: bool = False) -> Line:
    """Return *line*, its card unnamed while that may lie face down, and for good where the line was *undone*.

    What was taken back unseen is in its owner's hand again, also when the
    others have turned over long since. Who began a round that is over is
    not told of a line, so that no card that went back is named.
    """
    in_hand_again = undone and line.get("do") == "lay"
    return {**line, "card": None} if in_hand_again or still_down(snapshot, line) else line


def still_down(snapshot: Snapshot, line: Line) -> bool:
    """Say whether *line* may have laid a card that lies face down now; earlier ones of the same seat count too."""
    state = snapshot.state
    if line.get("do") != "lay" or line.get("player") == state.starter or state.trading is None:
        return False
    return state.options.trade_record == "on" and step_of(snapshot) in FACE_DOWN

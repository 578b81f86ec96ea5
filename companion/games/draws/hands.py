"""What hands draw at a draw table, from a bag or through a tower: throws, each from cubes falling in to the next."""

from __future__ import annotations

from companion.games.draws.state import State
from companion.kernel.validation import Line
from companion.model.capabilities import Fallen


class Hands:
    """A tower's throws; whatever is typed as drawn came from the bag."""

    def fallen(self, before: State, line: Line) -> Fallen | None:
        """Return the newest throw where *line* throws again, puts the tower's count right, or closes the table."""
        ends = line["do"] in ("throw", "finish") or (line["do"] == "correct" and "tower" in line)
        return self.falling(before) if ends else None

    def falling(self, state: State) -> Fallen | None:
        """Return the newest throw, None before the first and after the table was closed or the count put right."""
        if state.finished or not state.falls or not state.falls[-1].thrown:
            return None
        newest = state.falls[-1]
        out = tuple(colour for colour, count in newest.out.items() for _ in range(count))
        under = {colour: stuck + newest.out.get(colour, 0) for colour, stuck in newest.stuck.items()}
        return Fallen({colour: count for colour, count in under.items() if count}, out)


HANDS = Hands()

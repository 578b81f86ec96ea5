"""What a console's buttons mean: one's own button takes the ring."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.draws.commands import Take, line_of
from companion.games.draws.state import State
from companion.kernel.validation import Line
from companion.ports.console import Shape


class Buttons:
    """The console as a draw table uses it."""

    lamps: Mapping[str, Shape] = {}

    def by_button(self, state: State, seat: str | None, held: bool = False) -> Line | None:
        """Return the line by which *seat* takes the ring, None where it has it, and for the next button."""
        return None if seat is None or state.finished or seat == state.taker else line_of(Take(seat))


CONSOLE = Buttons()

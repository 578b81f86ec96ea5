"""What a console's buttons mean: a card is answered, and a turn ends by one's own button, held."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.hanse.commands import Allow, Command, EndTurn, Neutralise, line_of
from companion.games.hanse.state import Phase, State, waited_for
from companion.kernel.validation import Line
from companion.ports.console import Shape


class Buttons:
    """The console as Die Kosmische Hanse uses it."""

    lamps: Mapping[str, Shape] = {"answer": Shape.BREATH, "flip": Shape.DOUBLE}

    def by_button(self, state: State, seat: str | None, held: bool = False) -> Line | None:
        """Return the line that the button of *seat* means now, or the next button (None); None for nothing."""
        command = _meant(state, seat, held)
        return None if command is None else line_of(command)


def _meant(state: State, seat: str | None, held: bool) -> Command | None:
    """Their own button allows a card, the next one, held, discards another against it."""
    match state.phase:
        case Phase.ANSWER if seat is None:
            return Neutralise(waited_for(state)[0]) if held else None
        case Phase.ANSWER if seat in waited_for(state):
            return Allow(seat)
        case Phase.TURN if held and seat in waited_for(state):
            return EndTurn(seat)
        case _:
            return None


CONSOLE = Buttons()

"""What a console's buttons mean: an offer is passed on, and a turn ends by one's own button, held."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.wreck.commands import Command, Decline, EndTurn, line_of
from companion.games.wreck.state import Phase, State
from companion.kernel.validation import Line
from companion.ports.console import Shape


class Buttons:
    """The console as the wreck uses it; what takes a die from the pool has to be told, and no button can."""

    lamps: Mapping[str, Shape] = {"offer": Shape.DOUBLE, "answer": Shape.BREATH}

    def by_button(self, state: State, seat: str | None, held: bool = False) -> Line | None:
        """Return the line that the button of *seat* means now, or the next button (None); None for nothing."""
        command = _meant(state, seat, held)
        return None if command is None else line_of(command)


def _meant(state: State, seat: str | None, held: bool) -> Command | None:
    offer = state.offer
    if offer is not None:
        return Decline(offer.asked) if seat in (None, offer.asked) and not offer.forced else None
    if state.phase is Phase.TURNS and held and seat == state.turn:
        return EndTurn(seat)
    return None


CONSOLE = Buttons()

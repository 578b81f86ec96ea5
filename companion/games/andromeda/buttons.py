"""What a console's buttons mean at each moment: one button before each seat, and one for the next thing."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.andromeda import commands as asked
from companion.games.andromeda.commands import Command, line_of
from companion.games.andromeda.state import Phase, State
from companion.games.andromeda.trading import (
    ENOUGH_TO_SWAP,
    laying,
    must_lay,
    next_trader,
    size,
    trading_of,
    with_sets,
)
from companion.kernel.validation import Line
from companion.ports.console import Shape


class Buttons:
    """The console as Andromeda uses it."""

    lamps: Mapping[str, Shape] = {
        "transport": Shape.DOUBLE,
        **dict.fromkeys(("lay", "answer", "decide", "keep", "trade", "trading"), Shape.BREATH),
    }

    def by_button(self, state: State, seat: str | None, held: bool = False) -> Line | None:
        """Return the line that the button of *seat* means now, of the next button without one; None for nothing.

        The line may still be refused. What is easily regretted, as the end of a
        turn, takes a button that is *held*.
        """
        command = _meant(state, seat, held)
        return None if command is None else line_of(command)


CONSOLE = Buttons()


def _meant(state: State, seat: str | None, held: bool) -> Command | None:
    match state.phase:
        case Phase.CARDS if seat is None:
            return asked.Deal()
        case Phase.TRANSPORT if seat is None:
            return asked.Transport(state.turn, "pass")
        case Phase.TRADING if state.options.trade_record == "off":
            return asked.EndTrading() if seat is None and held else None
        case Phase.TRADING:
            return _trade(state, seat)
        case Phase.ACTIONS if held and seat == state.turn and state.attempt is None:
            return asked.EndTurn(state.turn)
        case _:
            return None


def _trade(state: State, seat: str | None) -> Command | None:
    if partner := trading_of(state).partner:
        return _partner(partner, seat)
    if not laying(state):
        return _later(state, seat)
    if waiting := must_lay(state):
        return asked.Lay(seat, None) if seat in waiting else None
    if seat is None or seat == state.starter:
        return asked.Lay(state.starter, None)
    return asked.Swap(state.starter, seat) if size(state) >= ENOUGH_TO_SWAP else None


def _partner(partner: str, seat: str | None) -> Command | None:
    """Their own button keeps the new cards, the next button leaves them."""
    if seat is None:
        return asked.Leave(partner)
    return asked.Keep(partner) if seat == partner else None


def _later(state: State, seat: str | None) -> Command | None:
    """Their own button takes the set back, another's swaps with that one."""
    trader = next_trader(state)
    if seat == trader:
        return asked.TakeBack(trader)
    return asked.Swap(trader, seat) if seat in with_sets(state) else None

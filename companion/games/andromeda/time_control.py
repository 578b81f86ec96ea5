"""The default clocks of Andromeda, and the cards that are laid face down in a trading phase."""

from __future__ import annotations

from companion.games.andromeda.commands import Lay, line_of
from companion.games.andromeda.state import Phase, State
from companion.games.andromeda.trading import laying, must_lay
from companion.kernel.fields import Line
from companion.model.game_defaults import player_of
from companion.model.strictness import Strictness
from companion.model.time_bank import TimeBank, TimeGain
from companion.model.time_control import Limit, TimeControl

_SECONDS = {"lay": 20, "answer": 30, "decide": 20, "keep": 10, "trade": 20}
_IF_WANTED = {"transport": 30, "actions": 180, "trading": 180}
BANK = TimeBank(Strictness.GENTLE, 15 * 60, TimeGain.INCREMENT, 5, (*_SECONDS, "transport", "actions"))
"""The box says one hour: 15 minutes each for four players.

Trading has many short steps, so each step adds some time to the bank.
"""
PACE = TimeControl(
    {name: Limit(Strictness.GENTLE, seconds) for name, seconds in _SECONDS.items()}
    | {name: Limit(Strictness.OFF, seconds) for name, seconds in _IF_WANTED.items()},
    bank=BANK,
)
"""Steps of the trading phase have gentle limits.

Transport, turns and unrecorded trading have none by default, but may get one.
"""


class TradingTimeControl:
    """The cards of a trading phase that stay face down until all players have laid theirs."""

    def together(self, state: State) -> tuple[str, ...]:
        """Return the players who still have to lay a card face down. Empty if trades are not recorded."""
        if state.phase is not Phase.TRADING or state.options.trade_record == "off":
            return ()
        return must_lay(state)

    def face_down(self, state: State, seat: str) -> Line:
        """Return the line with which *seat* lays a card without naming it."""
        return line_of(Lay(seat, None))

    def turning(self, state: State) -> tuple[str, ...]:
        """Return all players whose cards are turned over: all except the starting player and those who sit out."""
        if state.trading is None:
            return ()
        return tuple(each for each in state.colours if each != state.starter and each not in state.trading.excused)

    def turned_over(self, before: State, after: State) -> bool:
        """Return whether the last missing card was laid, so that all cards are turned over."""
        if after.phase is not Phase.TRADING or not self.together(before):
            return False
        return not self.together(after) and laying(after)


REVEAL = TradingTimeControl()


def actor(state: State, line: Line) -> str | None:
    """Return the seat that acts with *line*, or None for the whole table.

    A draw belongs to the player of the attempt, a deal to the starting player.
    """
    match line.get("do"):
        case "draw" | "double_exit":
            return state.attempt.player if state.attempt else None
        case "deal" | "end_trading":
            return state.starter
        case str():
            return player_of(line)
        case _:
            return None

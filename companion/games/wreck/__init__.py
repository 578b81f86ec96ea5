"""The rules of the wreck (2015), a game of researchers, dice and rooms, as pure functions over frozen values."""

from companion.games.wreck.cards import Card
from companion.games.wreck.game import GAME, WreckGame
from companion.games.wreck.options import Options
from companion.games.wreck.rules import decide
from companion.games.wreck.state import Phase, State

__all__ = ["GAME", "Card", "Options", "Phase", "State", "WreckGame", "decide"]

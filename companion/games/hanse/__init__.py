"""Die Kosmische Hanse, a trading game for two players: its rules as pure functions over frozen values."""

from companion.games.hanse.game import GAME, HanseGame
from companion.games.hanse.rules import decide
from companion.games.hanse.state import Phase, State

__all__ = ["GAME", "HanseGame", "Phase", "State", "decide"]

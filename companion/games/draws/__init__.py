"""The open draw table: draws from any bag, ring or cube tower with coloured cubes.

Pure functions over frozen values.
"""

from companion.games.draws.game import GAME, DrawsGame
from companion.games.draws.rules import decide
from companion.games.draws.state import MOST_COLOURS, MOST_PLAYERS, State

__all__ = ["GAME", "MOST_COLOURS", "MOST_PLAYERS", "DrawsGame", "State", "decide"]

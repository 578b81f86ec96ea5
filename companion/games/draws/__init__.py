"""The open draw table: draws from any bag, ring or cube tower with coloured cubes.

Pure functions over frozen values.
"""

from companion.games.draws.game import GAME

__all__ = ["GAME"]

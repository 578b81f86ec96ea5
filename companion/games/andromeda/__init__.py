"""The rules of Andromeda (1999), the game with the planet ring, as pure functions over frozen values."""

from companion.games.andromeda.board import EXAMPLE, PLANETS, Board, Planet, board_from, board_json
from companion.games.andromeda.game import GAME, AndromedaGame
from companion.games.andromeda.options import Options
from companion.games.andromeda.rules import decide
from companion.games.andromeda.state import Phase, State

__all__ = [
    "EXAMPLE",
    "GAME",
    "PLANETS",
    "AndromedaGame",
    "Board",
    "Options",
    "Phase",
    "Planet",
    "State",
    "board_from",
    "board_json",
    "decide",
]

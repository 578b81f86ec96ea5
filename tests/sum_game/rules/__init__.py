"""The rules of Sum to 31, as pure functions over frozen values."""

from tests.sum_game.rules.game import GAME
from tests.sum_game.rules.rules import TELLINGS
from tests.sum_game.rules.state import COLOURS, FIELDS, GOAL, VALUES, Phase, State

__all__ = ["COLOURS", "FIELDS", "GAME", "GOAL", "TELLINGS", "VALUES", "Phase", "State"]

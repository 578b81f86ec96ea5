"""Split a game's result into luck and skill, with an evaluator of positions."""

from companion.luck.background import Luck, LuckInBackground, Reckoned
from companion.luck.reckoning import Fortune, LuckReport, Stroke, reckoned

__all__ = ["Fortune", "Luck", "LuckInBackground", "LuckReport", "Reckoned", "Stroke", "reckoned"]

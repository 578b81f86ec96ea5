"""What was luck and what was play: a game's result, told apart by an evaluator."""

from companion.luck.background import Luck, LuckInBackground, Reckoned
from companion.luck.reckoning import Fortune, LuckReport, Stroke, reckoned

__all__ = ["Fortune", "Luck", "LuckInBackground", "LuckReport", "Reckoned", "Stroke", "reckoned"]

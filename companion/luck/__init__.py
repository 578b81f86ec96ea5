"""What was luck and what was play: a game's result, told apart by an evaluator."""

from companion.luck.background import LuckInBackground, Reckoned
from companion.luck.reckoning import Fortune, LuckReport, Stroke, reckoned

__all__ = ["Fortune", "LuckInBackground", "LuckReport", "Reckoned", "Stroke", "reckoned"]

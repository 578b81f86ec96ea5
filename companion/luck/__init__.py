"""What was luck and what was play: a game's result, told apart by an evaluator."""

from companion.luck.reckoning import Fortune, LuckReport, Stroke, reckoned

__all__ = ["Fortune", "LuckReport", "Stroke", "reckoned"]

"""Dice in a URL: one letter for each, in the order in which they were tapped."""

from __future__ import annotations

LETTERS = {"training": "t", "support": "s", "improvise": "i", "move": "m", "technology": "k", "contamination": "c"}
_SYMBOLS = {letter: symbol for symbol, letter in LETTERS.items()}


def symbols(text: str, most: int) -> tuple[str, ...]:
    """Parse *text* as at most *most* symbols, ignoring other letters.

    >>> symbols("mmx", most=4)
    ('move', 'move')
    """
    return tuple(_SYMBOLS[letter] for letter in text if letter in _SYMBOLS)[:most]


def letters(dice: tuple[str, ...]) -> str:
    """Return *dice* as letters. This is the inverse of `symbols`."""
    return "".join(LETTERS[die] for die in dice)


def without(dice: tuple[str, ...], symbol: str) -> tuple[str, ...]:
    """Return *dice* without the last one that shows *symbol*."""
    left = list(dice)
    if symbol in left:
        del left[len(left) - 1 - left[::-1].index(symbol)]
    return tuple(left)

"""Command dice: their six symbols, and counts of dice by symbol."""

from __future__ import annotations

from collections.abc import Iterable

SYMBOLS = ("training", "support", "improvise", "move", "technology", "contamination")
ACTIONS = SYMBOLS[:5]
"""The symbols that pay for an action."""
CONTAMINATION = "contamination"
MOST_CONTAMINATION = 3
"""The maximum number of contamination dice after a roll. Further dice are rolled again (rules: assign commands)."""
DICE = {2: 7, 3: 10, 4: 13}
"""The number of dice, by number of players (rules: set-up)."""

Dice = tuple[int, ...]
"""The number of dice for each of SYMBOLS, in their order."""
NO_DICE: Dice = (0,) * len(SYMBOLS)
_AT = {symbol: at for at, symbol in enumerate(SYMBOLS)}


def counted(symbols: Iterable[str]) -> Dice:
    """Return how often each symbol is among *symbols*.

    >>> counted(["move", "training", "move"])
    (1, 0, 0, 2, 0, 0)
    """
    counts = [0] * len(SYMBOLS)
    for symbol in symbols:
        counts[_AT[symbol]] += 1
    return tuple(counts)


def showing(dice: Dice, symbol: str) -> int:
    """Return how many of *dice* show *symbol*."""
    return dice[_AT[symbol]]


def changed(dice: Dice, symbol: str, by: int) -> Dice:
    """Return *dice* with *by* more dice that show *symbol*. If *by* is negative, there are fewer."""
    at = _AT[symbol]
    return (*dice[:at], dice[at] + by, *dice[at + 1 :])


def together(some: Dice, others: Dice) -> Dice:
    """Return the sum of two groups of dice."""
    return tuple(map(int.__add__, some, others))


def without(dice: Dice, taken: Dice) -> Dice:
    """Return *dice* without *taken*."""
    return tuple(map(int.__sub__, dice, taken))


def holds(dice: Dice, wanted: Dice) -> bool:
    """Return whether *dice* include all of *wanted*."""
    return min(without(dice, wanted)) >= 0


def dice_json(dice: Dice) -> dict[str, int]:
    """Return *dice* as JSON: a count for each symbol."""
    return dict(zip(SYMBOLS, dice, strict=True))


def symbols_of(dice: Dice) -> tuple[str, ...]:
    """Return the symbol of each of *dice*, in the order of SYMBOLS.

    >>> symbols_of((1, 0, 0, 2, 0, 0))
    ('training', 'move', 'move')
    """
    return tuple(symbol for symbol, count in zip(SYMBOLS, dice, strict=True) for _ in range(count))

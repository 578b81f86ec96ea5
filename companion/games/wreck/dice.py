"""Command dice: six symbols, and how many dice show each."""

from __future__ import annotations

from collections.abc import Iterable

SYMBOLS = ("training", "support", "improvise", "move", "technology", "contamination")
ACTIONS = SYMBOLS[:5]
"""The symbols that pay for an action."""
CONTAMINATION = "contamination"
MOST_CONTAMINATION = 3
"""So many stay on the table; whatever shows more of it is rolled again (assign commands)."""
DICE = {2: 7, 3: 10, 4: 13}
"""Dice in the game, by number of players (set-up)."""
CALLED = {"support": 2, "improvise": 1}
TRAINED = {"training": 2, "improvise": 1}
"""How many researchers a die calls or trains at most."""
STEPS = {symbol: 3 if symbol == "move" else 1 for symbol in SYMBOLS}
"""Steps that a die is worth."""

Dice = tuple[int, ...]
"""A count for each of SYMBOLS."""
NO_DICE: Dice = (0,) * len(SYMBOLS)
_AT = {symbol: at for at, symbol in enumerate(SYMBOLS)}


def counted(symbols: Iterable[str]) -> Dice:
    """Return how often each symbol is among *symbols*."""
    counts = [0] * len(SYMBOLS)
    for symbol in symbols:
        counts[_AT[symbol]] += 1
    return tuple(counts)


def showing(dice: Dice, symbol: str) -> int:
    """Return how many of *dice* show *symbol*."""
    return dice[_AT[symbol]]


def changed(dice: Dice, symbol: str, by: int) -> Dice:
    """Return *dice* with so many more of *symbol*."""
    at = _AT[symbol]
    return (*dice[:at], dice[at] + by, *dice[at + 1 :])


def together(some: Dice, others: Dice) -> Dice:
    """Return both heaps as one."""
    return tuple(map(int.__add__, some, others))


def without(dice: Dice, taken: Dice) -> Dice:
    """Return *dice* after *taken* are gone."""
    return tuple(map(int.__sub__, dice, taken))


def holds(dice: Dice, wanted: Dice) -> bool:
    """Tell whether *wanted* can be taken from *dice*."""
    return min(without(dice, wanted)) >= 0


def dice_json(dice: Dice) -> dict[str, int]:
    """Return *dice* as a final state writes them: all six symbols with counts."""
    return dict(zip(SYMBOLS, dice, strict=True))


def symbols_of(dice: Dice) -> tuple[str, ...]:
    """Return *dice* one by one, in the order of SYMBOLS."""
    return tuple(symbol for symbol, count in zip(SYMBOLS, dice, strict=True) for _ in range(count))

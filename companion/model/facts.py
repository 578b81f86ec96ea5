"""What can be asked about a game at any moment, by one key or one tap, to be answered in words."""

from __future__ import annotations

from companion.kernel.i18n import Said
from companion.kernel.values import dataclass

SCORE, LAST = "score", "last"
"""Beside `TURN` and `CLOCK` (`companion.model.speech`), what can be asked about any game."""


@dataclass(frozen=True)
class Fact:
    """Something to ask about: its *word* for programs, the question; *place*: it is about a place of the board."""

    word: str
    ask: Said
    place: bool = False

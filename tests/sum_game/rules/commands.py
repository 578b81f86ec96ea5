"""The commands of Sum to 31, and how they are written in a record."""

from __future__ import annotations

from typing import Annotated

from companion.kernel.values import dataclass
from companion.model.parser import Line, Parser, Seat, Text, Whole
from tests.sum_game.rules.state import GOAL, VALUES

Value = Whole(VALUES[0], VALUES[-1])
Total = Whole(0, GOAL - 1)


@dataclass(frozen=True)
class Take(Line, do="take"):
    """A chip from the supply.

    Example: ``{"do": "take", "player": "red", "value": 6}``
    """

    player: Seat
    value: Annotated[int, Value]


@dataclass(frozen=True)
class Correct(Line, do="correct"):
    """The sum as the table counts it.

    Example: ``{"do": "correct", "reason": "miscounted", "total": 12}``
    """

    reason: Annotated[str, Text()]
    total: Annotated[int, Total]


Command = Take | Correct
PARSER: Parser[Command] = Parser.of(Command)

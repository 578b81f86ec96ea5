"""The state of Sum to 31: the chips that are left, the sum, and the turn."""

from __future__ import annotations

from enum import StrEnum

from companion.kernel.values import dataclass
from companion.model.game import Seat
from companion.model.header import HeaderFields

GOAL = 31
VALUES = range(1, 7)
CHIPS = 4
"""Number of chips of each value in the box."""
FIELDS = HeaderFields("sum31", counts=(2, 3, 4))
COLOURS = {"red": "Ana", "blue": "Ben", "green": "Cem", "yellow": "Dora"}
"""The colours of seats, with the names of random games."""


class Phase(StrEnum):
    """The parts of a game. Each has its own page."""

    TURN = "turn"
    OVER = "over"


@dataclass(frozen=True)
class Setting:
    """What stays the same during a game."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class State:
    """How many chips of each value are in the *supply*, the sum, the number of turns, and who took the *last* chip."""

    setting: Setting
    supply: tuple[int, ...] = (CHIPS,) * len(VALUES)
    total: int = 0
    turn: int = 0
    last: str = ""

    @property
    def colours(self) -> tuple[str, ...]:
        """The players' colours, clockwise."""
        return tuple(seat.colour for seat in self.setting.seats)

    @property
    def phase(self) -> Phase:
        """Whether the game goes on."""
        return Phase.TURN if self.total < GOAL else Phase.OVER

    @property
    def mover(self) -> str:
        """The colour whose turn it is, or "" after the end."""
        return self.colours[self.turn % len(self.colours)] if self.phase is Phase.TURN else ""

    @property
    def round(self) -> int:
        """The number of the round, from 1. After the end it is the round of the last chip."""
        played = self.turn if self.phase is Phase.TURN else self.turn - 1
        return played // len(self.colours) + 1

    @property
    def winners(self) -> tuple[str, ...]:
        """The winning colours: who made 31, or everybody except the player who made more."""
        if self.phase is Phase.TURN:
            return ()
        return tuple(colour for colour in self.colours if (colour == self.last) == (self.total == GOAL))

    @property
    def supplied(self) -> int:
        """The sum of all chips in the supply."""
        return sum(value * self.left(value) for value in VALUES)

    def left(self, value: int) -> int:
        """Return how many chips of *value* are in the supply."""
        return self.supply[value - 1]

    def name_of(self, colour: str) -> str:
        """Return the name of a player."""
        return next(seat.name for seat in self.setting.seats if seat.colour == colour)

"""The state of a draw table: the cubes inside, those that each player has drawn, and those stuck in the tower."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from companion.games.draws.cubes import MOST, MOST_COLOURS, Counts, Cubes, joint
from companion.kernel.errors import Refused
from companion.kernel.said import said
from companion.kernel.values import replace
from companion.model.game import Seat
from companion.model.parser import Flag, OneOfState, Text

MOST_PLAYERS = 8
NOBODY = ""
WhoseIfAny = Annotated[str | None, Text()]
Somebody = Annotated[str, OneOfState(lambda state: (NOBODY, *state.seats))]
"""A player's colour, or "" for no particular player."""
BackAtOnce = Annotated[bool, Flag()]
BackIfSaid = Annotated[bool | None, Flag()]


@dataclass(frozen=True, slots=True)
class Setting:
    """The constant part of the state: the players, whether there is a tower, and whether the program may draw."""

    seats: tuple[Seat, ...]
    tower: bool = False
    virtual: bool = False


@dataclass(frozen=True, slots=True)
class TablePull:
    """One draw: its player ("" means no particular player), the cubes, and whether they went back at once."""

    player: str
    cubes: Cubes
    back: bool


@dataclass(frozen=True, slots=True)
class Fall:
    """One throw into the tower: the cubes that went in, those that came out since, and those *stuck* after that."""

    thrown: Cubes
    out: Counts
    stuck: Counts


@dataclass(frozen=True, slots=True)
class State:
    """The state of the table between two lines.

    *colours* are in the order in which they came to the table. For each player, *drew* counts all cubes that they have
    drawn, and *holds* counts those that have not gone back. Draws without a player have the key "". *pulls* are the
    last draws and *falls* the last throws, oldest first. *taker* is the player with the ring. *back* says that drawn
    cubes go back at once.
    """

    setting: Setting
    colours: tuple[str, ...]
    inside: Counts
    drew: Mapping[str, Counts] = field(default_factory=dict)
    holds: Mapping[str, Counts] = field(default_factory=dict)
    draws: int = 0
    pulls: tuple[TablePull, ...] = ()
    thrown: Counts = field(default_factory=dict)
    came_out: Counts = field(default_factory=dict)
    began_stuck: Counts = field(default_factory=dict)
    falls: tuple[Fall, ...] = ()
    taker: str = NOBODY
    back: bool = False
    finished: bool = False

    @property
    def seats(self) -> tuple[str, ...]:
        """The players' colours, clockwise."""
        return tuple([seat.colour for seat in self.setting.seats])

    @property
    def with_tower(self) -> bool:
        """Whether the table has a tower, or something was thrown into one."""
        return self.setting.tower or bool(self.thrown)

    @property
    def outside(self) -> dict[str, int]:
        """The drawn cubes that are not back inside, by colour."""
        return joint(self.holds.values(), self.colours)

    @property
    def stuck(self) -> dict[str, int]:
        """The cubes in the tower, by colour."""
        began, thrown, out = self.began_stuck, self.thrown, self.came_out
        return {each: began.get(each, 0) + thrown.get(each, 0) - out.get(each, 0) for each in self.colours}

    def name_of(self, seat: str) -> str:
        """Return the name of the player in *seat*, or "" if there is no such player."""
        return next((each.name for each in self.setting.seats if each.colour == seat), "")

    def with_colours(self, cubes: Cubes) -> State:
        """Return this state with the colours of *cubes* added to the table's colours."""
        new = tuple([colour for colour, _ in cubes if colour not in self.colours])
        if not new:
            return self
        return replace(self, colours=(*self.colours, *new), inside={**self.inside, **dict.fromkeys(new, 0)})

    def fits(self, cubes: Cubes) -> bool:
        """Return whether the table has room for the colours of *cubes*."""
        return len({*self.colours, *dict(cubes)}) <= MOST_COLOURS

    def check_colours(self, cubes: Cubes) -> None:
        """Raise `Refused` if the table has no room for the colours of *cubes*."""
        if not self.fits(cubes):
            raise Refused(said("Up to %(most)s colours fit on one table.", most=MOST_COLOURS))

    def check_room(self, there: Counts, cubes: Cubes) -> None:
        """Raise `Refused` if *cubes* can't be added to those *there*: too many of a colour, or of colours."""
        self.check_colours(cubes)
        if any(there.get(colour, 0) + count > MOST for colour, count in cubes):
            raise Refused(said("Up to %(most)s cubes of a colour.", most=MOST))

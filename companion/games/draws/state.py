"""The state of a draw table: the cubes inside, those that each player has drawn, and those stuck in the tower.

All chapters of the rules ask it the same questions: which cubes are where, and whether there is room for more.
"""

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
from companion.model.tellings import Occurrence

MOST_PLAYERS = 8
PULLS_KEPT = 24
FALLS_KEPT = 48
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


def outside(state: State) -> dict[str, int]:
    """Count the drawn cubes that are not back inside, by colour."""
    return joint(state.holds.values(), state.colours)


def stuck(state: State) -> dict[str, int]:
    """Count the cubes in the tower, by colour."""
    return {
        colour: state.began_stuck.get(colour, 0) + state.thrown.get(colour, 0) - state.came_out.get(colour, 0)
        for colour in state.colours
    }


def name_of(state: State, seat: str) -> str:
    """Return the name of the player in *seat*, or "" if there is no such player."""
    return next((each.name for each in state.setting.seats if each.colour == seat), "")


def whose(what: Occurrence, otherwise: str = NOBODY) -> str:
    """Return the name of the player of an event or line, or else of the seat *otherwise*; "" for no player."""
    return what.names.get(what.fields.get("player", otherwise), "")


def with_colours(state: State, cubes: Cubes) -> State:
    """Return *state* with the colours of *cubes* added to the table's colours."""
    new = tuple([colour for colour, _ in cubes if colour not in state.colours])
    if not new:
        return state
    return replace(state, colours=(*state.colours, *new), inside={**state.inside, **dict.fromkeys(new, 0)})


def fits(state: State, cubes: Cubes) -> bool:
    """Return whether the table has room for the colours of *cubes*."""
    return len({*state.colours, *dict(cubes)}) <= MOST_COLOURS


def check_colours(state: State, cubes: Cubes) -> None:
    """Raise `Refused` if the table has no room for the colours of *cubes*."""
    if not fits(state, cubes):
        raise Refused(said("Up to %(most)s colours fit on one table.", most=MOST_COLOURS))


def check_room(state: State, there: Counts, cubes: Cubes) -> None:
    """Raise `Refused` if *cubes* can't be added to those *there*: too many of a colour, or of colours."""
    check_colours(state, cubes)
    for colour, count in cubes:
        if there.get(colour, 0) + count > MOST:
            raise Refused(said("Up to %(most)s cubes of a colour.", most=MOST))


def has(there: Counts, cubes: Cubes) -> bool:
    """Return whether *cubes* are among those *there*."""
    return all(there.get(colour, 0) >= count for colour, count in cubes)

"""How a draw table stands: what is inside, what has come out and to whom, what is stuck in the tower."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.games.draws.cubes import MOST_COLOURS, Counts, Cubes, joint
from companion.model.game import Seat

__all__ = ["MOST_COLOURS", "MOST_PLAYERS", "Fall", "Setting", "State", "TablePull", "name_of", "outside", "stuck"]

MOST_PLAYERS = 8
PULLS_KEPT = 24
FALLS_KEPT = 48
NOBODY = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a header says for good: who plays, whether there is a tower, whether the companion draws."""

    seats: tuple[Seat, ...]
    tower: bool = False
    virtual: bool = False


@dataclass(frozen=True, slots=True)
class TablePull:
    """One draw: for whom ("": nobody in particular), what came out, and whether it went back at once."""

    player: str
    cubes: Cubes
    back: bool


@dataclass(frozen=True, slots=True)
class Fall:
    """One throw into the tower: what went in, what has come out since, and what was *stuck* then."""

    thrown: Cubes
    out: Counts
    stuck: Counts


@dataclass(frozen=True, slots=True)
class State:
    """The table between two lines.

    *colours* in the order in which they came; *drew* counts all that each has
    drawn, *holds* what of it lies before them ("": nobody in particular, the
    table). *pulls* are the newest draws, *falls* the newest throws, oldest
    first. *taker* has the ring, *back*: what is drawn goes back at once.
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
        """Whether there is a tower, or something was thrown into one."""
        return self.setting.tower or bool(self.thrown)


def outside(state: State) -> dict[str, int]:
    """Count what was drawn and is not back, by colour."""
    return joint(state.holds.values(), state.colours)


def stuck(state: State) -> dict[str, int]:
    """Count what is in the tower, by colour."""
    return {
        colour: state.began_stuck.get(colour, 0) + state.thrown.get(colour, 0) - state.came_out.get(colour, 0)
        for colour in state.colours
    }


def name_of(state: State, seat: str) -> str:
    """Return the name of whoever plays *seat*, empty for nobody."""
    return next((each.name for each in state.setting.seats if each.colour == seat), "")

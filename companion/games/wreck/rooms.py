"""The eleven rooms of the wreck: their KP, and the number of researchers needed to control them."""

from __future__ import annotations

from companion.kernel.errors import Malformed
from companion.kernel.fields import whole
from companion.kernel.said import Said, said
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class Room:
    """One room: its name, its KP, and the smallest number of researchers that can control it."""

    label: Said
    kp: int
    minimum: int = 1


ROOMS = {
    "armoury": Room(said("Armoury"), 0),
    "hangar": Room(said("Hangar"), 1),
    "quarters": Room(said("Crew quarters"), 1),
    "communications": Room(said("Communications"), 1),
    "bridge": Room(said("Bridge"), 1),
    "airlock": Room(said("Airlock"), 1),
    "engine": Room(said("Engine room"), 1),
    "reactor": Room(said("Reactor"), 1),
    "cryo": Room(said("Cryo chamber"), 2, 2),
    "laboratory": Room(said("Laboratory"), 2, 2),
    "zone": Room(said("Contaminated zone"), 2, 2),
}
AIRLOCK, ENGINE, LABORATORY, ZONE = "airlock", "engine", "laboratory", "zone"
NOT_FOR_TWO = ("armoury", "laboratory")
"""Rooms that are not used by two players (rules: set-up)."""
TILES = {2: 7, 3: 9, 4: 9}
"""The number of tiles on the table, including the airlock, by number of players (rules: set-up)."""

Cell = tuple[int, int]
FARTHEST = 20
"""The largest coordinate of a tile."""


def side_by_side(one: Cell, other: Cell) -> bool:
    """Return whether two cells have a side in common. Movement is never diagonal."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def label_of(room: str) -> Said:
    """Return the name of *room*."""
    return ROOMS[room].label


def cell_from(value: object, where: str) -> Cell:
    """Parse *value* as the cell of a tile, or raise `Malformed`.

    >>> cell_from([1, -2], "cell")
    (1, -2)
    """
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise Malformed(said("%(where)s must be a cell [x, y]", where=where))
    return (whole(value[0], where, -FARTHEST, FARTHEST), whole(value[1], where, -FARTHEST, FARTHEST))

"""The eleven rooms of the wreck: what each is worth, and how many researchers hold it at least."""

from __future__ import annotations

from companion.kernel.errors import Malformed
from companion.kernel.i18n import Said, said
from companion.kernel.validation import whole
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class Room:
    """One tile: its name, its KP, and the researchers it takes to control it."""

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
"""Rooms that stay in the box with two players (set-up)."""
TILES = {2: 7, 3: 9, 4: 9}
"""Tiles on the table, the airlock among them (set-up)."""

Cell = tuple[int, int]
FARTHEST = 20
"""How far from the middle of the table a tile may be."""


def side_by_side(one: Cell, other: Cell) -> bool:
    """Tell whether two cells share a side (movement: never diagonally)."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def label_of(room: str) -> Said:
    """Return the table's word for *room*."""
    return ROOMS[room].label


def cell_from(value: object, where: str) -> Cell:
    """Return the cell that *value* names, or raise `Malformed`. Example: ``[1, -2]``"""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise Malformed(said("%(where)s must be a cell [x, y]", where=where))
    return (whole(value[0], where, -FARTHEST, FARTHEST), whole(value[1], where, -FARTHEST, FARTHEST))

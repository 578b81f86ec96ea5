"""The ship as a picture: rooms on a grid with the researchers in them, and the effect of a tap on each room."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.wreck.control import controller, room_kp
from companion.games.wreck.rooms import ROOMS, Cell, label_of
from companion.games.wreck.state import State
from companion.kernel.fields import Line
from web.components.players import Face, faces
from web.http.i18n import translated

SHORT = 11
"""Letters that a narrow tile has room for."""
LAST_PARTS = re.compile(r"(?<=\w{3})(cations|kations|kammer|kamer|zentrale|quartiere|verblijf|schleuse|sluis|raum)")


def room_name(room: str) -> str:
    """Return the name of *room* with soft hyphens, as some browsers can't hyphenate Dutch and German words."""
    return LAST_PARTS.sub("\u00ad\\1", str(translated(label_of(room))))


@dataclass(frozen=True)
class Figure:
    """A player's researchers and teleporters in a room, and the number of researchers that are chosen to leave."""

    face: Face
    count: int
    teleporters: int
    leaving: str = ""


@dataclass(frozen=True)
class TileTap:
    """A tap on a tile opens *address* or sends *line*. *words* describe it."""

    words: str
    address: str = ""
    line: Line | None = None


@dataclass(frozen=True)
class ShipTile:
    """One tile: its place on the grid, its room, and who is there.

    *shared* are the KP of tied players. *mark* is "from" or "to" if a researcher goes from here or to here.
    """

    column: int
    row: int
    cell: Cell
    room: str = ""
    label: str = ""
    kp: int = 0
    minimum: int = 1
    control: Face | None = None
    shared: tuple[tuple[Face, int], ...] = ()
    figures: tuple[Figure, ...] = ()
    tap: TileTap | None = None
    mark: str = ""

    @property
    def long(self) -> bool:
        """Whether a part of the name is too long for a narrow tile."""
        return max(map(len, self.label.replace("\u00ad", " ").split()), default=0) > SHORT


@dataclass(frozen=True)
class ShipPlan:
    """All tiles, and the size of the grid."""

    columns: int
    rows: int
    tiles: tuple[ShipTile, ...] = field(default_factory=tuple)


def ship(
    state: State,
    rooms: Mapping[str, TileTap] | None = None,
    cells: Mapping[Cell, TileTap] | None = None,
    marks: Mapping[str | Cell, str] | None = None,
    leaving: Mapping[str, str] | None = None,
) -> ShipPlan:
    """Return the picture of *state*. *rooms* and face-down *cells* can be tapped; *marks* show what is chosen.

    *leaving* says how many researchers of the player in turn leave each room.
    """
    xs, ys = [x for x, _ in state.setting.layout], [y for _, y in state.setting.layout]
    tiles = []
    for cell, room in zip(state.setting.layout, state.tiles, strict=True):
        at = (cell[0] - min(xs) + 1, cell[1] - min(ys) + 1)
        if room is None:
            tiles.append(ShipTile(*at, cell, tap=(cells or {}).get(cell), mark=(marks or {}).get(cell, "")))
        else:
            more = {"tap": (rooms or {}).get(room), "mark": (marks or {}).get(room, "")}
            tiles.append(_open(state, cell, room, at, (leaving or {}).get(room, ""), more))
    return ShipPlan(max(xs) - min(xs) + 1, max(ys) - min(ys) + 1, tuple(tiles))


def _open(state: State, cell: Cell, room: str, at: tuple[int, int], leaving: str, more: dict[str, Any]) -> ShipTile:
    known, tile, counts = faces(state.setting.seats), ROOMS[room], state.researchers[room]
    held = controller(state, room)
    tied = zip(known.values(), room_kp(room, counts), strict=True) if held is None else ()
    return ShipTile(
        *at,
        cell,
        room,
        room_name(room),
        tile.kp,
        tile.minimum,
        None if held is None else known[held],
        tuple((face, kp) for face, kp in tied if kp),
        _figures(state, room, known, leaving),
        **more,
    )


def _figures(state: State, room: str, known: Mapping[str, Face], leaving: str) -> tuple[Figure, ...]:
    here = zip(known.values(), state.researchers[room], state.teleporters[room], strict=True)
    return tuple(
        Figure(face, count, pads, leaving if face.colour == state.turn else "")
        for face, count, pads in here
        if count or pads
    )

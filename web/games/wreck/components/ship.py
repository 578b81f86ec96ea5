"""The ship as a picture: rooms on a grid with the researchers in them, and the effect of a tap on each room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.wreck.control import controller, room_kp
from companion.games.wreck.rooms import ROOMS, Cell, side_by_side
from companion.games.wreck.state import State
from companion.kernel.validation import Line
from web.components.players import Face, faces
from web.games.wreck.components.words import EFFECTS, room_name
from web.http.i18n import translated


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

    *shared* are the KP of tied players. *doors* are the sides that connect to other tiles.
    """

    column: int
    row: int
    cell: Cell
    room: str = ""
    label: str = ""
    effect: str = ""
    kp: int = 0
    minimum: int = 1
    control: Face | None = None
    shared: tuple[tuple[Face, int], ...] = ()
    figures: tuple[Figure, ...] = ()
    doors: str = ""
    tap: TileTap | None = None
    mark: str = ""


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
    marks: Mapping[str, str] | None = None,
) -> ShipPlan:
    """Return the picture of *state*. *rooms* and face-down *cells* can be tapped; *marks* show what is chosen.

    If a mark is a number, it is shown at the researchers of the player in turn: so many of them leave.
    """
    xs, ys = [x for x, _ in state.setting.layout], [y for _, y in state.setting.layout]
    tiles = []
    for cell, room in zip(state.setting.layout, state.tiles, strict=True):
        at = (cell[0] - min(xs) + 1, cell[1] - min(ys) + 1)
        if room is None:
            tiles.append(ShipTile(*at, cell, doors=_doors(state, cell), tap=(cells or {}).get(cell)))
        else:
            more = {"tap": (rooms or {}).get(room), "mark": (marks or {}).get(room, "")}
            tiles.append(_open(state, cell, room, at, more))
    return ShipPlan(max(xs) - min(xs) + 1, max(ys) - min(ys) + 1, tuple(tiles))


def _open(state: State, cell: Cell, room: str, at: tuple[int, int], more: dict[str, Any]) -> ShipTile:
    known, tile, counts = faces(state.setting.seats), ROOMS[room], state.researchers[room]
    held = controller(state, room)
    tied = zip(known.values(), room_kp(room, counts), strict=True) if held is None else ()
    return ShipTile(
        *at,
        cell,
        room,
        room_name(room),
        translated(EFFECTS[room]),
        tile.kp,
        tile.minimum,
        None if held is None else known[held],
        tuple((face, kp) for face, kp in tied if kp),
        _figures(state, room, known, more["mark"]),
        _doors(state, cell),
        **more,
    )


def _figures(state: State, room: str, known: Mapping[str, Face], mark: str) -> tuple[Figure, ...]:
    here = zip(known.values(), state.researchers[room], state.teleporters[room], strict=True)
    leaving = {state.turn: mark} if mark != "from" else {}
    return tuple(Figure(face, count, pads, leaving.get(face.colour, "")) for face, count, pads in here if count or pads)


def _doors(state: State, cell: Cell) -> str:
    """Return the sides of *cell* that connect to another tile, as CSS class names: "e" to the right, "s" below."""
    sides = {"e": (cell[0] + 1, cell[1]), "s": (cell[0], cell[1] + 1)}
    return " ".join(
        name for name, beside in sides.items() if beside in state.setting.layout and side_by_side(cell, beside)
    )

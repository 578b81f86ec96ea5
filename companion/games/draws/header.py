"""The header of a draw table's record: the players, and the contents of the box.

The contents are entered once, stored with the copy, and filled in for the next game with it.
"""

from __future__ import annotations

from companion.games.draws.cubes import MOST_COLOURS, colour_from, counts_from
from companion.games.draws.state import MOST_PLAYERS, Setting, State
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, Line
from companion.kernel.names import LONGEST_NAME
from companion.kernel.said import said
from companion.model.game import Seat
from companion.model.header import HeaderFields, colours_of, own_fields, rows

FIELDS = HeaderFields("draws", tuple(range(MOST_PLAYERS + 1)))


def start(header: Line) -> State:
    """Parse *header* and return the state before the first line. Raises `Malformed`, which names the wrong field.

    `players` and `contents` may be empty; `tower`, `back` and `virtual` may be missing.
    """
    fields = own_fields(header)
    seats = _seats(fields)
    inside = counts_from(fields.take("contents"), "contents")
    with_tower = fields.has("tower")
    stuck = counts_from(fields.take("tower"), "tower") if with_tower else {}
    colours = _colours(inside, stuck)
    back, virtual = fields.flag("back", False), fields.flag("virtual", False)
    fields.nothing_else()
    full = {colour: inside.get(colour, 0) for colour in colours}
    return State(Setting(seats, with_tower, virtual), colours, full, began_stuck=stuck, back=back)


def _seats(fields: Fields) -> tuple[Seat, ...]:
    seats = tuple(_seat(row) for row in rows(fields, "players"))
    if len(seats) not in FIELDS.counts:
        raise Malformed(said("players: up to %(most)s, not %(count)s", most=MOST_PLAYERS, count=len(seats)))
    colours_of(seats)
    return seats


def _seat(fields: Fields) -> Seat:
    colour, name = colour_from(fields.take("colour"), fields.where("colour")), fields.label("name", LONGEST_NAME)
    fields.nothing_else()
    return Seat(colour, name)


def _colours(inside: Line, stuck: Line) -> tuple[str, ...]:
    colours = tuple(dict.fromkeys((*inside, *stuck)))
    if len(colours) > MOST_COLOURS:
        raise Malformed(said("up to %(most)s colours, not %(count)s", most=MOST_COLOURS, count=len(colours)))
    return colours


class Box:
    """The stored values of a copy: its cubes by colour, and the cubes in its tower if it has one."""

    def of(self, header: Line) -> Line | None:
        """Return the `contents` and `tower` of *header*, or None if both are missing or empty."""
        kept = {name: header[name] for name in ("contents", "tower") if name in header}
        return kept if header.get("contents") or "tower" in header else None

    def invented(self, header: Line) -> bool:
        """Return False: a draw table has no scores, so no values can be made up."""
        return False

    def checked(self, value: object) -> Line:
        """Return *value* in the format of a header, or raise `Malformed`."""
        fields = Fields(value, "box")
        box = {"contents": counts_from(fields.take("contents"), "box.contents")}
        if fields.has("tower"):
            box["tower"] = counts_from(fields.take("tower"), "box.tower")
        fields.nothing_else()
        colours = {colour for part in box.values() for colour in part}
        if len(colours) > MOST_COLOURS:
            raise Malformed(said("up to %(most)s colours, not %(count)s", most=MOST_COLOURS, count=len(colours)))
        return box

    def learnt(self, board: Line | None, line: Line) -> Line | None:
        """Return *board* unchanged: cubes added during a game do not belong to the box."""
        return board


BOX = Box()

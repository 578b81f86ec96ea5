"""The contents of a table's box.

They are entered once, stored with the copy, and filled in for the next game with it.
"""

from __future__ import annotations

from companion.games.draws.cubes import MOST_COLOURS, counts_from
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, Line
from companion.kernel.said import said


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

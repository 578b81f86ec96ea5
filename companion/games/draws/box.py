"""What lies in a box of the table's own: entered once, remembered with the copy, and filled in for the next table."""

from __future__ import annotations

from companion.games.draws.cubes import MOST_COLOURS, counts_from
from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Fields, Line


class Box:
    """The contents of a copy: cubes by colour, and whether there is a tower."""

    def of(self, header: Line) -> Line | None:
        """Return what *header* says of its box, None where nothing is in it."""
        kept = {name: header[name] for name in ("contents", "tower") if name in header}
        return kept if header.get("contents") or "tower" in header else None

    def invented(self, header: Line) -> bool:
        """Tell that no points come from values of ours."""
        return False

    def checked(self, value: object) -> Line:
        """Return *value* as a header writes it, or raise `Malformed`."""
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
        """Return *board* as it is: what comes to a table later is not in the box when that is closed."""
        return board


BOX = Box()

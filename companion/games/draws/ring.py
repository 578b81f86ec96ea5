"""What a draw table asks of a ring: whatever leaves it is a draw, for whoever has it."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.draws.commands import Draw, line_of
from companion.games.draws.state import State
from companion.games.draws.view import wanted
from companion.kernel.i18n import said
from companion.kernel.validation import Line
from companion.model.capabilities import RingWords


class OpenRing:
    """The ring as a bag with a gate."""

    words = RingWords(
        one=said("A cube"),
        coloured=said("One %(colour)s cube", colour=""),
        pair=said("Two cubes"),
        practice=said("%(station)s came out while nobody was drawing. Not counted.", station=""),
        surplus=said("%(station)s came out, but nothing should be inside. Change the count.", station=""),
        late=said("%(station)s came in late, after you typed draws in. Is it one of those?", station=""),
        changed=said("%(station)s came out while the count changed. What was it?", station=""),
    )
    wanted = staticmethod(wanted)

    arrived = said("Yes, one came in")
    colours: tuple[str, ...] = ()  # no usual box: what is in play is in the box

    def out(self, line: Line) -> tuple[str, ...]:
        """Return what came out by a draw, cube by cube."""
        if line["do"] != "draw":
            return ()
        cubes = line.get("cubes", {line.get("colour"): 1})
        return tuple(colour for colour, count in cubes.items() for _ in range(count))

    def may_draw(self, state: State) -> bool:
        """Return what the header said."""
        return state.setting.virtual

    def went_back(self, line: Line) -> bool:
        """Say no: two that come out at once are both drawn."""
        return False

    def in_play(self, state: State) -> tuple[str, ...]:
        """Return every colour on the table."""
        return state.colours

    def draw(self, colour: str) -> Draw:
        """Return the command by which one cube of *colour* came out."""
        return Draw(((colour, 1),))

    def two_out(self, state: State, colours: tuple[str, str]) -> Line:
        """Return the line by which two came out at once: both are drawn."""
        counts = {colour: colours.count(colour) for colour in colours}
        return line_of(Draw(tuple(counts.items())))

    def label(self, state: State, place: str) -> str:
        """Return the table's word for where draws are made from."""
        return said("the ring")

    def stations(self, state: State, place: str) -> Mapping[str, int]:
        """Return nothing: nobody is asked to agree, the page shows what must be left at every moment."""
        return {}

    def redrawn(self, state: State, seat: str, place: str, drawn: str, really: str) -> tuple[Line, ...]:
        """Return no lines: counts are corrected by the table."""
        return ()


RING = OpenRing()

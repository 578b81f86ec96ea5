"""The draws of an attempt: what Andromeda asks of a ring that counts the stations leaving it."""

from __future__ import annotations

from companion.games.andromeda.commands import DoubleExit, Draw, line_of
from companion.games.andromeda.corrections import redrawn
from companion.games.andromeda.state import State, label_of, stations_on
from companion.games.andromeda.view import wanted
from companion.kernel.i18n import said
from companion.kernel.validation import Line
from companion.model.capabilities import RingWords


class PlanetRing:
    """The ring over a planet."""

    words = RingWords()
    wanted = staticmethod(wanted)
    label = staticmethod(label_of)
    stations = staticmethod(stations_on)

    arrived = said("Yes, from Earth")
    colours = ("red", "yellow", "green", "blue", "black")

    def out(self, line: Line) -> tuple[str, ...]:
        """Return the one station of a draw, or the two that left at once."""
        match line["do"]:
            case "draw":
                return (str(line["colour"]),)
            case "double_exit":
                return tuple(line["colours"])
            case _:
                return ()

    def may_draw(self, state: State) -> bool:
        """Return what the table agreed to."""
        return state.options.virtual_ring

    def went_back(self, line: Line) -> bool:
        """Tell whether two left at once: one of them, or both, went back."""
        return bool(line["do"] == "double_exit")

    def in_play(self, state: State) -> tuple[str, ...]:
        """Return the players' colours."""
        return state.colours

    def draw(self, colour: str) -> Draw:
        """Return the command by which one station of *colour* left the ring."""
        return Draw(colour)

    def two_out(self, state: State, colours: tuple[str, str]) -> Line:
        """Return the line by which two stations left at once, lots still to be cast."""
        return line_of(DoubleExit(colours))

    def redrawn(self, state: State, seat: str, place: str, drawn: str, really: str) -> tuple[Line, ...]:
        """Return the corrections after which *drawn* is back on the planet and *really* where a draw takes it."""
        return tuple(line_of(command) for command in redrawn(state, seat, place, drawn, really))


RING = PlanetRing()

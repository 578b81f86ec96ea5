"""The open draw table as a `Game`: its rules, console, ring and views, as the rest of the program uses them."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.draws import drawing, tower
from companion.games.draws import view as seen
from companion.games.draws.drawing import Draw
from companion.games.draws.header import BOX, start
from companion.games.draws.rules import CODEC, PARSER, TELLINGS, VERSION, Command, Event, decide, evolve
from companion.games.draws.state import State
from companion.games.draws.table import Take
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.model.capabilities import Facts, RandomPlay, RingWords, Speech
from companion.model.clock import TimeControl
from companion.model.game import Game, GameDefaults
from companion.ports.console import Shape

# The console's buttons: a player takes the ring with their own button.


class Buttons:
    """The console of a draw table. It has no lamps."""

    lamps: Mapping[str, Shape] = {}

    def by_button(self, state: State, seat: str | None, held: bool = False) -> Line | None:
        """Return the line with which *seat* takes the ring.

        Return None if *seat* already has the ring, for the button "next" (*seat* is None), and after the end.
        """
        return None if seat is None or state.finished or seat == state.taker else PARSER.line_of(Take(seat))


CONSOLE = Buttons()

# The use of a ring: every cube that leaves it is a draw for the player who has the ring.


class OpenRing:
    """The ring of a draw table. Every cube that comes out counts."""

    words = RingWords(
        one=said("A cube"),
        coloured=said("One %(colour)s cube", colour=""),
        pair=said("Two cubes"),
        practice=said("%(station)s came out while nobody was drawing. Not counted.", station=""),
        surplus=said("%(station)s came out, but nothing should be inside. Change the count.", station=""),
        late=said("%(station)s came in late, after you typed draws in. Is it one of those?", station=""),
        changed=said("%(station)s came out while the count changed. What was it?", station=""),
    )
    wanted = staticmethod(seen.wanted)

    arrived = said("Yes, one came in")
    colours: tuple[str, ...] = ()  # the box determines the colours in play

    def out(self, line: Line) -> tuple[str, ...]:
        """Return the colours of the cubes that *line* draws, one entry per cube."""
        if line["do"] != "draw":
            return ()
        cubes = line.get("cubes", {line.get("colour"): 1})
        return tuple(colour for colour, count in cubes.items() for _ in range(count))

    def may_draw(self, state: State) -> bool:
        """Return whether the header allows the program to draw by lot."""
        return state.setting.virtual

    def went_back(self, line: Line) -> bool:
        """Return False: if two cubes come out together, both count as drawn."""
        return False

    def in_play(self, state: State) -> tuple[str, ...]:
        """Return all colours of the table."""
        return state.colours

    def draw(self, colour: str) -> Draw:
        """Return the command that draws one cube of *colour*."""
        return Draw(((colour, 1),))

    def two_out(self, state: State, colours: tuple[str, str]) -> Line:
        """Return the line that draws both of two cubes that came out together."""
        counts = {colour: colours.count(colour) for colour in colours}
        return PARSER.line_of(Draw(tuple(counts.items())))

    def label(self, state: State, place: str) -> str:
        """Return the name of the place from which cubes are drawn."""
        return said("the ring")

    def stations(self, state: State, place: str) -> Mapping[str, int]:
        """Return an empty mapping: players need not confirm which cubes are left, since the page always shows them."""
        return {}

    def redrawn(self, state: State, seat: str, place: str, drawn: str, really: str) -> tuple[Line, ...]:
        """Return no lines: players correct the counts themselves."""
        return ()


RING = OpenRing()


class DrawsGame(GameDefaults[State, Command]):
    """The open draw table. It has no turns, no score and no clock."""

    name = "draws"
    rules = VERSION
    pace = TimeControl()
    ring = RING
    open_draws = tower.THROWS
    board = BOX
    console = CONSOLE
    speech: Speech[State] = TELLINGS

    @property
    def facts(self) -> Facts[State]:
        """The questions that can be asked. They are imported when first used."""
        from companion.games.draws.facts import FACTS

        return FACTS

    @property
    def random_play(self) -> RandomPlay:
        """Random play, for simulations. It is imported when first used."""
        from companion.games.draws.random_policy import RANDOM_PLAY

        return RANDOM_PLAY

    start = staticmethod(start)
    parse = staticmethod(PARSER.parse)
    line = staticmethod(PARSER.line_of)
    decide = staticmethod(decide)
    evolve = staticmethod(evolve)
    cast_lots = staticmethod(drawing.cast_lots)
    choices = staticmethod(drawing.choices)
    pack = staticmethod(CODEC.pack)
    unpack = staticmethod(CODEC.unpack)
    waited_for = staticmethod(seen.waited_for)
    actor = staticmethod(seen.actor)
    view = staticmethod(seen.view)
    standing = staticmethod(seen.standing)
    result = staticmethod(seen.result)


GAME: Game[State, Command, Event] = DrawsGame()

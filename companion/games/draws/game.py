"""The open draw table as the rest of the house knows it: the `Game` protocol over these rules."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from companion.games.draws import view as seen
from companion.games.draws.box import BOX
from companion.games.draws.commands import Command, Draw, Take, line_of, parse
from companion.games.draws.cubes import not_none
from companion.games.draws.events import Event, pack, unpack
from companion.games.draws.header import start
from companion.games.draws.rules import VERSION, decide, evolve
from companion.games.draws.state import State
from companion.games.draws.view import wanted
from companion.kernel.i18n import said
from companion.kernel.validation import Line
from companion.model.capabilities import Facts, RandomPlay, RingWords, Speech
from companion.model.game import Game
from companion.model.game_defaults import GameDefaults
from companion.model.time_control import TimeControl
from companion.ports.console import Shape

# What a console's buttons mean: one's own button takes the ring.


class Buttons:
    """The console as a draw table uses it."""

    lamps: Mapping[str, Shape] = {}

    def by_button(self, state: State, seat: str | None, held: bool = False) -> Line | None:
        """Return the line by which *seat* takes the ring, None where it has it, and for the next button."""
        return None if seat is None or state.finished or seat == state.taker else line_of(Take(seat))


CONSOLE = Buttons()

# What a draw table asks of a ring: whatever leaves it is a draw, for whoever has it.


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


class DrawsGame(GameDefaults[State, Command]):
    """An open table behind the seam that table, ledger and pages share: no turns, no score, no clock."""

    name = "draws"
    rules = VERSION
    pace = TimeControl()
    ring = RING
    open_draws = seen.HANDS
    board = BOX
    console = CONSOLE

    @property
    def speech(self) -> Speech[State]:
        """What is said aloud of it."""
        from companion.games.draws.tellings import TELLINGS  # a silent evening says nothing

        return TELLINGS

    @property
    def facts(self) -> Facts[State]:
        """What can be asked about it."""
        from companion.games.draws.facts import FACTS  # most evenings ask nothing

        return FACTS

    @property
    def random_play(self) -> RandomPlay:
        """How it is played at random."""
        from companion.games.draws.random_policy import RANDOM_PLAY  # no evening plays at random

        return RANDOM_PLAY

    start = staticmethod(start)
    parse = staticmethod(parse)
    line = staticmethod(line_of)
    decide = staticmethod(decide)
    evolve = staticmethod(evolve)
    pack = staticmethod(pack)
    unpack = staticmethod(unpack)
    waited_for = staticmethod(seen.waited_for)
    actor = staticmethod(seen.actor)
    view = staticmethod(seen.view)
    standing = staticmethod(seen.standing)
    result = staticmethod(seen.result)

    def cast_lots(self, state: State, line: Line, lots: Random) -> Line:
        """Draw one cube by lot where a line does not say what came out."""
        if line.get("do") != "draw" or "colour" in line or "cubes" in line:
            return line
        bag = [colour for colour, count in not_none(state.inside) for _ in range(count)]
        return {**line, "colour": lots.choice(bag)} if bag else line

    def choices(self, state: State, seat: str) -> tuple[Command, ...]:
        """Return a draw of each colour that is inside."""
        if state.finished or seat not in state.seats:
            return ()
        return tuple(Draw(((colour, 1),), seat) for colour, _ in not_none(state.inside))


GAME: Game[State, Command, Event] = DrawsGame()

"""The open draw table as a `Game`: its rules, console, ring and views, as the rest of the program uses them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.draws import drawing, tower
from companion.games.draws.cubes import Counts, joint
from companion.games.draws.drawing import Draw
from companion.games.draws.header import BOX, start
from companion.games.draws.rules import CODEC, PARSER, TELLINGS, VERSION, Command, Event, decide, evolve
from companion.games.draws.state import NOBODY, State
from companion.games.draws.turns import TakeRing
from companion.kernel.fields import Line
from companion.kernel.said import said, said_n
from companion.model.capabilities import Facts, RandomPlay, RingWords, Speech, Wanted
from companion.model.clock import TimeControl
from companion.model.game import Game, GameDefaults, Result, Viewer
from companion.ports.console import Shape

# The console's buttons: a player takes the ring with their own button.


class Buttons:
    """The console of a draw table. It has no lamps."""

    lamps: Mapping[str, Shape] = {}

    def by_button(self, state: State, seat: str | None, held: bool = False) -> Line | None:
        """Return the line with which *seat* takes the ring.

        Return None if *seat* already has the ring, for the button "next" (*seat* is None), and after the end.
        """
        return None if seat is None or state.finished or seat == state.taker else PARSER.line_of(TakeRing(seat))


CONSOLE = Buttons()
PLACE = "ring"

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
    arrived = said("Yes, one came in")
    in_attempts = False
    colours: tuple[str, ...] = ()  # the box determines the colours in play

    def wanted(self, state: State) -> Wanted | None:
        """Return the draw that the ring should expect: any of the cubes inside.

        Return None if nothing is inside, or after the end.
        """
        under = {colour: count for colour, count in state.inside.items() if count}
        if state.finished or not under:
            return None
        return Wanted(state.taker, PLACE, under, sum(under.values()))

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
    """The open draw table. Any player may draw at any time. It has no score and no clock."""

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

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """Return the state as JSON. Counts list every colour in the order of *state*, even those with 0 cubes."""
        return {
            "game": "draws",
            "inside": joint([state.inside], state.colours),
            "outside": state.outside,
            "draws": state.draws,
            "drawn": joint(state.drew.values(), state.colours),
            "players": {seat: _of(state, seat) for seat in state.seats},
            "table": _of(state, NOBODY),
            "tower": tower.view(state),
            "taker": state.taker or None,
            "back": state.back,
            "finished": state.finished,
        }

    def waited_for(self, state: State) -> tuple[str, ...]:
        """Return all players, since at an open table anyone may draw. After the end, return none."""
        return () if state.finished else state.seats

    def actor(self, state: State, line: Line) -> str | None:
        """Return the seat that acts with *line*, or None for the whole table.

        That is the player in the line. A draw without a player belongs to the player who has the ring.
        """
        if line.get("do") in ("correct", "finish", "undo"):
            return None
        player = line.get("player", state.taker if line.get("do") == "draw" else None)
        return player if isinstance(player, str) and player else None

    def standing(self, state: State) -> tuple[str, ...]:
        """Return lines for a terminal: the cubes inside, those that each player has drawn, those stuck in the tower."""
        lines = [f"Open draw table, {state.draws} draws", f"  inside: {_counted(state.inside)}"]
        for seat in (*state.seats, NOBODY):
            if seat or state.drew.get(seat):
                whose = f"{state.name_of(seat)} ({seat})" if seat else "the table"
                drew, holds = _counted(state.drew.get(seat, {})), _counted(state.holds.get(seat, {}))
                lines.append(f"  {whose}: drew {drew}; holds {holds}")
        if tower.view(state) is not None:
            lines.append(f"  stuck in the tower: {_counted(state.stuck)}")
        ended = self.result(state)
        return (*lines, "Open" if ended is None else str(ended.why))

    def result(self, state: State) -> Result | None:
        """Return the result, or None before the end. A draw table has no winners."""
        if not state.finished:
            return None
        why = said_n("Closed after %(num)s draw.", "Closed after %(num)s draws.", state.draws)
        return Result((), {}, why)


def _of(state: State, seat: str) -> dict[str, Any]:
    drawn, holds = (joint([counts.get(seat, {})], state.colours) for counts in (state.drew, state.holds))
    return {"drawn": drawn, "holds": holds}


def _counted(counts: Counts) -> str:
    return ", ".join(f"{count} {colour}" for colour, count in counts.items() if count) or "nothing"


GAME: Game[State, Command, Event] = DrawsGame()

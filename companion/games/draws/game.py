"""The open draw table as the rest of the house knows it: the `Game` protocol over these rules."""

from __future__ import annotations

from random import Random

from companion.games.draws import view as seen
from companion.games.draws.box import BOX
from companion.games.draws.buttons import CONSOLE
from companion.games.draws.commands import Command, Draw, line_of, parse
from companion.games.draws.cubes import not_none
from companion.games.draws.events import Event, pack, unpack
from companion.games.draws.evolve import evolve
from companion.games.draws.header import start
from companion.games.draws.ring import RING
from companion.games.draws.rules import VERSION, decide
from companion.games.draws.state import State
from companion.kernel.validation import Line
from companion.model.capabilities import Facts, RandomPlay, Speech
from companion.model.game import Game
from companion.model.game_defaults import GameDefaults
from companion.model.time_control import TimeControl


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

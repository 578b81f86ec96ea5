"""Die Kosmische Hanse as the rest of the house knows it: the `Game` protocol over these rules."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from companion.games.hanse import commands as asked
from companion.games.hanse import time_control as timed
from companion.games.hanse import view as seen
from companion.games.hanse.commands import Allow, Command, EndTurn, Neutralise, line_of, parse
from companion.games.hanse.events import Event, pack, unpack
from companion.games.hanse.evolve import evolve
from companion.games.hanse.hand import possible
from companion.games.hanse.header import setting_from
from companion.games.hanse.legal_moves import choices
from companion.games.hanse.places import PLANETS
from companion.games.hanse.rules import VERSION, decide
from companion.games.hanse.state import Phase, State, initial, waited_for
from companion.kernel.validation import Line
from companion.model.capabilities import Facts, LuckModel, RandomPlay, Speech
from companion.model.game import Game
from companion.model.game_defaults import GameDefaults
from companion.ports.console import Shape

# What a console's buttons mean: a card is answered, and a turn ends by one's own button, held.


class Buttons:
    """The console as Die Kosmische Hanse uses it."""

    lamps: Mapping[str, Shape] = {"answer": Shape.BREATH, "flip": Shape.DOUBLE}

    def by_button(self, state: State, seat: str | None, held: bool = False) -> Line | None:
        """Return the line that the button of *seat* means now, or the next button (None); None for nothing."""
        command = _meant(state, seat, held)
        return None if command is None else line_of(command)


def _meant(state: State, seat: str | None, held: bool) -> Command | None:
    """Their own button allows a card, the next one, held, discards another against it."""
    match state.phase:
        case Phase.ANSWER if seat is None:
            return Neutralise(waited_for(state)[0]) if held else None
        case Phase.ANSWER if seat in waited_for(state):
            return Allow(seat)
        case Phase.TURN if held and seat in waited_for(state):
            return EndTurn(seat)
        case _:
            return None


CONSOLE = Buttons()

IDLE_START = PLANETS[2]
"""Where the ships begin when whoever names the planet has left."""


class HanseGame(GameDefaults[State, Command]):
    """The rules of Die Kosmische Hanse behind the seam that table, ledger and pages share."""

    name = "hanse"
    rules = VERSION
    pace = timed.PACE
    console = CONSOLE

    @property
    def speech(self) -> Speech[State]:
        """What is said aloud of it."""
        from companion.games.hanse.tellings import TELLINGS  # a silent evening says nothing

        return TELLINGS

    @property
    def facts(self) -> Facts[State]:
        """What can be asked about it."""
        from companion.games.hanse.facts import FACTS  # most evenings ask nothing

        return FACTS

    @property
    def luck(self) -> LuckModel[State]:
        """How luck is told from play."""
        from companion.games.hanse.luck import LUCK  # asked after a game

        return LUCK

    @property
    def random_play(self) -> RandomPlay:
        """How it is played at random."""
        from companion.games.hanse.random_policy import RANDOM_PLAY  # no evening plays at random

        return RANDOM_PLAY

    parse = staticmethod(parse)
    line = staticmethod(line_of)
    decide = staticmethod(decide)
    evolve = staticmethod(evolve)
    pack = staticmethod(pack)
    unpack = staticmethod(unpack)
    choices = staticmethod(choices)
    waited_for = staticmethod(waited_for)
    step = staticmethod(seen.step)
    actor = staticmethod(timed.actor)
    view = staticmethod(seen.view)
    result = staticmethod(seen.result)
    standing = staticmethod(seen.standing)

    def start(self, header: Line) -> State:
        """Return the table before the goods are set out, or raise `Malformed`."""
        return initial(setting_from(header))

    def cast_lots(self, state: State, line: Line, lots: Random) -> Line:
        """Roll the die where a line asks for a roll without its dice, a 1 again."""
        if line.get("do") != "roll" or "dice" in line:
            return line
        dice = [lots.randint(1, 6)]
        while dice[-1] == 1:
            dice.append(lots.randint(1, 6))
        return {**line, "dice": dice}

    def by_itself(self, state: State, absent: frozenset[str]) -> Command | None:
        """Return the leave for a card that nobody can neutralise, or an absent seat's idlest command."""
        seat = next(iter(waited_for(state)), "")
        if state.played is not None and not possible(state.players[seat], state.played.card):
            return asked.Allow(seat)
        return _idle(state, seat) if seat in absent else None


def _idle(state: State, seat: str) -> Command | None:
    """Name what asks least of an empty seat; what lies on the table is left to the table."""
    match state.phase:
        case Phase.CHOICE:
            return asked.Choose(seat, "first")
        case Phase.PLANET:
            return asked.Start(seat, IDLE_START)
        case Phase.TURN:
            return asked.EndTurn(seat)
        case Phase.ANSWER:
            return asked.Allow(seat)
        case _:
            return None


GAME: Game[State, Command, Event] = HanseGame()

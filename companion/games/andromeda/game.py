"""Andromeda as the rest of the house knows it: the `Game` protocol over these rules."""

from __future__ import annotations

from random import Random

from companion.games.andromeda import commands as asked
from companion.games.andromeda import time_control as timed
from companion.games.andromeda import view as seen
from companion.games.andromeda.board import BOARD
from companion.games.andromeda.buttons import CONSOLE
from companion.games.andromeda.commands import Command, line_of, parse
from companion.games.andromeda.events import Event, pack, unpack
from companion.games.andromeda.evolve import evolve
from companion.games.andromeda.header import setting_from
from companion.games.andromeda.legal_moves import choices, idlest, legal
from companion.games.andromeda.ring import RING
from companion.games.andromeda.rules import VERSION, decide
from companion.games.andromeda.secrets import SECRETS
from companion.games.andromeda.state import Phase, State, initial
from companion.kernel.validation import Line
from companion.model.capabilities import Facts, LuckModel, RandomPlay, Speech
from companion.model.game import Game
from companion.model.game_defaults import GameDefaults


class AndromedaGame(GameDefaults[State, Command]):
    """The rules of Andromeda (1999) behind the seam that table, ledger and pages share."""

    name = "andromeda"
    rules = VERSION
    pace = timed.PACE
    ring = RING
    reveal = timed.REVEAL
    secrets = SECRETS
    board = BOARD
    console = CONSOLE

    @property
    def speech(self) -> Speech[State]:
        """What is said aloud of it."""
        from companion.games.andromeda.tellings import TELLINGS  # a silent evening says nothing

        return TELLINGS

    @property
    def facts(self) -> Facts[State]:
        """What can be asked about it."""
        from companion.games.andromeda.facts import FACTS  # most evenings ask nothing

        return FACTS

    @property
    def luck(self) -> LuckModel[State]:
        """How luck is told from play."""
        from companion.games.andromeda.luck import LUCK  # asked after a game

        return LUCK

    @property
    def random_play(self) -> RandomPlay:
        """How it is played at random."""
        from companion.games.andromeda.random_policy import RANDOM_PLAY  # no evening plays at random

        return RANDOM_PLAY

    # Not wrapped in methods: for a single draw they are asked some twenty times.
    parse = staticmethod(parse)
    line = staticmethod(line_of)
    decide = staticmethod(decide)
    evolve = staticmethod(evolve)
    pack = staticmethod(pack)
    unpack = staticmethod(unpack)
    choices = staticmethod(choices)
    waited_for = staticmethod(seen.waited_for)
    step = staticmethod(seen.step)
    actor = staticmethod(timed.actor)
    view = staticmethod(seen.view)
    result = staticmethod(seen.result)

    def start(self, header: Line) -> State:
        """Return the table before the first set-up card, or raise `Malformed`."""
        return initial(setting_from(header))

    def cast_lots(self, state: State, line: Line, lots: Random) -> Line:
        """Fill in which of two stations stays out, and the colour of a virtual draw."""
        if line.get("do") == "double_exit" and "out" not in line and state.options.double_exit == "random_of_two":
            colours = line.get("colours")
            if isinstance(colours, list | tuple) and colours:
                return {**line, "out": lots.choice(list(colours))}
        wanted = seen.wanted(state)
        if line.get("do") == "draw" and "colour" not in line and wanted is not None:
            under = [colour for colour, count in wanted.under.items() for _ in range(count)]
            return {**line, "colour": lots.choice(under)}
        return line

    def by_itself(self, state: State, absent: frozenset[str]) -> Command | None:
        """Return a pass without transport cards, a keep that no longer matters, or an absent seat's idlest command."""
        if state.phase is Phase.TRANSPORT and not state.players[state.turn].transport:
            return asked.Transport(state.turn, "pass")
        if state.trading and state.trading.partner and len(state.trading.sets) == 1:
            return asked.Keep(state.trading.partner)
        if not absent:
            return None
        idle = (command for seat in seen.waited_for(state) if seat in absent for command in idlest(state, seat))
        return next((command for command in idle if legal(state, command)), None)

    def standing(self, state: State) -> tuple[str, ...]:
        """Return round and phase, each player's points, and who is waited for or has won."""
        return seen.standing(state)


GAME: Game[State, Command, Event] = AndromedaGame()

"""The wreck as a `Game`: its rules, console, views and clocks, as the rest of the program uses them."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from companion.games.wreck import contamination, offers, rounds
from companion.games.wreck import view as seen
from companion.games.wreck.box import BOX
from companion.games.wreck.header import setting_from
from companion.games.wreck.rules import CODEC, PARSER, VERSION, Command, Event, choices, decide, evolve, idlest
from companion.games.wreck.state import Phase, State, initial
from companion.kernel.fields import Line
from companion.model.capabilities import Facts, LuckModel, RandomPlay, Speech
from companion.model.clock import Limit, Strictness, TimeBank, TimeControl, TimeGain
from companion.model.game import Game, GameDefaults, player_of
from companion.ports.console import Shape

_SECONDS = {"offer": 60, "answer": 20, "turn": 180}
BANK = TimeBank(Strictness.GENTLE, 15 * 60, TimeGain.INCREMENT, 5, tuple(_SECONDS))
"""Time banks of 15 minutes: at most an hour for four players.

A player has up to seven turns and many short answers, so each step adds some time to the bank.
"""
PACE = TimeControl(
    {name: Limit(Strictness.GENTLE, seconds) for name, seconds in _SECONDS.items()}
    | {"cleanup": Limit(Strictness.OFF, 60)},
    bank=BANK,
)
"""Offers, answers and turns have gentle limits. The clean-up has none by default, but may get one."""


def actor(state: State, line: Line) -> str | None:
    """Return the seat that acts with *line*. The starting player opens missions."""
    return state.starter if line.get("do") == "open" else player_of(line)


# The console's buttons: a player passes an offer on with their own button, or ends the turn by holding it.


class Buttons:
    """The console of the wreck. An offer cannot be accepted with a button, since that needs the choice of a die."""

    lamps: Mapping[str, Shape] = {"offer": Shape.DOUBLE, "answer": Shape.BREATH}

    def by_button(self, state: State, seat: str | None, held: bool = False) -> Line | None:
        """Return the line for a press of the button of *seat* now, or of the "next" button if *seat* is None.

        Return None if the button has no effect.
        """
        command = offers.button(state, seat) or rounds.button(state, seat, held)
        return None if command is None else PARSER.line_of(command)


CONSOLE = Buttons()


class WreckGame(GameDefaults[State, Command]):
    """The rules of the wreck (2015), as the rest of the program uses them."""

    name = "wreck"
    rules = VERSION
    pace = PACE
    console = CONSOLE
    board = BOX

    @property
    def speech(self) -> Speech[State]:
        """The sentences that are said aloud. They are imported when first used: many tables are silent."""
        from companion.games.wreck.tellings import TELLINGS

        return TELLINGS

    @property
    def facts(self) -> Facts[State]:
        """The questions that can be asked. They are imported when first used."""
        from companion.games.wreck.facts import FACTS

        return FACTS

    @property
    def luck(self) -> LuckModel[State]:
        """The model that separates luck from play. It is imported when first used, which is after a game."""
        from companion.games.wreck.luck import LUCK

        return LUCK

    @property
    def random_play(self) -> RandomPlay:
        """Random play, for simulations. It is imported when first used."""
        from companion.games.wreck.random_policy import RANDOM_PLAY

        return RANDOM_PLAY

    # These functions are not wrapped in methods, since a single command calls them many times.
    parse = staticmethod(PARSER.parse)
    line = staticmethod(PARSER.line_of)
    decide = staticmethod(decide)
    evolve = staticmethod(evolve)
    pack = staticmethod(CODEC.pack)
    unpack = staticmethod(CODEC.unpack)
    choices = staticmethod(choices)
    waited_for = staticmethod(seen.waited_for)
    step = staticmethod(seen.step)
    actor = staticmethod(actor)
    view = staticmethod(seen.view)
    standing = staticmethod(seen.standing)
    result = staticmethod(seen.result)

    def start(self, header: Line) -> State:
        """Return the state before the first general mission is opened, or raise `Malformed`."""
        return initial(setting_from(header))

    def cast_lots(self, state: State, line: Line, lots: Random) -> Line:
        """Return *line*. If it is a roll without results, roll the dice.

        All symbols are equally likely, since the symbols on the faces of a real die are not known.
        """
        return offers.cast_lots(state, line, lots)

    def by_itself(self, state: State, absent: frozenset[str]) -> Command | None:
        """Return a command that needs no decision, or None.

        The command resolves contamination that can't remove any researcher, or has the least effect for an *absent*
        seat.
        """
        if state.phase is Phase.TURNS and contamination.loses_nobody(state):
            return contamination.idlest(state, state.turn)
        waiting = [colour for colour in seen.waited_for(state) if colour in absent]
        return idlest(state, waiting[0]) if waiting else None


GAME: Game[State, Command, Event] = WreckGame()

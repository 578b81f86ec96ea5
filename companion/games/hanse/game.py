"""Die Kosmische Hanse as a `Game`: its rules, console, views and clocks, as the rest of the program uses them."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.hanse import view as seen
from companion.games.hanse.facts import FACTS
from companion.games.hanse.flight import cast_lots
from companion.games.hanse.interventions import Allow, Neutralise
from companion.games.hanse.places import PLANETS
from companion.games.hanse.rules import CODEC, PARSER, TELLINGS, VERSION, Command, Event, choices, decide, evolve
from companion.games.hanse.setup import Choose, Start, setting_from
from companion.games.hanse.state import Phase, State, initial, waited_for
from companion.games.hanse.turns import EndTurn
from companion.kernel.fields import Line
from companion.model.capabilities import LuckModel, RandomPlay
from companion.model.clock import Limit, Strictness, TimeBank, TimeControl, TimeGain
from companion.model.game import Game, GameDefaults, player_of
from companion.ports.console import Shape

_SECONDS = {"turn": 120, "answer": 15}
_IF_WANTED = {"choice": 30, "planet": 30, "flip": 45}
BANK = TimeBank(Strictness.GENTLE, 25 * 60, TimeGain.INCREMENT, 5, (*_SECONDS, "choice", "planet"))
"""Turning over goods uses no player's time, since the table only types in what the cards show."""
PACE = TimeControl(
    {name: Limit(Strictness.GENTLE, seconds) for name, seconds in _SECONDS.items()}
    | {name: Limit(Strictness.OFF, seconds) for name, seconds in _IF_WANTED.items()},
    bank=BANK,
)
"""Turns and answers to interventions have gentle limits. The other steps have none by default, but may get one."""


def actor(state: State, line: Line) -> str | None:
    """Return the seat that acts with *line*. The goods are set out by the whole table."""
    return player_of(line, nobodys=("goods",))


# The console's buttons: a player allows a card with their own button, and ends the turn by holding it.


class Buttons:
    """The console of Die Kosmische Hanse."""

    lamps: Mapping[str, Shape] = {"answer": Shape.BREATH, "flip": Shape.DOUBLE}

    def by_button(self, state: State, seat: str | None, held: bool = False) -> Line | None:
        """Return the line for a press of the button of *seat* now, or of the "next" button if *seat* is None.

        Return None if the button has no effect.
        """
        command = _meant(state, seat, held)
        return None if command is None else PARSER.line_of(command)


def _meant(state: State, seat: str | None, held: bool) -> Command | None:
    """The opponent's own button allows an intervention. Holding "next" neutralises it."""
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
"""The planet on which both ships start if the player who must name it has left."""


class HanseGame(GameDefaults[State, Command]):
    """The rules of Die Kosmische Hanse, as the rest of the program uses them."""

    name = "hanse"
    rules = VERSION
    pace = PACE
    console = CONSOLE
    speech = TELLINGS
    facts = FACTS

    @property
    def luck(self) -> LuckModel[State]:
        """The model that separates luck from play. It is imported when first used, which is after a game."""
        from companion.games.hanse.luck import LUCK

        return LUCK

    @property
    def random_play(self) -> RandomPlay:
        """Random play, for simulations. It is imported when first used."""
        from companion.games.hanse.random_policy import RANDOM_PLAY

        return RANDOM_PLAY

    parse = staticmethod(PARSER.parse)
    line = staticmethod(PARSER.line_of)
    decide = staticmethod(decide)
    evolve = staticmethod(evolve)
    pack = staticmethod(CODEC.pack)
    unpack = staticmethod(CODEC.unpack)
    choices = staticmethod(choices)
    cast_lots = staticmethod(cast_lots)
    waited_for = staticmethod(waited_for)
    step = staticmethod(seen.step)
    actor = staticmethod(actor)
    view = staticmethod(seen.view)
    result = staticmethod(seen.result)
    standing = staticmethod(seen.standing)

    def start(self, header: Line) -> State:
        """Return the state before the goods are set out, or raise `Malformed`."""
        return initial(setting_from(header))

    def by_itself(self, state: State, absent: frozenset[str]) -> Command | None:
        """Return a command that needs no decision, or None.

        The command allows an intervention that nobody can neutralise, or has the least effect for an *absent* seat.
        """
        seat = next(iter(waited_for(state)), "")
        if state.played is not None and not state.players[seat].may_hold(state.played.card):
            return Allow(seat)
        return _idle(state, seat) if seat in absent else None


def _idle(state: State, seat: str) -> Command | None:
    """Return the command with the least effect for an absent *seat*, or None.

    The players at the table set out and turn over goods themselves.
    """
    match state.phase:
        case Phase.CHOICE:
            return Choose(seat, "first")
        case Phase.PLANET:
            return Start(seat, IDLE_START)
        case Phase.TURN:
            return EndTurn(seat)
        case Phase.ANSWER:
            return Allow(seat)
        case _:
            return None


GAME: Game[State, Command, Event] = HanseGame()

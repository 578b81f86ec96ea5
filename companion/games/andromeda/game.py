"""Andromeda as a `Game`: its rules, console, ring, views and clocks, as the rest of the program uses them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from companion.games.andromeda import actions, rounds, swaps, trading, transport
from companion.games.andromeda import view as seen
from companion.games.andromeda.attempt import DoubleExit, Draw
from companion.games.andromeda.board import BOARD
from companion.games.andromeda.corrections import redrawn
from companion.games.andromeda.header import setting_from
from companion.games.andromeda.rules import (
    VERSION,
    Command,
    Event,
    choices,
    decide,
    evolve,
    idlest,
    legal,
    line_of,
    pack,
    parse,
    unpack,
)
from companion.games.andromeda.secrets import SECRETS
from companion.games.andromeda.state import Phase, State, initial, label_of, stations_on
from companion.games.andromeda.trading import Lay, answering, laying, must_lay
from companion.games.andromeda.view import wanted
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.model.capabilities import Facts, LuckModel, RandomPlay, RingWords, Speech
from companion.model.clock import Limit, Strictness, TimeBank, TimeControl, TimeGain
from companion.model.game import Game, GameDefaults, player_of
from companion.ports.console import Shape

_SECONDS = {"lay": 20, "answer": 30, "decide": 20, "keep": 10, "trade": 20}
_IF_WANTED = {"transport": 30, "actions": 180, "trading": 180}
BANK = TimeBank(Strictness.GENTLE, 15 * 60, TimeGain.INCREMENT, 5, (*_SECONDS, "transport", "actions"))
"""The box says one hour: 15 minutes each for four players.

Trading has many short steps, so each step adds some time to the bank.
"""
PACE = TimeControl(
    {name: Limit(Strictness.GENTLE, seconds) for name, seconds in _SECONDS.items()}
    | {name: Limit(Strictness.OFF, seconds) for name, seconds in _IF_WANTED.items()},
    bank=BANK,
)
"""Steps of the trading phase have gentle limits.

Transport, turns and unrecorded trading have none by default, but may get one.
"""


class TradingTimeControl:
    """The cards of a trading phase that are face down until all players have laid theirs."""

    def together(self, state: State) -> tuple[str, ...]:
        """Return the players who still have to lay a card face down. The result is empty if trades are not recorded."""
        if state.phase is not Phase.TRADING or state.options.trade_record == "off":
            return ()
        return must_lay(state)

    def face_down(self, state: State, seat: str) -> Line:
        """Return the line with which *seat* lays a card without naming it."""
        return line_of(Lay(seat, None))

    def turning(self, state: State) -> tuple[str, ...]:
        """Return all players whose cards are turned over: all except the starting player and those who sit out."""
        return () if state.trading is None else answering(state)

    def turned_over(self, before: State, after: State) -> bool:
        """Return whether the last missing card was laid, so that all cards are turned over."""
        if after.phase is not Phase.TRADING or not self.together(before):
            return False
        return not self.together(after) and laying(after)


REVEAL = TradingTimeControl()


def actor(state: State, line: Line) -> str | None:
    """Return the seat that acts with *line*, or None for the whole table.

    A draw belongs to the player of the attempt, a deal to the starting player.
    """
    match line.get("do"):
        case "draw" | "double_exit":
            return state.attempt.player if state.attempt else None
        case "deal" | "end_trading":
            return state.starter
        case str():
            return player_of(line)
        case _:
            return None


# The console's buttons and their meaning in each phase: one button for each seat, and one "next" button.


class Buttons:
    """The console of Andromeda."""

    lamps: Mapping[str, Shape] = {
        "transport": Shape.DOUBLE,
        **dict.fromkeys(("lay", "answer", "decide", "keep", "trade", "trading"), Shape.BREATH),
    }

    def by_button(self, state: State, seat: str | None, held: bool = False) -> Line | None:
        """Return the line for a press of the button of *seat* now, or of the "next" button if *seat* is None.

        None means that the button has no effect now. The line may still be refused. Commands that players might regret,
        such as the end of a turn, need a *held* button.
        """
        command = _meant(state, seat, held)
        return None if command is None else line_of(command)


CONSOLE = Buttons()


def _meant(state: State, seat: str | None, held: bool) -> Command | None:
    """Ask each chapter of the rules, since at most one of them has a command for the button now."""
    found = (chapter.button(state, seat, held) for chapter in (rounds, transport, trading, swaps, actions))
    return next((command for command in found if command is not None), None)


# The use of a ring: stations that leave it are the draws of an attempt.


class PlanetRing:
    """The ring over a planet."""

    words = RingWords()
    wanted = staticmethod(wanted)
    label = staticmethod(label_of)
    stations = staticmethod(stations_on)

    arrived = said("Yes, from Earth")
    in_attempts = True
    colours = ("red", "yellow", "green", "blue", "black")

    def out(self, line: Line) -> tuple[str, ...]:
        """Return the colours of the stations that left the ring in *line*: one for a draw, two for a double exit."""
        match line["do"]:
            case "draw":
                return (str(line["colour"]),)
            case "double_exit":
                return tuple(line["colours"])
            case _:
                return ()

    def may_draw(self, state: State) -> bool:
        """Return whether the table allows the program to draw by lot."""
        return state.options.virtual_ring

    def went_back(self, line: Line) -> bool:
        """Return whether *line* is a double exit after which at least one station went back."""
        return bool(line["do"] == "double_exit")

    def in_play(self, state: State) -> tuple[str, ...]:
        """Return the players' colours."""
        return state.colours

    def draw(self, colour: str) -> Draw:
        """Return the command for one station of *colour* that left the ring."""
        return Draw(colour)

    def two_out(self, state: State, colours: tuple[str, str]) -> Line:
        """Return the line for two stations that left at once. Which of them counts is chosen later."""
        return line_of(DoubleExit(colours))

    def redrawn(self, state: State, seat: str, place: str, drawn: str, really: str) -> tuple[Line, ...]:
        """Return the corrections that put the station *drawn* back on the planet, and *really* in its right place."""
        return tuple(line_of(command) for command in redrawn(state, seat, place, drawn, really))


RING = PlanetRing()

FORCED: Mapping[Phase, Callable[[State], Command | None]] = {
    Phase.TRANSPORT: transport.forced,
    Phase.TRADING: swaps.forced,
}
"""The phases in which a command may need no decision."""


class AndromedaGame(GameDefaults[State, Command]):
    """The rules of Andromeda (1999), as the rest of the program uses them."""

    name = "andromeda"
    rules = VERSION
    pace = PACE
    ring = RING
    reveal = REVEAL
    secrets = SECRETS
    board = BOARD
    console = CONSOLE

    @property
    def speech(self) -> Speech[State]:
        """The sentences that are said aloud. They are imported when first used: many tables are silent."""
        from companion.games.andromeda.tellings import TELLINGS

        return TELLINGS

    @property
    def facts(self) -> Facts[State]:
        """The questions that can be asked. They are imported when first used."""
        from companion.games.andromeda.facts import FACTS

        return FACTS

    @property
    def luck(self) -> LuckModel[State]:
        """The model that separates luck from play. It is imported when first used, which is after a game."""
        from companion.games.andromeda.luck import LUCK

        return LUCK

    @property
    def random_play(self) -> RandomPlay:
        """Random play, for simulations. It is imported when first used."""
        from companion.games.andromeda.random_policy import RANDOM_PLAY

        return RANDOM_PLAY

    # These functions are not wrapped in methods, since a single draw calls them about twenty times.
    parse = staticmethod(parse)
    line = staticmethod(line_of)
    decide = staticmethod(decide)
    evolve = staticmethod(evolve)
    pack = staticmethod(pack)
    unpack = staticmethod(unpack)
    choices = staticmethod(choices)
    waited_for = staticmethod(seen.waited_for)
    step = staticmethod(seen.step)
    actor = staticmethod(actor)
    view = staticmethod(seen.view)
    result = staticmethod(seen.result)

    def start(self, header: Line) -> State:
        """Return the state before the first set-up card, or raise `Malformed`."""
        return initial(setting_from(header))

    def cast_lots(self, state: State, line: Line, lots: Random) -> Line:
        """Return *line* with random choices added: which of two stations counts, or the colour of a virtual draw."""
        if line.get("do") == "double_exit" and "out" not in line and state.options.double_exit == "random_of_two":
            colours = line.get("colours")
            if isinstance(colours, list | tuple) and colours:
                return {**line, "out": lots.choice(list(colours))}
        if line.get("do") != "draw" or "colour" in line:
            return line
        wanted = seen.wanted(state)
        if wanted is not None:
            under = [colour for colour, count in wanted.under.items() for _ in range(count)]
            return {**line, "colour": lots.choice(under)}
        return line

    def by_itself(self, state: State, absent: frozenset[str]) -> Command | None:
        """Return a command that needs no decision, or None.

        It is a pass of a player without transport cards, a keep if nobody is left to swap with, or for an *absent* seat
        the legal command with the least effect.
        """
        forced = FORCED[state.phase](state) if state.phase in FORCED else None
        if forced or not absent:
            return forced
        idle = (command for seat in seen.waited_for(state) if seat in absent for command in idlest(state, seat))
        return next((command for command in idle if legal(state, command)), None)

    def standing(self, state: State) -> tuple[str, ...]:
        """Return lines for a terminal: round and phase, each player's points, and who must act or has won."""
        return seen.standing(state)


GAME: Game[State, Command, Event] = AndromedaGame()

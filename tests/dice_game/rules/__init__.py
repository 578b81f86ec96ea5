"""A race with one die: roll as often as you dare, hold to keep the pips; a one loses all pips of the turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, assert_never

from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Fields, Line
from companion.kernel.said import said
from companion.model import parser
from companion.model.clock import Limit, Step, Strictness, TimeBank, TimeControl, TimeGain
from companion.model.game import Game, Result, Seat, Viewer

SHARED = ("record", "version", "game", "at", "via", "note")
PIPS = range(1, 7)
GOAL = 12
Pips = parser.Whole(1, 6)
NAMES = {"red": "Ana", "blue": "Ben", "green": "Cem", "purple": "Dora"}


@dataclass(frozen=True)
class Roll(parser.Line, do="roll"):
    """Throw the die; *pips* is the result, or None before the die is thrown."""

    player: parser.Seat
    pips: Annotated[int | None, Pips] = None


@dataclass(frozen=True)
class Hold(parser.Line, do="hold"):
    """Keep the pips of the turn."""

    player: parser.Seat


@dataclass(frozen=True)
class Rolled:
    """The die showed *pips*."""

    pips: Annotated[int, Pips]


@dataclass(frozen=True)
class Held:
    """The turn's pips were kept."""


Command = Roll | Hold
Event = Rolled | Held
PARSER: parser.Parser[Command] = parser.Parser.of(Command)
CODEC: parser.EventCodec[Any, Event] = parser.EventCodec.of(Event, lambda state, event: not state.won)


@dataclass(frozen=True)
class State:
    """The players, the pips that each has kept, the turn's number (from 0), and the turn's pips so far."""

    players: tuple[Seat, ...]
    kept: Mapping[str, int]
    turn: int = 0
    pending: int = 0

    @property
    def mover(self) -> str:
        """The player whose turn it is."""
        return self.players[self.turn % len(self.players)].colour

    @property
    def won(self) -> str:
        """The player who has reached the goal, or an empty string if nobody has."""
        return next((colour for colour, pips in self.kept.items() if pips >= GOAL), "")


class RandomDice:
    """How a race is played with random moves."""

    players = (2, 3, 4)

    def header(self, players: int, lots: Random, any_rulings: bool) -> Line:
        """Return a header for this number of players."""
        return {"players": [{"colour": each, "name": NAMES[each]} for each in list(NAMES)[:players]]}

    def command(self, state: State, lots: Random) -> Command:
        """Roll until the turn has brought more than four pips, then hold."""
        return Hold(state.mover) if state.pending > 4 else Roll(state.mover, lots.choice(PIPS))

    def broken(self, state: State) -> tuple[str, ...]:
        """Return the invariants that *state* breaks."""
        return ("pips below nought",) if min(state.kept.values()) < 0 else ()

    def rounds(self, state: State) -> int:
        """Return the number of the round."""
        return state.turn // len(state.players) + 1


class Dice:
    """The race as a `Game`: the members that every game needs, and only one of the optional ones, random play."""

    name = "dice"
    rules = "dice-1"
    pace = TimeControl(
        {"throw": Limit(Strictness.GENTLE, 20)}, bank=TimeBank(Strictness.GENTLE, 120, TimeGain.DELAY, 3, ("throw",))
    )
    ring = None
    open_draws = None
    reveal = None
    secrets = None
    board = None
    console = None
    speech = None
    facts = None
    luck = None
    random_play = RandomDice()

    def start(self, header: Line) -> State:
        """Return the state before the first roll."""
        fields = Fields({name: value for name, value in header.items() if name not in SHARED})
        rows = fields.list("players")
        fields.nothing_else()
        seats = tuple(Seat(str(row["colour"]), str(row["name"])) for row in rows)
        if len({seat.colour for seat in seats}) not in self.random_play.players:
            raise Malformed(said("The race is for two to four."))
        return State(seats, {seat.colour: 0 for seat in seats})

    def seats(self, state: State) -> tuple[Seat, ...]:
        """Return the seats, clockwise."""
        return state.players

    def parse(self, line: Line) -> Command:
        """Return the command of a line."""
        return PARSER.parse(line)

    def line(self, command: Command) -> Line:
        """Return the line of a command."""
        return PARSER.line_of(command)

    def cast_lots(self, state: State, line: Line, lots: Random) -> Line:
        """Throw the die for a roll without pips."""
        return {**line, "pips": lots.choice(PIPS)} if line.get("do") == "roll" and "pips" not in line else line

    def decide(self, state: State, command: Command) -> tuple[Event, ...]:
        """Return the events of *command*, or refuse it."""
        if state.won:
            raise Refused(said("The race is over."))
        if command.player != state.mover:
            raise Refused(said("It is not your turn."))
        match command:
            case Roll(_, pips):
                return (Rolled(pips or 1),)
            case Hold():
                return (Held(),)
            case _:
                assert_never(command)

    def evolve(self, state: State, event: Event) -> State:
        """Return the state after *event*."""
        match event:
            case Rolled(1):
                return replace(state, turn=state.turn + 1, pending=0)
            case Rolled(pips):
                return replace(state, pending=state.pending + pips)
            case Held():
                kept = {**state.kept, state.mover: state.kept[state.mover] + state.pending}
                return replace(state, kept=kept, turn=state.turn + 1, pending=0)
            case _:
                assert_never(event)

    def pack(self, event: Event) -> Line:
        """Return an event as JSON."""
        return CODEC.pack(event)

    def unpack(self, line: Line, state: State) -> Event:
        """Return the event that `pack` has packed."""
        return CODEC.unpack(line, state)

    def choices(self, state: State, seat: str) -> tuple[Command, ...]:
        """Return the commands that *seat* may give."""
        return () if state.won or seat != state.mover else (Roll(seat), Hold(seat))

    def by_itself(self, state: State, absent: frozenset[str]) -> Command | None:
        """Hold for a player who has left."""
        return Hold(state.mover) if state.mover in absent and not state.won else None

    def waited_for(self, state: State) -> tuple[str, ...]:
        """Return the player whose turn it is."""
        return () if state.won else (state.mover,)

    def step(self, state: State) -> Step | None:
        """Return the turn as a step of the clock."""
        return None if state.won else Step("throw", (state.mover,), (state.turn,))

    def actor(self, state: State, line: Line) -> str | None:
        """Return the player to whom *line* belongs, or None."""
        player = line.get("player")
        return player if isinstance(player, str) else None

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """Return the state as JSON: nothing is hidden here."""
        return {"kept": dict(state.kept), "turn": state.mover, "pending": state.pending}

    def standing(self, state: State) -> tuple[str, ...]:
        """Return the pips that each player has kept."""
        return tuple(f"{seat.name}: {state.kept[seat.colour]}" for seat in state.players)

    def result(self, state: State) -> Result | None:
        """Return the winner and the points."""
        names = {seat.colour: seat.name for seat in state.players}
        won = state.won
        return Result((won,), dict(state.kept), said("%(name)s is first.", name=names[won])) if won else None


GAME: Game[State, Command, Event] = Dice()

"""A race with one die: roll as often as you dare, hold to keep it, and a one takes all of the turn away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, assert_never

from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Fields, Line
from companion.kernel.i18n import said
from companion.model import event_codec, forms, parser
from companion.model.game import Game, Result, Seat, Step, Viewer
from companion.model.strictness import Strictness
from companion.model.time_bank import TimeBank, TimeGain
from companion.model.time_control import Limit, TimeControl

SHARED = ("record", "version", "game", "at", "via", "note")
PIPS = range(1, 7)
GOAL = 12
Pips = forms.Whole(1, 6)
NAMES = {"red": "Ana", "blue": "Ben", "green": "Cem", "purple": "Dora"}


@dataclass(frozen=True)
class Roll(parser.Line, do="roll"):
    """Throw the die; *pips* is what it shows, None until the lot is cast."""

    player: forms.Seat
    pips: Annotated[int | None, Pips] = None


@dataclass(frozen=True)
class Hold(parser.Line, do="hold"):
    """Keep what the turn has brought."""

    player: forms.Seat


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
CODEC: event_codec.EventCodec[Any, Event] = event_codec.EventCodec.of(Event, lambda state, event: not state.won)


@dataclass(frozen=True)
class State:
    """Who plays, what each has kept, whose turn it is (counted from 0) and what lies before them."""

    players: tuple[Seat, ...]
    kept: Mapping[str, int]
    turn: int = 0
    pending: int = 0

    @property
    def mover(self) -> str:
        """Whose turn it is."""
        return self.players[self.turn % len(self.players)].colour

    @property
    def won(self) -> str:
        """Who has reached the goal, nobody while none has."""
        return next((colour for colour, pips in self.kept.items() if pips >= GOAL), "")


class RandomDice:
    """How the race is run at random."""

    players = (2, 3, 4)

    def header(self, players: int, lots: Random, any_rulings: bool) -> Line:
        """Return a header for so many."""
        return {"players": [{"colour": each, "name": NAMES[each]} for each in list(NAMES)[:players]]}

    def command(self, state: State, lots: Random) -> Command:
        """Roll until a few pips lie there."""
        return Hold(state.mover) if state.pending > 4 else Roll(state.mover, lots.choice(PIPS))

    def broken(self, state: State) -> tuple[str, ...]:
        """Return what cannot be."""
        return ("pips below nought",) if min(state.kept.values()) < 0 else ()

    def rounds(self, state: State) -> int:
        """Return the round."""
        return state.turn // len(state.players) + 1


class Dice:
    """The race behind the seam: the core and random play, and nothing else of what a game may ask for."""

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
        """Return the table before the first roll."""
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
        """Throw the die."""
        return {**line, "pips": lots.choice(PIPS)} if line.get("do") == "roll" and "pips" not in line else line

    def decide(self, state: State, command: Command) -> tuple[Event, ...]:
        """Answer with what happens."""
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
        """Return what `pack` gave."""
        return CODEC.unpack(line, state)

    def choices(self, state: State, seat: str) -> tuple[Command, ...]:
        """Return what *seat* may do."""
        return () if state.won or seat != state.mover else (Roll(seat), Hold(seat))

    def by_itself(self, state: State, absent: frozenset[str]) -> Command | None:
        """Hold for whoever has left, while somebody is there."""
        away = state.mover in absent and len(absent) < len(state.players) and not state.won
        return Hold(state.mover) if away else None

    def waited_for(self, state: State) -> tuple[str, ...]:
        """Return whose turn it is."""
        return () if state.won else (state.mover,)

    def step(self, state: State) -> Step | None:
        """Return the turn."""
        return None if state.won else Step("throw", (state.mover,), (state.turn,))

    def actor(self, state: State, line: Line) -> str | None:
        """Return who acts."""
        player = line.get("player")
        return player if isinstance(player, str) else None

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """Return the state as JSON: nothing is hidden here."""
        return {"kept": dict(state.kept), "turn": state.mover, "pending": state.pending}

    def standing(self, state: State) -> tuple[str, ...]:
        """Return the pips that each has kept."""
        return tuple(f"{seat.name}: {state.kept[seat.colour]}" for seat in state.players)

    def result(self, state: State) -> Result | None:
        """Return who has won."""
        names = {seat.colour: seat.name for seat in state.players}
        won = state.won
        return Result((won,), dict(state.kept), said("%(name)s is first.", name=names[won])) if won else None


GAME: Game[State, Command, Event] = Dice()

"""What the table, the ledger and the pages know of a game, whichever game it is.

Three boxes with different phases share this seam. A game is a set of pure
functions over frozen values; it never reads, writes, draws lots or asks for
the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from random import Random
from typing import Any, Protocol, TypeVar

from companion.kernel.validation import Line
from companion.kernel.values import dataclass
from companion.model.capabilities import (
    ConsoleUse,
    Facts,
    LuckModel,
    OpenDraws,
    PrintedBoard,
    RandomPlay,
    RingDraws,
    RingWords,
    Secrets,
    SimultaneousReveal,
    Speech,
    Wanted,
)
from companion.model.capabilities import Viewer as Viewer
from companion.model.time_control import TimeControl

State = TypeVar("State")
Command = TypeVar("Command")
Event = TypeVar("Event")


@dataclass(frozen=True)
class Seat:
    """One place at the table, in clockwise order: a colour of the box and a name."""

    colour: str
    name: str


@dataclass(frozen=True)
class Step:
    """A stretch of play that a clock can hang on; a new value is a new step.

    *name* is the game's word for it, *seats* who is on the move, *mark* what
    tells two steps of the same name apart (round, number of the card).
    """

    name: str
    seats: tuple[str, ...]
    mark: tuple[int, ...] = ()


@dataclass(frozen=True)
class Result:
    """How a game ended: colours that won, totals by colour, why in one sentence, and who moved *first* in it."""

    winners: tuple[str, ...]
    totals: Mapping[str, int] = field(default_factory=dict)
    why: str = ""
    first: str | None = None


class Game(Protocol[State, Command, Event]):
    """A game as the rest of the house knows it.

    Lines are what people and files say (`do` and its fields); commands are
    lines understood; events are what happened. `decide` may refuse, `evolve`
    never does, and the state is nothing but the fold of the events. What only
    some games need lies beside it: *ring*, *open_draws*, *reveal*, *secrets*, *board*, *console*,
    *speech*, *facts*, *luck* and *random_play* are None for a game that asks for nothing of the kind.
    """

    @property
    def name(self) -> str:
        """The word for the game in a record's header."""

    @property
    def rules(self) -> str:
        """The version of these rules, stored beside every game played by them."""

    @property
    def ring(self) -> RingDraws[State, Command] | None:
        """What is drawn from a ring."""

    @property
    def open_draws(self) -> OpenDraws[State] | None:
        """What is drawn from bags and through towers."""

    @property
    def reveal(self) -> SimultaneousReveal[State] | None:
        """What is laid face down and turned over by all at once."""

    @property
    def secrets(self) -> Secrets[State] | None:
        """What is hidden from whom."""

    @property
    def board(self) -> PrintedBoard | None:
        """What is printed on the board of a copy."""

    @property
    def console(self) -> ConsoleUse[State] | None:
        """What buttons and lamps at the table mean."""

    @property
    def speech(self) -> Speech[State] | None:
        """What is said aloud of it."""

    @property
    def facts(self) -> Facts[State] | None:
        """What can be asked about it, and the answers."""

    @property
    def luck(self) -> LuckModel[State] | None:
        """How luck is told from play."""

    @property
    def random_play(self) -> RandomPlay | None:
        """How it is played at random, to be simulated."""

    def start(self, header: Line) -> State:
        """Return the state before the first command, or raise `Malformed`.

        Every header has `players`, a list of colour and name for each seat: lists and pages read it of any game.
        """

    def seats(self, state: State) -> tuple[Seat, ...]:
        """Return the seats, clockwise."""

    def parse(self, line: Line) -> Command:
        """Return the command a record line asks for, or raise `Malformed`."""

    def line(self, command: Command) -> Line:
        """Return the record line of a command: `parse` of it gives the command back."""

    def cast_lots(self, state: State, line: Line, lots: Random) -> Line:
        """Return *line* with what chance decides filled in, so that a replay needs no lots."""

    def decide(self, state: State, command: Command) -> tuple[Event, ...]:
        """Answer *command* with what happens, or raise `Refused` with the rule it breaks."""

    def evolve(self, state: State, event: Event) -> State:
        """Return the state after *event*; never refuses."""

    def pack(self, event: Event) -> Line:
        """Return *event* as JSON for the ledger."""

    def unpack(self, line: Line, state: State) -> Event:
        """Return the event that `pack` gave, if `evolve` can take it in *state*; raises `Malformed` for anything else.

        What it reads has lain on a card for years: each field is looked at.
        """

    def choices(self, state: State, seat: str) -> tuple[Command, ...]:
        """Return every legal command of *seat* now, unnamed variants left out."""

    def by_itself(self, state: State, absent: frozenset[str]) -> Command | None:
        """Return the command the companion gives by itself now, or None.

        Only what leaves nobody a choice, and the idlest legal command of a
        seat in *absent*, whose player has left the table.
        """

    def waited_for(self, state: State) -> tuple[str, ...]:
        """Return the colours the table waits for."""

    def step(self, state: State) -> Step | None:
        """Return the step a clock can hang on, or None when nothing is waited for."""

    @property
    def pace(self) -> TimeControl:
        """The clocks of this game as it comes out of the box; its limits name every step that can have one."""

    def actor(self, state: State, line: Line) -> str | None:
        """Return the seat whose act *line* would be, None for what is nobody's own: corrections, undo."""

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """Return the state as JSON (the record's final state), what is hidden from *viewer* left out."""

    def standing(self, state: State) -> tuple[str, ...]:
        """Return how things stand in a few lines for a terminal, each player's points among them."""

    def result(self, state: State) -> Result | None:
        """Return how it ended, or None while it is being played."""


AnyGame = Game[Any, Any, Any]


def draw_wanted(game: AnyGame, state: Any) -> Wanted | None:
    """Return the draw that *game* wants from the ring in *state*, None where none is or no ring is used."""
    return None if game.ring is None else game.ring.wanted(state)


def ring_of(game: AnyGame) -> RingDraws[Any, Any]:
    """Return the ring draws of a game that has waited for one."""
    assert game.ring is not None, "a game that knows no ring never waits for a draw"
    return game.ring


def ring_words(game: AnyGame) -> RingWords:
    """Return how *game* speaks of what leaves a ring and is no draw; beside one without a ring, as most do."""
    return RingWords() if game.ring is None else game.ring.words


def colours_of(game: AnyGame, header: Line, state: Any = None) -> tuple[str, ...]:
    """Return the colours of the pieces in play, or else of the players; before a game (no *state*) by its *header*."""
    if game.ring is None:
        return tuple(str(player["colour"]) for player in header["players"])
    return game.ring.in_play(game.start(header) if state is None else state)


def printed(game: AnyGame, header: Line) -> Line | None:
    """Return what *header* says of the copy that is played with, None where it says nothing of its own."""
    return None if game.board is None else game.board.of(header)


def invented(game: AnyGame, header: Line) -> bool:
    """Tell whether the points of a game come from a board whose values we made up as an example."""
    return game.board is not None and game.board.invented(header)


def still_to_lay(game: AnyGame, state: Any) -> tuple[str, ...]:
    """Return the seats that still lay something face down for a common reveal."""
    return () if game.reveal is None else game.reveal.together(state)


def with_ring(games: Mapping[str, AnyGame]) -> tuple[str, RingDraws[Any, Any]]:
    """Return the first of *games* that draws from a ring, by its name: what a ring is for while no game lies there."""
    return next((name, game.ring) for name, game in games.items() if game.ring is not None)

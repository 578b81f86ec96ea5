"""The protocol that every game implements for the table, the ledger and the pages, and defaults for most of it.

A game is a set of pure functions over frozen values. It does no I/O, uses no random numbers of its own and doesn't read
the time.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.kernel.said import said
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
from companion.model.clock import Step, TimeControl

State = TypeVar("State")
Command = TypeVar("Command")
Event = TypeVar("Event")


@dataclass(frozen=True)
class Seat:
    """One player's place at the table: a colour and a name. Seats are in clockwise order."""

    colour: str
    name: str


@dataclass(frozen=True)
class Result:
    """The result of a game.

    It has the winning colours, the totals by colour, the reason in one sentence, and the colour that moved first.
    """

    winners: tuple[str, ...]
    totals: Mapping[str, int] = field(default_factory=dict)
    why: str = ""
    first: str | None = None


class Game(Protocol[State, Command, Event]):
    """The protocol of a game.

    A line is JSON from people and files (`do` and its fields). A command is a parsed line. An event records something
    that happened. `decide` may refuse, `evolve` never does, and the state is the fold of the events. *ring*,
    *open_draws*, *reveal*, *secrets*, *board*, *console*, *speech*, *facts*, *luck* and *random_play* are optional
    capabilities; each is None for a game without it.
    """

    @property
    def name(self) -> str:
        """The name of the game in a record's header."""

    @property
    def rules(self) -> str:
        """The version of these rules, stored in every game's first row."""

    @property
    def ring(self) -> RingDraws[State, Command] | None:
        """Draws from a ring."""

    @property
    def open_draws(self) -> OpenDraws[State] | None:
        """Draws from bags and through towers."""

    @property
    def reveal(self) -> SimultaneousReveal[State] | None:
        """Cards that are laid face down and turned over together."""

    @property
    def secrets(self) -> Secrets[State] | None:
        """Hidden information."""

    @property
    def board(self) -> PrintedBoard | None:
        """The values that are printed on the board of a copy."""

    @property
    def console(self) -> ConsoleUse[State] | None:
        """The meaning of buttons and lamps at the table."""

    @property
    def speech(self) -> Speech[State] | None:
        """Spoken announcements."""

    @property
    def facts(self) -> Facts[State] | None:
        """Questions and answers about the game."""

    @property
    def luck(self) -> LuckModel[State] | None:
        """The model that separates luck from skill."""

    @property
    def random_play(self) -> RandomPlay | None:
        """Random play for simulations."""

    def start(self, header: Line) -> State:
        """Return the state before the first command, or raise `Malformed`.

        Every header has `players`, a list with the colour and the name of each seat. Lists of games and pages rely on
        it.
        """

    def seats(self, state: State) -> tuple[Seat, ...]:
        """Return the seats, clockwise."""

    def parse(self, line: Line) -> Command:
        """Return the command for a record line, or raise `Malformed`."""

    def line(self, command: Command) -> Line:
        """Return the record line of a command, the inverse of `parse`."""

    def cast_lots(self, state: State, line: Line, lots: Random) -> Line:
        """Return *line* with the results of chance filled in from *lots*, so that a replay needs no random numbers."""

    def decide(self, state: State, command: Command) -> tuple[Event, ...]:
        """Return the events that *command* causes, or raise `Refused`, which names the broken rule."""

    def evolve(self, state: State, event: Event) -> State:
        """Return the state after *event*. It never refuses an event."""

    def pack(self, event: Event) -> Line:
        """Return *event* as JSON for the ledger."""

    def unpack(self, line: Line, state: State) -> Event:
        """Return the event from the JSON of `pack`, or raise `Malformed` if `evolve` can't apply it to *state*.

        Every field is checked, because the data may have been on a memory card for years and be damaged.
        """

    def choices(self, state: State, seat: str) -> tuple[Command, ...]:
        """Return the legal commands of *seat* now. Variants in which a card is laid without naming it are left out."""

    def by_itself(self, state: State, absent: frozenset[str]) -> Command | None:
        """Return the command that the companion gives automatically now, or None if a player has a choice.

        *absent* are the seats of players who have left. For such a seat the result is the least active legal command.
        The table doesn't ask while all players have left, because such a game might never end.
        """

    def waited_for(self, state: State) -> tuple[str, ...]:
        """Return the colours of the players who must act now."""

    def step(self, state: State) -> Step | None:
        """Return the present step, which a clock can measure, or None if no player must act."""

    @property
    def pace(self) -> TimeControl:
        """The default time limits of this game. They name every step that can have a limit."""

    def actor(self, state: State, line: Line) -> str | None:
        """Return the seat that acts in *line*, or None for corrections and undo."""

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """Return the state as JSON, without the values that *viewer* must not see.

        A record's final state has the same format.
        """

    def standing(self, state: State) -> tuple[str, ...]:
        """Return a summary of the state for a terminal, in a few lines that include the points of all players."""

    def result(self, state: State) -> Result | None:
        """Return the result, or None while the game goes on."""


AnyGame = Game[Any, Any, Any]


def draw_wanted(game: AnyGame, state: Any) -> Wanted | None:
    """Return the draw that *game* expects from the ring in *state*, or None."""
    return None if game.ring is None else game.ring.wanted(state)


def ring_of(game: AnyGame) -> RingDraws[Any, Any]:
    """Return the ring capability of a game that has one."""
    assert game.ring is not None, "a game that knows no ring never waits for a draw"
    return game.ring


def ring_words(game: AnyGame) -> RingWords:
    """Return the sentences of *game* about passages that aren't draws. A game without a ring has default sentences."""
    return RingWords() if game.ring is None else game.ring.words


def check_lots(game: AnyGame, state: Any, line: Line) -> None:
    """Raise `Malformed` if *line* lacks a result of chance, which every recorded line contains.

    `decide` accepts such a line, since pages ask whether a roll is legal before it is rolled. Call this before you use
    the events that `decide` returns.
    """
    missing = [name for name in game.cast_lots(state, line, Random(0)) if name not in line]
    if missing:
        raise Malformed(said("%(where)s is missing", where=missing[0]))


def colours_of(game: AnyGame, header: Line, state: Any = None) -> tuple[str, ...]:
    """Return the colours of the pieces in play, or of the players if the game has no such pieces.

    They are read from *state*, or from *header* if *state* is None.
    """
    if game.ring is None:
        return tuple(str(player["colour"]) for player in header["players"])
    return game.ring.in_play(game.start(header) if state is None else state)


def printed(game: AnyGame, header: Line) -> Line | None:
    """Return the board that *header* describes, or None if it describes none."""
    return None if game.board is None else game.board.of(header)


def invented(game: AnyGame, header: Line) -> bool:
    """Return whether the points of a game come from a board with invented example values."""
    return game.board is not None and game.board.invented(header)


def still_to_lay(game: AnyGame, state: Any) -> tuple[str, ...]:
    """Return the seats that must still lay a card face down."""
    return () if game.reveal is None else game.reveal.together(state)


def with_ring(games: Mapping[str, AnyGame]) -> tuple[str, RingDraws[Any, Any]]:
    """Return the name and the ring capability of the first of *games* that uses a ring.

    It is used while there is no game on the table.
    """
    return next((name, game.ring) for name, game in games.items() if game.ring is not None)


class _Setting(Protocol):
    @property
    def seats(self) -> tuple[Seat, ...]: ...


class _Seated(Protocol):
    @property
    def setting(self) -> _Setting: ...


SeatedState = TypeVar("SeatedState", bound=_Seated)


class GameDefaults(Generic[SeatedState, Command]):
    """The parts of the `Game` protocol that are the same for most games."""

    @property
    def ring(self) -> RingDraws[SeatedState, Command] | None:
        """No ring."""
        return None

    @property
    def open_draws(self) -> OpenDraws[SeatedState] | None:
        """No bags or towers."""
        return None

    @property
    def reveal(self) -> SimultaneousReveal[SeatedState] | None:
        """No cards face down."""
        return None

    @property
    def secrets(self) -> Secrets[SeatedState] | None:
        """No hidden information."""
        return None

    @property
    def board(self) -> PrintedBoard | None:
        """All copies are the same."""
        return None

    @property
    def console(self) -> ConsoleUse[SeatedState] | None:
        """No buttons and lamps."""
        return None

    @property
    def speech(self) -> Speech[SeatedState] | None:
        """No announcements."""
        return None

    @property
    def facts(self) -> Facts[SeatedState] | None:
        """No questions."""
        return None

    @property
    def luck(self) -> LuckModel[SeatedState] | None:
        """No luck model."""
        return None

    @property
    def random_play(self) -> RandomPlay | None:
        """No random play."""
        return None

    def seats(self, state: SeatedState) -> tuple[Seat, ...]:
        """Return `state.setting.seats`, clockwise."""
        return seats_of(state, "GameDefaults.seats")

    def cast_lots(self, state: SeatedState, line: Line, lots: Random) -> Line:
        """Return *line* unchanged: there is no chance."""
        return line

    def by_itself(self, state: SeatedState, absent: frozenset[str]) -> Command | None:
        """Return None: every command is a player's choice."""
        return None

    def step(self, state: SeatedState) -> Step | None:
        """Return None: no step can have a time limit."""
        return None


def player_of(line: Line, nobodys: tuple[str, ...] = ()) -> str | None:
    """Return the seat that acts in *line*, or None for corrections, undo, and lines with a `do` in *nobodys*."""
    player = line.get("player")
    return player if isinstance(player, str) and line.get("do") not in ("correct", "undo", *nobodys) else None


# The attributes of a game's state that shared code reads: `setting.seats`, `colours` and `phase`. A state needs one
# only if the game uses the shared part that reads it. A missing attribute is a bug of the game and raises
# `NotImplementedError`. It must not be one of the errors in `MISFITS`, which mean that stored events can't be folded:
# the ledger would call the game damaged.


def seats_of(state: Any, reader: str) -> tuple[Any, ...]:
    """Return the seats in `state.setting.seats`, clockwise. *reader* names the part that needs them, for the error.

    >>> seats_of((), "Tellings")
    Traceback (most recent call last):
    NotImplementedError: Tellings reads state.setting.seats, but a tuple has none: see docs/add-a-game.md, The state.
    """
    try:
        seats: tuple[Any, ...] = state.setting.seats
    except AttributeError as fault:
        raise _lacks(state, "setting.seats", reader) from fault
    return seats


def colours_in(state: Any) -> Collection[str]:
    """Return the colours that an event's `Seat` field may have.

    They are `state.colours` if it exists, otherwise the colours of the seats.
    """
    try:
        colours: Collection[str] = state.colours
    except AttributeError as fault:
        if hasattr(state, "setting"):
            return tuple(seat.colour for seat in seats_of(state, "an event with a Seat field"))
        raise _lacks(state, "colours or state.setting.seats", "an event with a Seat field") from fault
    return colours


def phase_of(state: Any, reader: str) -> Any:
    """Return `state.phase`. *reader* names the part that needs it, for the error."""
    try:
        return state.phase
    except AttributeError as fault:
        raise _lacks(state, "phase", reader) from fault


def _lacks(state: Any, what: str, reader: str) -> NotImplementedError:
    kind = type(state).__name__
    return NotImplementedError(
        f"{reader} reads state.{what}, but a {kind} has none: see docs/add-a-game.md, The state."
    )

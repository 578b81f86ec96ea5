"""Sum to 31 as a `Game`, as the rest of the program uses it."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.kernel.said import said, series
from companion.model.capabilities import RandomPlay, Speech
from companion.model.clock import Limit, Step, Strictness, TimeControl
from companion.model.game import Game, GameDefaults, Result, Viewer, player_of
from companion.model.header import colours_of, own_fields, seats_from
from tests.sum_game.rules.rules import CODEC, PARSER, TELLINGS, Command, Event, Take, decide, evolve
from tests.sum_game.rules.state import COLOURS, FIELDS, GOAL, VALUES, Phase, Setting, State


class SumGame(GameDefaults[State, Command]):
    """The rules of Sum to 31."""

    name = FIELDS.game
    rules = "sum31-1"
    pace = TimeControl({"turn": Limit(Strictness.GENTLE, 30)})

    parse = staticmethod(PARSER.parse)
    line = staticmethod(PARSER.line_of)
    decide = staticmethod(decide)
    evolve = staticmethod(evolve)
    pack = staticmethod(CODEC.pack)
    unpack = staticmethod(CODEC.unpack)

    @property
    def speech(self) -> Speech[State]:
        """Spoken announcements."""
        return TELLINGS

    @property
    def random_play(self) -> RandomPlay:
        """Random play for simulations."""
        return SumAtRandom()

    def start(self, header: Line) -> State:
        """Return the state before the first chip."""
        fields = own_fields(header)
        seats = seats_from(fields)
        fields.nothing_else()
        if len(colours_of(seats)) not in FIELDS.counts:
            raise Malformed(said("players: 2 to 4, not %(count)s", count=len(seats)))
        return State(Setting(seats))

    def choices(self, state: State, seat: str) -> tuple[Command, ...]:
        """Return a chip of each value that is left, for the player whose turn it is."""
        if seat != state.mover:
            return ()
        return tuple(Take(seat, value) for value in VALUES if state.left(value))

    def by_itself(self, state: State, absent: frozenset[str]) -> Command | None:
        """Take the smallest chip for a player who has left."""
        return self.choices(state, state.mover)[0] if state.mover in absent else None

    def waited_for(self, state: State) -> tuple[str, ...]:
        """Return the player whose turn it is."""
        return (state.mover,) if state.mover else ()

    def step(self, state: State) -> Step | None:
        """Return the turn."""
        return Step("turn", (state.mover,), (state.turn,)) if state.mover else None

    def actor(self, state: State, line: Line) -> str | None:
        """Return the player who takes a chip, or None for a correction."""
        return player_of(line)

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """Return the state as JSON."""
        return {
            "game": self.name,
            "round": state.round,
            "total": state.total,
            "supply": {str(value): state.left(value) for value in VALUES},
            "turn": state.mover or None,
            "last": state.last or None,
            "winners": list(state.winners),
        }

    def standing(self, state: State) -> tuple[str, ...]:
        """Return the sum, and who won."""
        won = tuple(f"{state.name_of(colour)} wins" for colour in state.winners)
        return (f"Sum: {state.total}", *won)

    def result(self, state: State) -> Result | None:
        """Return who won and why."""
        if state.phase is Phase.TURN:
            return None
        name = state.name_of(state.last)
        if state.total == GOAL:
            why = said("%(name)s makes exactly %(goal)s and wins.", name=name, goal=GOAL)
        else:
            others = series([state.name_of(colour) for colour in state.winners])
            why = said("%(name)s makes %(total)s. Won: %(others)s.", name=name, total=state.total, others=others)
        return Result(state.winners, why=why, first=state.colours[0])


class SumAtRandom:
    """Random games for simulations."""

    players = FIELDS.counts

    def header(self, players: int, lots: Random, any_rulings: bool) -> Line:
        """Return the game's part of a header."""
        return {"players": [{"colour": each, "name": COLOURS[each]} for each in list(COLOURS)[:players]]}

    def command(self, state: State, lots: Random) -> Command:
        """Return any legal chip."""
        return lots.choice(GAME.choices(state, state.mover))

    def broken(self, state: State) -> tuple[str, ...]:
        """Return a sentence for each impossible fact in *state*."""
        wrong = {
            "a value has fewer than no chips": min(state.supply) < 0,
            "31 can't be reached": state.total + state.supplied < GOAL,
        }
        return tuple(sentence for sentence, is_so in wrong.items() if is_so)

    def rounds(self, state: State) -> int:
        """Return the number of the round, from 1."""
        return state.round


GAME: Game[State, Command, Event] = SumGame()

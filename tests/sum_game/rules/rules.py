"""The rules of Sum to 31: for each act its command, its event, what they do, and its sentences."""

from __future__ import annotations

from typing import Annotated, assert_never

from companion.kernel.errors import Refused
from companion.kernel.said import Said, pattern, said
from companion.kernel.values import dataclass, replace
from companion.model.parser import EventCodec, Line, Parser, Seat, Text, Whole
from companion.model.speech import TURN, Utterance, Verbosity
from companion.model.tellings import Occurrence, Telling, Tellings, nobody
from tests.sum_game.rules.state import GOAL, VALUES, Phase, State

Value = Whole(VALUES[0], VALUES[-1])
Total = Whole(0, GOAL - 1)


@dataclass(frozen=True)
class Take(Line, do="take"):
    """A chip from the supply.

    Example: ``{"do": "take", "player": "red", "value": 6}``
    """

    player: Seat
    value: Annotated[int, Value]


@dataclass(frozen=True)
class Correct(Line, do="correct"):
    """The sum as the table counts it.

    Example: ``{"do": "correct", "reason": "miscounted", "total": 12}``
    """

    reason: Annotated[str, Text()]
    total: Annotated[int, Total]


@dataclass(frozen=True)
class Taken:
    """*player* took a chip of *value*."""

    player: Seat
    value: Annotated[int, Value]


@dataclass(frozen=True)
class Corrected:
    """The sum is *total*."""

    total: Annotated[int, Total]


Command = Take | Correct
Event = Taken | Corrected


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Return the events of *command*, or raise `Refused`."""
    if state.phase is Phase.OVER:
        raise Refused(said("The game is over."))
    match command:
        case Take():
            return _take(state, command)
        case Correct():
            return _correct(state, command)
        case _:
            assert_never(command)


def _take(state: State, command: Take) -> tuple[Event, ...]:
    if command.player != state.mover:
        raise Refused(said("It's %(name)s's turn.", name=state.name_of(state.mover)))
    if not state.left(command.value):
        raise Refused(said("All chips of %(value)s are used up.", value=command.value))
    return (Taken(command.player, command.value),)


def _correct(state: State, command: Correct) -> tuple[Event, ...]:
    if not command.reason.strip():
        raise Refused(said("Give a reason for the correction."))
    if command.total == state.total:
        raise Refused(said("The sum is %(total)s already.", total=command.total))
    if command.total + state.supplied < GOAL:
        raise Refused(said("The chips that are left don't reach %(goal)s.", goal=GOAL))
    return (Corrected(command.total),)


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*."""
    match event:
        case Taken(player, value):
            supply = tuple(count - (each == value) for each, count in zip(VALUES, state.supply, strict=True))
            return replace(state, supply=supply, total=state.total + value, turn=state.turn + 1, last=player)
        case Corrected(total):
            return replace(state, total=total)
        case _:
            assert_never(event)


def can_follow(state: State, event: Event) -> bool:
    """Return whether *event* is possible in *state*."""
    return state.phase is Phase.TURN and (isinstance(event, Corrected) or state.left(event.value) > 0)


PARSER: Parser[Command] = Parser.of(Command)
CODEC: EventCodec[State, Event] = EventCodec.of(Event, can_follow)


def turn(state: State) -> Utterance | None:
    """Return whose turn it is, or None after the end."""
    if not state.mover:
        return None
    text = said("%(name)s, take a chip.", name=state.name_of(state.mover))
    return Utterance(text, (state.mover,), Verbosity.FEW, TURN)


def taken_aloud(what: Occurrence) -> Said:
    """Return the sentence for a chip that is taken, with the new sum."""
    value = what.fields["value"]
    return said("%(name)s takes %(value)s: %(total)s", name=what.name, value=value, total=what.before.total + value)


TELLINGS = Tellings(
    turn,
    {
        "name": lambda what: what.name,
        "value": lambda what: what.fields["value"],
        "total": lambda what: what.fields["total"],
    },
    {
        Taken: Telling(
            pattern("%(name)s takes a %(value)s"),
            do="take",
            means=said("The chip's value is added to the sum."),
            card="turn",
            aloud=taken_aloud,
        ),
        Corrected: Telling(
            pattern("The sum is now %(total)s"),
            do="correct",
            means=said("The table has counted again."),
            card="turn",
            about=nobody,
        ),
    },
)

"""What a command does, and what an event changes."""

from __future__ import annotations

from typing import assert_never

from companion.kernel.errors import Refused
from companion.kernel.said import said
from companion.kernel.values import replace
from tests.sum_game.rules.commands import Command, Correct, Take
from tests.sum_game.rules.events import Corrected, Event, Taken
from tests.sum_game.rules.state import GOAL, VALUES, Phase, State


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
